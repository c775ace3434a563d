import type { Limits, UsageCounts } from './usage.ts';

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

/** What errors carry beside their message, by code. */
interface Details {
  'request.invalid': { formErrors: readonly string[]; fieldErrors: Record<string, string[]> };
  'event.unknown': { supportedEvents: readonly string[]; didYouMean?: string };
  'account.cap_reached': {
    limit: keyof Limits;
    usage: UsageCounts;
    limits: Limits;
  };
  'account.insufficient': {
    reason: 'INSUFFICIENT_CREDITS' | 'INSUFFICIENT_BALANCE';
    category: string;
    creditsRequired: number;
    price: string;
    currency: string;
    balance: number | string;
  };
  'template.not_approved': {
    event: string;
    templateName: string;
    /** As asked for. */
    language: string;
    approvedLanguages: readonly string[];
  };
  'message.window_closed': { windowExpiredAt: string | null };
  'provider.refused': SendDetails & ProviderWords;
  'provider.failed': ProviderWords | NoDetails;
  'provider.unknown_outcome': SendDetails | NoDetails;
}

/**
 * Every error that a caller can meet; `http/edge/error-responses.ts` has its HTTP form. Anything
 * thrown that is not an AppError is a fault: logged whole, answered with a bare 500.
 */
export type ErrorCode =
  | keyof Details
  | `request.${'malformed' | 'unsupported_type' | 'too_large' | 'timeout' | 'no_room' | 'cross_site'}`
  | `route.${'unknown' | 'method'}`
  | `key.${'invalid' | 'origin' | 'scope' | 'rate_limited' | 'lookup_failed' | 'revoked'}`
  | `administrator.${'invalid' | 'read_only'}`
  | `session.${'invalid' | 'ended' | 'link' | 'no_links'}`
  | 'organisation.suspended'
  | 'events.unknown'
  | `account.${'free_writes' | 'conflict' | 'balance_limit'}`
  | `number.${'none' | 'unknown' | 'no_token' | 'linked'}`
  | `template.${'refused' | 'unknown'}`
  | `message.${'unknown' | 'incomplete' | 'not_allowed'}`
  | 'bot.unknown'
  | `resource.${'unknown' | 'conflict' | 'erased' | 'not_sealed'}`
  | `idempotency.${'in_progress' | 'mismatch'}`
  | `webhook.${'signature' | 'token' | 'unconfigured'}`
  | `service.${'busy' | 'unavailable' | 'stopping'}`;

/** The details of an error with one of these codes. */
export type ErrorDetails<Code extends ErrorCode> = {
  [Each in Code]: (Each extends keyof Details ? Details[Each] : NoDetails) & {
    retryAfterSeconds?: number;
    cause?: unknown;
    /** What to do, where more is known than the code says. */
    hint?: string | undefined;
  };
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
