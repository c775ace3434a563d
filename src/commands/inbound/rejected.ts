import type { ExpectedError } from '../../shared/errors.ts';

/** Classes of reasons; a metric counts each. */
export type RejectionKind =
  /** No account has the number, or the business account. */
  | 'not_linked'
  /** Written before the number was linked to the account that has it now. */
  | 'before_link'
  /** A kind of item that the service does not handle. */
  | 'not_handled'
  /** An item of unknown shape, or without a required field. */
  | 'unreadable'
  /** The message id belongs to another account, to another number, or to the other direction. */
  | 'foreign_message'
  /** The status carries a charge that has a message already. */
  | 'charge_taken'
  /** More statuses than one message can have. */
  | 'too_many'
  /** A fault of this service; the log line has its cause. */
  | 'failed';

/** The item cannot be ingested, now or later: it becomes a dead letter. */
export class Rejected extends Error implements ExpectedError {
  readonly isExpected = true;
  readonly kind: RejectionKind;

  constructor(kind: RejectionKind, message: string) {
    super(message);
    this.name = 'Rejected';
    this.kind = kind;
  }
}

export const kindOf = (error: unknown): RejectionKind =>
  error instanceof Rejected ? error.kind : 'failed';

/** Why an item was not ingested. The text of a fault may repeat the item, so its name must do. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof Rejected) return error.message;
  return `failed: ${error instanceof Error ? error.name : 'unknown error'}`;
};
