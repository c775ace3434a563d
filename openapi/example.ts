import type { ErrorCode } from '../src/shared/errors.ts';

/** The examples of an operation. Tests check each against the operation's schemas. */
export interface Examples {
  /** Bodies by their purpose. */
  requests?: Readonly<Record<string, unknown>>;
  /** The body of a success. */
  answer?: unknown;
  /** Fields of an error beside `error` and `code`, where they depend on the operation. */
  problems?: Partial<Record<ErrorCode, Record<string, unknown>>>;
}
