/** The kinds of faults in the books. */
export type ProblemKind =
  /** The event cannot be read. */
  | 'unreadable'
  /** Events of the account's stream are missing or doubled. */
  | 'revision'
  /** The order of the stream is not the order of the log. */
  | 'order'
  /** The log itself lacks events. */
  | 'position-gap'
  /** Links of the hash chain are missing, doubled or out of place. */
  | 'sequence'
  | 'previous-hash'
  /** The event was changed after it was written. */
  | 'hash'
  /** The balance before and the amount do not add up to the balance after. */
  | 'balance'
  | 'negative-balance'
  /** The event names an account, row or charge that does not fit its place. */
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
  /** The log is not what a seal covers, or a seal is missing, changed or not signed. */
  | 'seal'
  /** A snapshot differs from the fold of the events. */
  | 'snapshot'
  | 'row-missing'
  | 'row-differs'
  | 'row-without-event'
  | 'shown-balance'
  /** The read model lags behind the log, so it was not compared. */
  | 'read-model-late'
  /** The end of an export is missing or wrong. */
  | 'truncated'
  /** A line of an export cannot be read. */
  | 'malformed';

export interface Problem {
  /** Null if the account is unknown. */
  accountId: string | null;
  kind: ProblemKind;
  /** The position of the event in the log, or another place such as a line of an export. */
  at: string;
  detail: string;
}

export interface Problems {
  add(problem: Problem): void;
  list(): readonly Problem[];
  /** Counts all problems, including those that `list` omits. */
  count(): number;
}

/** Broken books may have a problem for each event; the first ones show where the fault begins. */
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
