import { type ProviderRefusal, ProviderUnreachable } from '../../provider/provider.ts';
import {
  errorEnvelope,
  providerError,
  providerHint,
  type Refusal,
} from '../../provider/rules/errors.ts';
import type { AppError, ErrorCode } from '../../shared/errors.ts';
import {
  anchorOf,
  type Response,
  recordOf,
  refusalOf,
  reply,
  responseOf,
} from '../edge/respond.ts';

// Errors of the gateway: the provider's envelope, with our words and hint in `error_data.details`. What the
// provider refused keeps its own words.

interface Said {
  code: number;
  status: number;
  subcode?: number;
}

const NO_SUCH_OBJECT: Said = { code: 100, status: 400, subcode: 33 };
const OUT_OF_REACH: Said = { code: 131016, status: 503 };
const BROKEN = 131000;

/** Our errors in the provider's codes. Others are 100 where the caller can mend them. */
const said: Partial<Record<ErrorCode, Said>> = {
  'key.invalid': { code: 190, status: 401 },
  'session.ended': { code: 190, status: 401 },
  'key.scope': { code: 10, status: 403 },
  'key.origin': { code: 10, status: 403 },
  'key.rate_limited': { code: 80007, status: 429 },
  'organisation.suspended': { code: 368, status: 403 },
  'account.insufficient': { code: 131042, status: 402 },
  'account.cap_reached': { code: 130429, status: 429 },
  'account.free_writes': { code: 130429, status: 429 },
  'number.none': NO_SUCH_OBJECT,
  'number.unknown': NO_SUCH_OBJECT,
  'resource.unknown': NO_SUCH_OBJECT,
  'message.unknown': NO_SUCH_OBJECT,
  'template.unknown': { code: 100, status: 400 },
  'message.window_closed': { code: 131047, status: 400 },
  'provider.unknown_outcome': { code: BROKEN, status: 504 },
  'idempotency.in_progress': { code: 100, status: 409 },
  'idempotency.mismatch': { code: 100, status: 422 },
  'resource.erased': { code: 100, status: 410 },
  'request.too_large': { code: 100, status: 413 },
};

const perhapsOfProvider: readonly ErrorCode[] = [
  'provider.refused',
  'provider.failed',
  'message.not_allowed',
  'template.refused',
];

const isRefusal = (cause: unknown): cause is Refusal | ProviderRefusal =>
  typeof cause === 'object' && cause !== null && 'code' in cause;

/** What the provider said, or would have said. */
const refusedWith = ({ details: { cause } }: AppError): Refusal | ProviderRefusal | undefined => {
  const inner = (cause as { refusal?: unknown } | undefined)?.refusal ?? cause;
  return isRefusal(inner) ? inner : undefined;
};

const ofRefusal = (refusal: Refusal | ProviderRefusal): Said => {
  const { code, subcode } = refusal;
  const httpStatus = 'httpStatus' in refusal ? refusal.httpStatus : undefined;
  if (httpStatus === null && code === null) return OUT_OF_REACH;
  if (code === null || (httpStatus ?? 0) >= 500) {
    return { code: BROKEN, status: (httpStatus ?? 0) >= 400 ? httpStatus! : 502 };
  }
  const status = httpStatus ?? providerError(code)?.status ?? 400;
  return { code, status, ...(subcode && { subcode }) };
};

const ofOurs = ({ code, cause }: AppError): Said => {
  const known = said[code];
  if (known) return known;
  if (code === 'provider.failed' || cause instanceof ProviderUnreachable) return OUT_OF_REACH;
  const { status } = recordOf(code);
  return status >= 500 ? { code: 2, status } : { code: 100, status: 400 };
};

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The fields that a broken schema names, each with what is wrong. */
const fieldsIn = ({ details }: AppError): readonly string[] => {
  const { formErrors = [], fieldErrors = {} } = details as {
    formErrors?: readonly string[];
    fieldErrors?: Readonly<Record<string, readonly string[]>>;
  };
  const named = Object.entries(fieldErrors).map(([field, problems]) => `${field} ${problems[0]}`);
  return [...formErrors, ...named].map(sentence);
};

/** Our words and hint, and our code, by which /docs/errors has more. */
const detailsOf = (error: AppError, { code }: Said): string => {
  const hint = error.details.hint ?? recordOf(error.code).hint;
  const advice = 'providerCode' in error.details ? providerHint(code) : hint;
  const words = error.code === 'request.invalid' ? fieldsIn(error) : [sentence(error.message)];
  return [...words, ...(advice ? [advice] : []), `(${anchorOf(error.code)})`].join(' ');
};

/** An error as a program of the provider's API reads it. */
export const graphProblemOf = (
  error: unknown,
  traceId: string,
): Response<Record<string, unknown>> => {
  const refusal = refusalOf(error);
  if (!refusal) {
    const details = 'Internal server error.';
    return reply(500, errorEnvelope({ code: BROKEN, details }, traceId));
  }
  const cause = perhapsOfProvider.includes(refusal.code) ? refusedWith(refusal) : undefined;
  const answer = cause ? ofRefusal(cause) : ofOurs(refusal);
  const { code, status, subcode } = answer;
  const details = detailsOf(refusal, answer);
  const { error: envelope } = errorEnvelope({ code, subcode, details }, traceId);
  const told = cause && 'told' in cause && cause.code === code ? cause.told : {};
  const { 'WWW-Authenticate': challenge, ...headers } = responseOf(refusal).headers;
  return reply(
    status,
    { error: { ...envelope, ...told } },
    {
      ...headers,
      ...(challenge && { 'WWW-Authenticate': 'OAuth "Facebook Platform" "invalid_token"' }),
    },
  );
};
