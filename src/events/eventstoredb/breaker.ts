import { Silence } from './liveness-monitor.ts';

/**
 * While the log cannot be reached each append would wait its whole time to learn that. After
 * some failures in a row, or a silence, only one at a time is let through to try; the others are
 * refused at once.
 */
export interface Breaker {
  /** Whether to try. Whoever was let through reports back. */
  admits(): boolean;
  report(failure: Error | undefined): void;
  /** The last failure, until something goes well again. */
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
