import { AppError } from '../../shared/errors.ts';
import { createGrowingCache } from '../../shared/growing-cache.ts';
import type { EdgeContext } from './request.ts';

/** Length of a window, in seconds. */
export const WINDOW_SECONDS = 60;

/** Requests without a valid credential that one address may make in a window. */
export const ADDRESS_LIMIT = 120;

/** The state of a bucket. */
export interface RateLimit {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window resets. */
  resetSeconds: number;
}

/**
 * Counts requests in fixed windows of 60 seconds, which begin with a bucket's first request.
 * Of any number of parallel requests exactly `limit` are allowed. Never rejects: an adapter
 * without its store counts alone meanwhile.
 */
export interface RateLimiter {
  consume(bucket: string, limit: number): Promise<RateLimit>;
  /** The state of the bucket, without counting. */
  peek(bucket: string, limit: number): Promise<RateLimit>;
}

export const rateLimitOf = (count: number, limit: number, resetMs: number): RateLimit => ({
  allowed: count <= limit,
  limit,
  remaining: Math.max(0, limit - count),
  resetSeconds: Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(resetMs / 1000))),
});

/** Contract 4.1. The headers stay when a later step fails. */
export const showRateLimit = (
  ctx: EdgeContext,
  { limit, remaining, resetSeconds }: RateLimit,
): void => {
  ctx.set({
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  });
};

export const rateLimited = ({ resetSeconds }: RateLimit): AppError =>
  new AppError('key.rate_limited', `Too many requests; try again in ${resetSeconds} seconds`, {
    retryAfterSeconds: resetSeconds,
  });

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

/** Bounds the concurrent requests of one holder, such as a key or an account, and of all holders. */
export interface InFlight {
  /** Counts a request, and returns the function that ends it. Throws `service.busy` at the bound. */
  enter(holder: string): () => void;
}

/** Idle holders that stay in the map, because V8 copies a map that empties and fills again. */
const RESTING_MAX = 1000;

const busy = (message: string) => new AppError('service.busy', message, { retryAfterSeconds: 1 });

export const createInFlight = (
  perHolderMax: number,
  totalMax = Number.POSITIVE_INFINITY,
  refusal = 'Too many requests of this key are in progress',
): InFlight => {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    enter(holder) {
      const count = counts.get(holder) ?? 0;
      if (count >= perHolderMax) throw busy(refusal);
      if (total >= totalMax) throw busy('Too many requests of this kind are in progress');
      counts.set(holder, count + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = counts.get(holder)! - 1;
        if (left === 0 && counts.size > RESTING_MAX) counts.delete(holder);
        else counts.set(holder, left);
      };
    },
  };
};
