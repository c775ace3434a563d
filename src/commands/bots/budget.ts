import { RunStop } from './stop.ts';

/** What a run may still spend of the processor. One unit is some tens of nanoseconds. */
export interface Budget {
  /** Throws RunStop when there is not so much left. */
  spend(units: number): void;
}

/** For one turn of a run: a few tens of milliseconds at the very worst. */
export const TURN_BUDGET_MAX = 1_000_000;

/** Counts what is spent, so that no bot holds up the others: not by patterns, not by long texts. */
export const createBudget = (max = TURN_BUDGET_MAX): Budget => {
  let left = max;
  return {
    spend(units) {
      left -= units;
      if (left < 0) throw new RunStop('bounds', 'the bot computes too much');
    },
  };
};
