import type { Clock, Ids } from '../../src/shared/clock.ts';
import { NOW } from './samples.ts';

/** A clock that stands still until it is moved. */
export const fixedClock = (start = NOW): Clock & { advance(milliseconds: number): void } => {
  let now = start;
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  };
};

/** Ids that count upwards, the same in every run. */
export const countedIds = (): Ids => {
  let count = 0;
  return {
    uuid() {
      count += 1;
      return `00000000-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;
    },
    secret(length) {
      count += 1;
      return count.toString(36).padStart(length, '0').slice(-length);
    },
  };
};
