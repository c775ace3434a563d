/** Where a window of a bucket stands. */
export interface SharedWindow {
  /** Counts the windows of a bucket. */
  number: number;
  /** What was taken of it so far, by all. */
  taken: number;
  /** How long ago it began, by a clock that all share. */
  ageMs: number;
}

/**
 * Counts of windows that all instances share. What answers undefined has changed nothing: somebody
 * else was first, or there was not enough left. Throws ViewsUnavailable.
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
