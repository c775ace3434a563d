/** The state of a bucket's window. */
export interface SharedWindow {
  /** Counts the windows of a bucket. */
  number: number;
  /** Requests taken so far, by all instances. */
  taken: number;
  /** Milliseconds since its beginning, by the clock of the shared server. */
  ageMs: number;
}

/**
 * Counts of windows that all instances share. A call that returns undefined has changed nothing:
 * another instance was first, or too few requests were left. Throws ViewsUnavailable.
 */
export interface SharedWindows {
  look(bucket: string): Promise<SharedWindow | undefined>;
  /** Takes `count` requests from a window, up to `limit` in all. */
  take(
    bucket: string,
    window: number,
    count: number,
    limit: number,
  ): Promise<SharedWindow | undefined>;
  /** Begins the window after number `after` (0 for the first window), with `count` taken. */
  begin(bucket: string, after: number, count: number): Promise<SharedWindow | undefined>;
  giveBack(bucket: string, window: number, count: number): Promise<void>;
}

/** The agreements of the instances of one service, beside the log. */
export interface Coordination {
  /**
   * True while the holder has the lease. The holder keeps it by asking again within `ttlMs`
   * milliseconds. A time of 0 gives the lease back.
   */
  takeLease(name: string, holder: string, ttlMs: number): Promise<boolean>;
  /** Absent where one process serves alone and counts in its own memory. */
  readonly windows?: SharedWindows;
}

/** For a process that serves alone: grants every lease. */
export const alone: Coordination = {
  takeLease: async (_name, _holder, ttlMs) => ttlMs > 0,
};
