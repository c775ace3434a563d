/** The state of a bucket's window. */
export interface SharedWindow {
  /** Counts the windows of a bucket. */
  number: number;
  /** Requests taken so far, by all instances. */
  taken: number;
  /** Milliseconds since it began, by the clock of the shared server. */
  ageMs: number;
}

/**
 * Counts of windows that all instances share. A call that answers undefined has changed nothing:
 * another instance was first, or too little was left. Throws ViewsUnavailable.
 */
export interface SharedWindows {
  look(bucket: string): Promise<SharedWindow | undefined>;
  /** Takes so many from a window, if no more than `limit` are taken then. */
  take(
    bucket: string,
    window: number,
    count: number,
    limit: number,
  ): Promise<SharedWindow | undefined>;
  /** Begins the window after this one (0: the first of all), with so many taken. */
  begin(bucket: string, after: number, count: number): Promise<SharedWindow | undefined>;
  giveBack(bucket: string, window: number, count: number): Promise<void>;
}

/** What the instances of one service agree on, beside the log. */
export interface Coordination {
  /**
   * True while this work is the holder's to do: no other holder has it, or the holder has asked
   * again before `ttlMs` milliseconds were over. A time of 0 gives the lease back.
   */
  takeLease(name: string, holder: string, ttlMs: number): Promise<boolean>;
  /** Absent where one process serves alone and counts in its own memory. */
  readonly windows?: SharedWindows;
}

/** For a process that serves alone: it has every lease that it asks for. */
export const alone: Coordination = {
  takeLease: async (_name, _holder, ttlMs) => ttlMs > 0,
};
