/** What can be wrong with the books. */
export type ProblemKind =
  /** The event cannot be read. */
  | 'unreadable'
  /** Events of the account's stream are missing or stand twice. */
  | 'revision'
  /** The stream does not stand in the order of the log. */
  | 'order'
  /** The log itself lacks events. */
  | 'position-gap'
  /** Links of the hash chain are missing, stand twice or stand elsewhere. */
  | 'sequence'
  | 'previous-hash'
  /** The event is not what it was when it was written. */
  | 'hash'
  /** Balance before and amount do not make the balance after. */
  | 'balance'
  | 'negative-balance'
  /** The event names another account, row or charge than its place stands for. */
  | 'identity'
  | 'refund-without-charge'
  | 'refund-twice'
  | 'refund-amount'
  | 'message-without-charge'
  | 'message-amount'
  /** A charge has more than one message. */
  | 'second-message'
  /** A message has more than one charge. */
  | 'second-charge'
  /** A state that is kept beside the log is not what the events make. */
  | 'snapshot'
  | 'row-missing'
  | 'row-differs'
  | 'row-without-event'
  | 'shown-balance'
  /** The read model is older than the log, and could not be compared whole. */
  | 'read-model-late'
  /** An export does not end as it should. */
  | 'truncated'
  /** A line of an export cannot be read. */
  | 'malformed';

export interface Problem {
  /** Null where it belongs to no account that is known. */
  accountId: string | null;
  kind: ProblemKind;
  /** Position of the event in the log, or where else to look. */
  at: string;
  detail: string;
}

export interface Problems {
  add(problem: Problem): void;
  list(): readonly Problem[];
  /** How many there are, also those that are not listed. */
  count(): number;
}

/** Broken books may have a problem for each event; the first ones tell where it begins. */
const LISTED_MAX = 1000;

export const createProblems = (): Problems => {
  const listed: Problem[] = [];
  let count = 0;
  return {
    add(problem) {
      count += 1;
      if (listed.length < LISTED_MAX) listed.push(problem);
    },
    list: () => listed,
    count: () => count,
  };
};
