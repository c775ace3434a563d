/** A scheduled send that has not ended. */
export interface WaitingSend {
  scheduleId: string;
  accountId: string;
  contactRef: string;
  phoneNumberId: string | null;
  /** Its place in the order of its lane. */
  due: string;
  /** When it is due, in ms since 1970. */
  dueAt: number;
}

/** What the read models tell of scheduled sends. */
export interface ScheduledLookups {
  /** Waits until the read models have seen the whole log. */
  reachHead(): Promise<void>;
  /** Those of a lane, the first due first, after a place in their order. */
  waiting(of: { lane: string; after: string; limit: number }): Promise<readonly WaitingSend[]>;
  /** The lanes in which some wait, each once, in the order of their names, after a name. */
  lanes(of: { after: string }): Promise<readonly string[]>;
  /** How many of an account wait. */
  count(accountId: string): Promise<number>;
}
