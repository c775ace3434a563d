import { AppError } from '../../shared/errors.ts';
import type { EdgeContext } from './context.ts';

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
