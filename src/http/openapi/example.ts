import type { ErrorCode } from '../../shared/errors.ts';

/** What the reference shows of an operation. Tests parse each with the operation's own schemas. */
export interface Examples {
  /** Bodies, by a word of what they are for. */
  requests?: Readonly<Record<string, unknown>>;
  /** The body of a success. */
  answer?: unknown;
  /** What a refusal holds beside `error` and `code`, where it depends on the operation. */
  problems?: Partial<Record<ErrorCode, Record<string, unknown>>>;
}
