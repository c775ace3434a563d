import type { UsageCounts } from './usage.ts';

type NoDetails = Record<never, never>;

/** What a send tried to send. */
export interface SendDetails {
  event?: string;
  type?: string;
  template: string | null;
}

interface ProviderWords {
  providerCode: number | null;
  providerMessage: string;
}

/**
 * Every error that a caller can meet, with the details that it carries beside its message. The edge
 * has its HTTP form. Anything thrown that is not an AppError is a fault: logged whole, answered with
 * a bare 500.
 */
interface ErrorCatalogue {
  'request.invalid': { formErrors: readonly string[]; fieldErrors: Record<string, string[]> };
  'request.malformed': NoDetails;
  'request.unsupported_type': NoDetails;
  'request.too_large': NoDetails;
  'request.timeout': NoDetails;
  'request.no_room': NoDetails;
  'route.unknown': NoDetails;
  'route.method': NoDetails;
  'key.invalid': NoDetails;
  'key.origin': NoDetails;
  'key.scope': NoDetails;
  'key.rate_limited': NoDetails;
  'key.lookup_failed': NoDetails;
  'key.revoked': NoDetails;
  'administrator.invalid': NoDetails;
  'administrator.read_only': NoDetails;
  'organisation.suspended': NoDetails;
  'event.unknown': { supportedEvents: readonly string[] };
  'events.unknown': NoDetails;
  'account.cap_reached': {
    limit: 'paused' | 'perMinute' | 'daily' | 'monthly';
    usage: UsageCounts;
    limits: {
      perMinute: number | null;
      daily: number | null;
      monthly: number | null;
      paused: boolean;
    };
  };
  'account.free_writes': NoDetails;
  'account.insufficient': {
    reason: 'INSUFFICIENT_CREDITS' | 'INSUFFICIENT_BALANCE';
    category: string;
    creditsRequired: number;
    price: string;
    currency: string;
    balance: number | string;
  };
  'account.conflict': NoDetails;
  'account.balance_limit': NoDetails;
  'number.none': NoDetails;
  'number.unknown': NoDetails;
  'number.no_token': NoDetails;
  'number.linked': NoDetails;
  'template.not_approved': { event: string; templateName: string; language: string };
  'template.refused': NoDetails;
  'template.unknown': NoDetails;
  'message.unknown': NoDetails;
  'message.incomplete': NoDetails;
  'message.window_closed': { windowExpiredAt: string | null };
  'bot.unknown': NoDetails;
  'resource.unknown': NoDetails;
  'resource.conflict': NoDetails;
  'provider.refused': SendDetails & ProviderWords;
  'provider.failed': ProviderWords | NoDetails;
  'provider.unknown_outcome': SendDetails | NoDetails;
  'idempotency.in_progress': NoDetails;
  'idempotency.mismatch': NoDetails;
  'webhook.signature': NoDetails;
  'webhook.token': NoDetails;
  'webhook.unconfigured': NoDetails;
  'service.busy': NoDetails;
  'service.unavailable': NoDetails;
  'service.stopping': NoDetails;
}

export type ErrorCode = keyof ErrorCatalogue;

/** The details of an error with one of these codes. */
export type ErrorDetails<Code extends ErrorCode> = {
  [Each in Code]: ErrorCatalogue[Each] & { retryAfterSeconds?: number; cause?: unknown };
}[Code];

/**
 * An expected error, such as a refusal or an unavailable store. The log omits its stack, which would
 * tell an operator nothing.
 */
export interface ExpectedError extends Error {
  readonly isExpected: boolean;
}

/** A refusal: the caller can act on it. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error implements ExpectedError {
  readonly code: Code;
  readonly details: ErrorDetails<Code>;
  /** False for the service's own fault. */
  readonly isExpected: boolean;

  constructor(
    code: Code,
    message: string,
    ...[details]: NoDetails extends ErrorDetails<Code>
      ? [details?: ErrorDetails<Code>]
      : [details: ErrorDetails<Code>]
  ) {
    super(message, details?.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details ?? ({} as ErrorDetails<Code>);
    this.isExpected = code !== 'key.lookup_failed';
  }
}

/** True for an AppError: of any code, or of one of the given codes. */
export const isRefusal = <Code extends ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is AppError<Code> =>
  error instanceof AppError && (codes.length === 0 || codes.some((code) => code === error.code));

/** The error for a request with wrong fields; the reasons by field. */
export const invalidFields = (fieldErrors: Record<string, string[]>): AppError =>
  new AppError('request.invalid', 'The request is invalid', { formErrors: [], fieldErrors });
