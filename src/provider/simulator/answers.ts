import type { Json } from '../shape.ts';

/** An answer of the simulated provider. */
export interface GraphAnswer {
  kind: 'answer';
  status: number;
  body: unknown;
}

export const ok = (body: unknown): GraphAnswer => ({ kind: 'answer', status: 200, body });

/** The fields that the query asks for, or the default ones, and the id. */
export const fieldsOf = (
  whole: Json,
  query: URLSearchParams,
  defaults: readonly string[],
): Json => {
  const asked = query.get('fields')?.split(',') ?? defaults;
  const known = [...asked, 'id'].filter((field) => field in whole);
  return Object.fromEntries(known.map((field) => [field, whole[field]]));
};

/** Title and HTTP status of the errors that the simulator gives. */
const known: Readonly<Record<number, readonly [status: number, title: string]>> = {
  1: [400, 'API Unknown'],
  100: [400, 'Invalid parameter'],
  190: [401, 'Error validating access token'],
  80007: [400, 'Rate limit issues'],
  130429: [400, 'Rate limit hit'],
  130472: [400, "User's number is part of an experiment"],
  131000: [500, 'Something went wrong'],
  131008: [400, 'Required parameter is missing'],
  131009: [400, 'Parameter value is not valid'],
  131016: [500, 'Service unavailable'],
  131026: [400, 'Message undeliverable'],
  131030: [400, 'Recipient phone number not in allowed list'],
  131042: [400, 'Business eligibility payment issue'],
  131047: [400, 'Re-engagement message'],
  131049: [400, 'This message was not delivered to maintain healthy ecosystem engagement'],
  131050: [400, 'User has stopped marketing messages from this business'],
  131051: [400, 'Unsupported message type'],
  131062: [400, 'Business-scoped User ID (BSUID) recipients are not supported for this message.'],
  131056: [400, '(Business Account, Consumer Account) pair rate limit hit'],
  132000: [400, 'Number of parameters does not match the expected number of params'],
  132001: [404, 'Template name does not exist in the translation'],
  132005: [400, 'Translated text too long'],
  132012: [400, 'Parameter format does not match format in the created template'],
  132015: [400, 'Template is paused'],
  132016: [400, 'Template is disabled'],
  132018: [400, 'Invalid template parameters'],
  133005: [400, 'Two-step verification PIN mismatch'],
  133010: [400, 'Account not registered'],
};

const titleOf = (code: number): string => known[code]?.[1] ?? 'Unknown error';

/** The answer to a call that is refused. */
export const graphError = (
  code: number,
  more: { details?: string; subcode?: number; userTitle?: string; userMessage?: string } = {},
): GraphAnswer => ({
  kind: 'answer',
  status: known[code]?.[0] ?? 400,
  body: {
    error: {
      message: `(#${code}) ${titleOf(code)}`,
      type: 'OAuthException',
      code,
      ...(more.details && {
        error_data: { messaging_product: 'whatsapp', details: more.details },
      }),
      ...(more.subcode && { error_subcode: more.subcode }),
      ...(more.userTitle && { error_user_title: more.userTitle }),
      ...(more.userMessage && { error_user_msg: more.userMessage }),
      fbtrace_id: 'SIMULATED',
    },
  },
});

/** The object in the path does not exist, or the token cannot see it. */
export const noSuchObject = (id: string): GraphAnswer =>
  graphError(100, {
    subcode: 33,
    userMessage: `Unsupported request. Object with ID '${id}' does not exist or cannot be loaded`,
  });

/** The error of a failed message, as a status update carries it. */
export const webhookError = (code: number) => ({
  code,
  title: titleOf(code),
  message: titleOf(code),
  error_data: { details: `${titleOf(code)}.` },
  href: '/documentation/business-messaging/whatsapp/support/error-codes',
});
