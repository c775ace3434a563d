import { Silence } from './liveness-monitor.ts';

/**
 * A circuit breaker. After FAILURES_MAX failures in a row, or a silence, it admits one append at a
 * time as a trial and refuses the others at once, instead of letting each wait for its time limit.
 */
export interface Breaker {
  /** Whether to append now. After true, the caller must call `report`. */
  admits(): boolean;
  report(failure: Error | undefined): void;
  /** The last failure; undefined after a success. */
  failure(): Error | undefined;
}

const FAILURES_MAX = 3;

export const createBreaker = (): Breaker => {
  let failures = 0;
  let failure: Error | undefined;
  let trying = false;

  return {
    admits: () => {
      if (failures < FAILURES_MAX) return true;
      if (trying) return false;
      trying = true;
      return true;
    },
    report: (error) => {
      trying = false;
      failure = error;
      if (!error) failures = 0;
      else failures = error instanceof Silence ? FAILURES_MAX : failures + 1;
    },
    failure: () => failure,
  };
};
