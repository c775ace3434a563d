import { errorEnvelope, providerError, type Refusal } from '../rules/errors.ts';
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

/** The answer to a call that is refused. */
export const graphError = (code: number, more: Omit<Refusal, 'code'> = {}): GraphAnswer => ({
  kind: 'answer',
  status: providerError(code)?.status ?? 400,
  body: errorEnvelope({ ...more, code }, 'SIMULATED'),
});

export const refusedWith = ({ code, ...more }: Refusal): GraphAnswer => graphError(code, more);

/** The object in the path does not exist, or the token cannot see it. */
export const noSuchObject = (id: string): GraphAnswer =>
  graphError(100, {
    subcode: 33,
    userMessage: `Unsupported request. Object with ID '${id}' does not exist or cannot be loaded`,
  });

/** The error of a failed message, as a status update carries it. */
export const webhookError = (code: number) => {
  const title = providerError(code)?.title ?? 'Unknown error';
  return {
    code,
    title,
    message: title,
    error_data: { details: `${title}.` },
    href: '/documentation/business-messaging/whatsapp/support/error-codes',
  };
};
