import { LRUCache } from 'lru-cache';
import type { SharedWindows } from '../../projections/coordination.ts';
import { type RateLimit, type RateLimiter, rateLimitOf } from './rate-limit.ts';
import {
  type Bucket,
  createSlices,
  newBucket,
  ROUNDS_MAX,
  returnIdle,
  sliceOf,
} from './rate-limit-slices.ts';

interface SharedRateLimiterOptions {
  windows: SharedWindows;
  /** Called once for each outage of the shared counts. */
  onAlone?: (error: unknown) => void;
  /** A clock that never goes back, in milliseconds; for tests. */
  monotonicMs?: () => number;
  bucketsMax?: number;
  /** The longest wait for the shared counts, in milliseconds; for tests. */
  answerMsMax?: number;
}

export interface SharedRateLimiter extends RateLimiter {
  /** Returns the unused slices. */
  stop(): Promise<void>;
}

const TICK_MS = 250;

const stateOf = (bucket: Bucket, limit: number, now: number, allowed: boolean): RateLimit => {
  const { taken, held, used, endsAt } = bucket;
  const { resetSeconds, remaining } = rateLimitOf(
    Math.max(taken - held, used),
    limit,
    endsAt - now,
  );
  return { allowed, limit, remaining: allowed ? remaining : 0, resetSeconds };
};

/**
 * One limit over all instances without a round trip per request. Each instance takes slices of a
 * window from the shared count, 1/16 of the rest at a time, and takes the next slice before the last
 * one is used up. The slices never exceed the limit, so the allowed requests do not either; a single
 * instance can use all of it. An unused slice goes back after 1 s. During an outage of the counts
 * each instance applies the limit alone.
 */
export const createSharedRateLimiter = ({
  windows,
  bucketsMax = 100_000,
  onAlone = () => undefined,
  monotonicMs = () => performance.now(),
  answerMsMax,
}: SharedRateLimiterOptions): SharedRateLimiter => {
  const buckets = new LRUCache<string, Bucket>({ max: bucketsMax });
  const slices = createSlices({ windows, onAlone, monotonicMs, answerMsMax });

  const bucketOf = (name: string): Bucket => {
    const now = monotonicMs();
    const known = buckets.get(name);
    if (known && known.endsAt > now) return known;
    const bucket = newBucket(name, known?.window ?? 0, now);
    if (known) slices.holding.delete(known);
    buckets.set(name, bucket);
    return bucket;
  };

  const spend = (bucket: Bucket, limit: number): RateLimit => {
    const now = monotonicMs();
    bucket.held -= 1;
    bucket.used += 1;
    bucket.usedAt = now;
    const slice = sliceOf(limit - bucket.taken);
    const isLow = slice > 1 && bucket.held < slice / 2;
    if (isLow && !bucket.taking && !slices.isAlone() && now >= bucket.emptyUntil) {
      void slices.take(bucket, limit);
    }
    if (bucket.held === 0) slices.holding.delete(bucket);
    return stateOf(bucket, limit, now, true);
  };

  const countAlone = (bucket: Bucket, limit: number): RateLimit => {
    const allowed = bucket.used < limit;
    if (allowed) bucket.used += 1;
    return stateOf(bucket, limit, monotonicMs(), allowed);
  };

  const timer = setInterval(() => returnIdle(slices, monotonicMs()), TICK_MS);
  timer.unref();

  return {
    async consume(name, limit) {
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        const bucket = bucketOf(name);
        if (bucket.held > 0) return spend(bucket, limit);
        if (slices.isAlone() || slices.isBusy()) return countAlone(bucket, limit);
        const now = monotonicMs();
        if (now < bucket.emptyUntil) return stateOf(bucket, limit, now, false);
        bucket.waiting += 1;
        await (bucket.taking ?? slices.take(bucket, limit)).finally(() => {
          bucket.waiting -= 1;
        });
      }
      return stateOf(bucketOf(name), limit, monotonicMs(), false);
    },
    async peek(name, limit) {
      const bucket = bucketOf(name);
      return stateOf(bucket, limit, monotonicMs(), bucket.taken - bucket.held < limit);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all([...slices.holding].map(slices.giveBack));
    },
  };
};
