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
  release(bucket: string, window: number, count: number): Promise<void>;
}

/** Which processes are there, and which of them does which unit of work. */
export interface Shares {
  /** Names of processes, sorted. */
  holders: readonly string[];
  /** The holder of each unit that has a holder who is there. */
  held: ReadonlyMap<string, string>;
}

/**
 * Leases of processes. One that others have ended can't be renewed, so that all agree on its end.
 * Throws ViewsUnavailable.
 */
export interface ProcessLeases {
  /** Begins a lease under an id that was never used before. */
  begin(id: string): Promise<void>;
  /** False when the lease has been ended. */
  renew(id: string): Promise<boolean>;
  /**
   * Ends leases that this process has seen without a renewal for `ttlMs`. For how long it has known
   * each lease as ended, in milliseconds; ids that are not there may be held.
   */
  endSilent(ttlMs: number): Promise<ReadonlyMap<string, number>>;
}

/** The agreements of the instances of one service, beside the log. Throws ViewsUnavailable. */
export interface Coordination {
  /** Who is there, and who does what, as far as this process knows. Changes nothing. */
  look(ttlMs: number): Promise<Shares>;
  /** Says that the holder is there for `ttlMs` milliseconds more. Looks after that. */
  renew(holder: string, ttlMs: number): Promise<Shares>;
  /** Takes a unit that had no holder at the last look. False when another process was first. */
  take(unit: string, holder: string): Promise<boolean>;
  /** Changes nothing when another process has the unit. */
  release(unit: string, holder: string): Promise<void>;
  /** Gives back all units of the holder, who is no longer there. */
  leave(holder: string): Promise<void>;
  /** Absent where one process serves alone and counts in its own memory. */
  readonly windows?: SharedWindows;
  /** Absent where one process serves alone: an earlier one has ended. */
  readonly processes?: ProcessLeases;
}

/** For a process that serves alone: grants every unit. */
export const createAlone = (): Coordination => {
  const held = new Map<string, string>();
  let holders: readonly string[] = [];
  const look = async () => ({ holders, held: new Map(held) });
  return {
    look,
    async renew(holder) {
      holders = [holder];
      return look();
    },
    async take(unit, holder) {
      held.set(unit, holder);
      return true;
    },
    release: async (unit) => void held.delete(unit),
    async leave() {
      holders = [];
      held.clear();
    },
  };
};
