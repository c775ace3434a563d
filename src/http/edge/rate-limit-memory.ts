import { createGrowingCache } from '../../shared/growing-cache.ts';
import { type RateLimiter, rateLimitOf, WINDOW_SECONDS } from './rate-limit.ts';

interface MemoryRateLimiterOptions {
  /** Above this number of buckets the limiter drops the least recently used one. */
  bucketsMax?: number;
  /** A clock that never goes back, in milliseconds; for tests. */
  monotonicMs?: () => number;
}

/**
 * Windows of this process, timed by the monotonic clock, so that a jump of the wall clock changes
 * no limit.
 */
export const createMemoryRateLimiter = ({
  bucketsMax = 100_000,
  monotonicMs = () => performance.now(),
}: MemoryRateLimiterOptions = {}): RateLimiter => {
  const windowMs = WINDOW_SECONDS * 1000;
  const windows = createGrowingCache<string, { count: number; endsAt: number }>(bucketsMax);
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
      return rateLimitOf(window.count, limit, window.endsAt - now);
    },
    async peek(bucket, limit) {
      const now = monotonicMs();
      const { count, endsAt } = current(bucket, now);
      return rateLimitOf(count, limit, endsAt - now);
    },
  };
};
