import { RunStop } from './stop.ts';

/** What a run may still spend of the processor. One unit is some tens of nanoseconds. */
export interface Work {
  /** Throws RunStop when there is not so much left. */
  spend(units: number): void;
}

/** For one turn of a run: a few tens of milliseconds at the very worst. */
export const TURN_WORK_MAX = 1_000_000;

/** Counts what is spent, so that no bot holds up the others: not by patterns, not by long texts. */
export const createWork = (max = TURN_WORK_MAX): Work => {
  let left = max;
  return {
    spend(units) {
      left -= units;
      if (left < 0) throw new RunStop('bounds', 'the bot computes too much');
    },
  };
};
