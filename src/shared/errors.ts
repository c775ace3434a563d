interface CatalogueEntry {
  status: number;
  code?: string;
  /** The body is `error` alone, even where other bodies of this status have more fields. */
  plain?: true;
}

/**
 * Every refusal that a caller can meet, in one place: its name in our code, its HTTP status and,
 * where the contract gives one, the public `code` (contract 7.2). Anything thrown that is not an
 * AppError is a fault: logged whole, shown as a bare 500.
 */
export const errorCatalogue = {
  'request.invalid': { status: 400 },
  'request.malformed': { status: 400 },
  'request.unsupported_type': { status: 415 },
  'request.too_large': { status: 413 },
  'request.timeout': { status: 408 },
  'request.no_room': { status: 503 },
  'route.unknown': { status: 404 },
  'route.method': { status: 405 },
  'key.invalid': { status: 401 },
  'key.origin': { status: 403 },
  'key.scope': { status: 403, code: 'INSUFFICIENT_SCOPE' },
  'key.rate_limited': { status: 429 },
  'key.lookup_failed': { status: 500 },
  'key.revoked': { status: 409 },
  'administrator.invalid': { status: 401 },
  'administrator.read_only': { status: 403, code: 'READ_ONLY' },
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
  'template.not_approved': { status: 409, code: 'TEMPLATE_NOT_APPROVED' },
  'template.refused': { status: 400 },
  'template.unknown': { status: 404 },
  'message.unknown': { status: 404 },
  'message.incomplete': { status: 400 },
  'message.window_closed': { status: 403 },
  'bot.unknown': { status: 404 },
  'resource.unknown': { status: 404 },
  'resource.conflict': { status: 409 },
  'provider.refused': { status: 502, code: 'SEND_FAILED' },
  'provider.failed': { status: 502 },
  'provider.unknown_outcome': { status: 504, code: 'OUTCOME_UNKNOWN' },
  'idempotency.in_progress': { status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' },
  'idempotency.mismatch': { status: 422, code: 'IDEMPOTENCY_MISMATCH' },
  'webhook.signature': { status: 401 },
  'webhook.token': { status: 403 },
  'webhook.unconfigured': { status: 503 },
  'service.busy': { status: 503 },
  'service.unavailable': { status: 503 },
  'service.stopping': { status: 503 },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

export const isPlain = (code: ErrorCode): boolean => {
  const entry: CatalogueEntry = errorCatalogue[code];
  return entry.plain === true;
};

/** Fields of the response beside `error`, and headers; all are safe to show. */
export interface ErrorDetails {
  /** Extra fields of the JSON body. */
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** The validation object of contract 7.1; replaces the string. */
  validation?: { formErrors: string[]; fieldErrors: Record<string, string[]> };
  cause?: unknown;
}

/**
 * An expected error, such as a refusal or an unavailable store. The log omits its stack, which would
 * tell an operator nothing.
 */
export interface ExpectedError extends Error {
  readonly isExpected: boolean;
}

/** A refusal: the caller can act on it. */
export class AppError extends Error implements ExpectedError {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  /** A 500 is the service's fault. */
  get isExpected(): boolean {
    return this.status !== 500;
  }

  get publicCode(): string | undefined {
    const entry: CatalogueEntry = errorCatalogue[this.code];
    return entry.code;
  }
}

export const isRefusal = (error: unknown, ...codes: ErrorCode[]): error is AppError =>
  error instanceof AppError && (codes.length === 0 || codes.includes(error.code));
