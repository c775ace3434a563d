import type { ExpectedError } from '../../shared/errors.ts';
/** Classes of reasons; a metric counts by them. */
export type RejectionKind =
  /** No account has the number, or the business account. */
  | 'not_linked'
  /** Written before the number was linked to the account that has it now. */
  | 'before_link'
  /** A kind of item that the service does not handle. */
  | 'not_handled'
  /** An item of no known shape, or one that lacks what is needed. */
  | 'unreadable'
  /** The message id belongs to another account, to another number, or to the other direction. */
  | 'foreign_message'
  /** The status carries a charge that has a message already. */
  | 'charge_taken'
  /** More statuses than one message can have. */
  | 'too_many'
  /** A fault of ours; the log has its cause. */
  | 'failed';

/** What the provider sent cannot be taken in, and never will be as it is: a dead letter. */
export class Rejected extends Error implements ExpectedError {
  readonly isExpected = true;
  readonly kind: RejectionKind;

  constructor(kind: RejectionKind, message: string) {
    super(message);
    this.name = 'Rejected';
    this.kind = kind;
  }
}
