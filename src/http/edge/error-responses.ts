import type { AppError, ErrorCode } from '../../shared/errors.ts';
import { type Response, reply } from '../route/response.ts';
import { adviceOn, adviceOnProvider } from './hints.ts';

interface ErrorResponse {
  status: number;
  /** The public code (contract 7.2). */
  code?: string;
  /** The field of the body that holds the details; without it they lie beside `error`. */
  detailsIn?: 'error' | 'details';
  /** The body is `error` alone, even where other bodies of this status have more fields. */
  plain?: true;
  headers?: Readonly<Record<string, string>>;
}

const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };
const CLOSE = { Connection: 'close' };

/** The HTTP form of every error. */
const errorResponses: Record<ErrorCode, ErrorResponse> = {
  'request.invalid': { status: 400, detailsIn: 'error' },
  'request.malformed': { status: 400 },
  'request.unsupported_type': { status: 415 },
  'request.too_large': { status: 413 },
  'request.timeout': { status: 408, headers: CLOSE },
  'request.no_room': { status: 503, headers: CLOSE },
  'request.cross_site': { status: 401 },
  'route.unknown': { status: 404 },
  'route.method': { status: 405 },
  'key.invalid': { status: 401, headers: CHALLENGE },
  'key.origin': { status: 403 },
  'key.scope': { status: 403, code: 'INSUFFICIENT_SCOPE' },
  'key.rate_limited': { status: 429 },
  'key.lookup_failed': { status: 500 },
  'key.revoked': { status: 409 },
  'administrator.invalid': { status: 401, headers: CHALLENGE },
  'administrator.read_only': { status: 403, code: 'READ_ONLY' },
  'session.invalid': { status: 401 },
  'session.ended': { status: 401, code: 'SESSION_ENDED' },
  'session.link': { status: 401 },
  'session.no_links': { status: 403 },
  'organisation.suspended': { status: 403, code: 'ORG_SUSPENDED' },
  'event.unknown': { status: 400, code: 'UNKNOWN_EVENT' },
  'events.unknown': { status: 400 },
  'account.cap_reached': { status: 429 },
  'account.free_writes': { status: 429, plain: true },
  'account.insufficient': { status: 402 },
  'account.conflict': { status: 409 },
  'account.balance_limit': { status: 400 },
  'number.none': { status: 404, code: 'NO_PHONE' },
  'number.unknown': { status: 404 },
  'number.no_token': { status: 400 },
  'number.linked': { status: 409 },
  'template.not_approved': { status: 409, code: 'TEMPLATE_NOT_APPROVED', detailsIn: 'details' },
  'template.refused': { status: 400 },
  'template.unknown': { status: 404 },
  'message.unknown': { status: 404 },
  'message.incomplete': { status: 400 },
  'message.not_allowed': { status: 400 },
  'message.window_closed': { status: 403 },
  'bot.unknown': { status: 404 },
  'resource.unknown': { status: 404 },
  'resource.conflict': { status: 409 },
  'resource.not_sealed': { status: 404, code: 'NOT_SEALED_YET' },
  'resource.erased': { status: 410, code: 'ERASED' },
  'provider.refused': { status: 502, code: 'SEND_FAILED', detailsIn: 'details' },
  'provider.failed': { status: 502, detailsIn: 'details' },
  'provider.unknown_outcome': { status: 504, code: 'OUTCOME_UNKNOWN', detailsIn: 'details' },
  'idempotency.in_progress': { status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' },
  'idempotency.mismatch': { status: 422, code: 'IDEMPOTENCY_MISMATCH' },
  'webhook.signature': { status: 401 },
  'webhook.token': { status: 403 },
  'webhook.unconfigured': { status: 503 },
  'service.busy': { status: 503 },
  'service.unavailable': { status: 503 },
  'service.stopping': { status: 503, headers: CLOSE },
};

export const statusOf = (code: ErrorCode): number => errorResponses[code].status;

export const publicCodeOf = (code: ErrorCode): string | undefined => errorResponses[code].code;

export const isPlain = (code: ErrorCode): boolean => errorResponses[code].plain === true;

/** The provider's refusal with what to do about its code. */
const withProviderAdvice = (details: object): object => {
  const { providerCode } = details as { providerCode?: number | null };
  return typeof providerCode === 'number'
    ? { ...details, ...adviceOnProvider(providerCode) }
    : details;
};

export const responseOf = (error: AppError): Response<Record<string, unknown>> => {
  const { status, code, detailsIn, headers } = errorResponses[error.code];
  const { retryAfterSeconds, cause: _, hint: __, ...details } = error.details;
  const hasDetails = Object.keys(details).length > 0;
  const body = {
    error: error.message,
    ...(code !== undefined && { code }),
    ...(detailsIn && hasDetails ? { [detailsIn]: withProviderAdvice(details) } : details),
    ...adviceOn(error, code),
  };
  const retryAfter = retryAfterSeconds !== undefined && {
    'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))),
  };
  return reply(status, body, { ...headers, ...retryAfter });
};
