import { LRUCache } from 'lru-cache';
import { type RateLimiter, standingOf, WINDOW_SECONDS } from './rate-limit.ts';

export interface MemoryRateLimiterOptions {
  /** Past this many live buckets the least recently used one is forgotten. */
  bucketsMax?: number;
  /** A clock that never goes back, in milliseconds; for tests. */
  monotonicMs?: () => number;
}

/**
 * Windows of this process. They are timed by the monotonic clock, so that a jump of the wall
 * clock neither lifts a limit nor prolongs it.
 */
export const createMemoryRateLimiter = ({
  bucketsMax = 100_000,
  monotonicMs = () => performance.now(),
}: MemoryRateLimiterOptions = {}): RateLimiter => {
  const windowMs = WINDOW_SECONDS * 1000;
  // Bounded by size and not by `max`, for which the library would set aside all the room at once.
  const windows = new LRUCache<string, { count: number; endsAt: number }>({
    maxSize: bucketsMax,
    sizeCalculation: () => 1,
  });
  const current = (bucket: string, now: number) => {
    const window = windows.get(bucket);
    return window && window.endsAt > now ? window : { count: 0, endsAt: now + windowMs };
  };
  return {
    async consume(bucket, limit) {
      const now = monotonicMs();
      const window = current(bucket, now);
      window.count += 1;
      if (window.count === 1) windows.set(bucket, window);
      return standingOf(window.count, limit, window.endsAt - now);
    },
    async peek(bucket, limit) {
      const now = monotonicMs();
      const { count, endsAt } = current(bucket, now);
      return standingOf(count, limit, endsAt - now);
    },
  };
};
