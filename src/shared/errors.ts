import type { ErrorRecord, errorTable, NoDetails } from './error-table.ts';

/** What a caller can meet. Anything thrown that is no AppError is a fault: logged whole, answered with a bare 500. */
export type ErrorCode = keyof typeof errorTable;

type DetailsIn<Found> = Found extends ErrorRecord<infer Details> ? Details : never;

/** The details of an error with one of these codes. */
type ErrorDetails<Code extends ErrorCode> = {
  [Each in Code]: DetailsIn<(typeof errorTable)[Each]> & {
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
