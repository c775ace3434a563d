/** A run cannot go on: its graph is broken there, or a bound is met. Ends it, not the process. */
export class RunStop extends Error {
  readonly reason: 'failed' | 'bounds';
  constructor(reason: 'failed' | 'bounds', message: string) {
    super(message);
    this.name = 'RunStop';
    this.reason = reason;
  }
}

/** The CPU time that a run may still use. One unit is some tens of nanoseconds. */
export interface Budget {
  /** Throws RunStop when less than this is left. */
  spend(units: number): void;
}

/** Units for one turn of a run: a few tens of milliseconds at worst. */
export const TURN_BUDGET_MAX = 1_000_000;

/**
 * Counts the units spent, so that no bot delays the others by patterns or long texts. Units of a part,
 * such as a turn, count in the whole too.
 */
export const createBudget = (max = TURN_BUDGET_MAX, whole?: Budget): Budget => {
  let left = max;
  return {
    spend(units) {
      whole?.spend(units);
      left -= units;
      if (left < 0) throw new RunStop('bounds', 'the bot computes too much');
    },
  };
};
