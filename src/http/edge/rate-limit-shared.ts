import { LRUCache } from 'lru-cache';
import type { SharedWindow, SharedWindows } from '../../projections/coordination.ts';
import { withTimeout } from '../../shared/timing.ts';
import { type RateLimit, type RateLimiter, rateLimitOf, WINDOW_SECONDS } from './rate-limit.ts';

export interface SharedRateLimiterOptions {
  windows: SharedWindows;
  /** Called once for each outage of the shared counts. */
  onAlone?: (error: unknown) => void;
  /** A clock that never goes back, in milliseconds; for tests. */
  monotonicMs?: () => number;
  bucketsMax?: number;
}

export interface SharedRateLimiter extends RateLimiter {
  /** Returns the unused slices. */
  stop(): Promise<void>;
}

/** A bucket's window, as this instance knows it, and its slice of it. */
interface Bucket {
  name: string;
  window: number;
  /** By the monotonic clock of this process. */
  endsAt: number;
  /** Taken by all instances, as last read; includes `held`. */
  taken: number;
  /** Left of this instance's slice. */
  held: number;
  /** Requests allowed here. */
  used: number;
  usedAt: number;
  /** Takes no slice before this time: the window was used up, or the counts did not answer. */
  emptyUntil: number;
  taking: Promise<void> | undefined;
  waiting: number;
}

const WINDOW_MS = WINDOW_SECONDS * 1000;
/** A slice is 1/16 of the rest of the window, so that idle instances hold little. */
const SLICE_PART = 16;
/** Returns a slice that is unused for so long. */
const IDLE_MS = 1_000;
const TICK_MS = 250;
/** Reads a used-up window again after this time: other instances may have returned slices. */
const EMPTY_MS = 200;
/** The longest wait for the shared counts. */
const ANSWER_MS_MAX = 250;
const ALONE_MS = 1_000;
const ROUNDS_MAX = 8;
const TAKING_MAX = 128;

const sliceOf = (left: number): number => Math.max(1, Math.floor(left / SLICE_PART));

const limited = <T>(work: Promise<T>): Promise<T> =>
  withTimeout(ANSWER_MS_MAX, work, () => {
    throw new Error(`the shared counts did not answer within ${ANSWER_MS_MAX} ms`);
  });

/**
 * One limit over all instances without a round trip per request. Each instance takes slices of a
 * window from the shared count, 1/16 of the rest at a time, and takes the next slice before the last
 * one is used up. The slices never exceed the limit, so the allowed requests do not either; a single
 * instance can use all of it. An unused slice goes back after 1 s. During an outage of the counts
 * each instance applies the limit alone.
 */
export const createSharedRateLimiter = (options: SharedRateLimiterOptions): SharedRateLimiter => {
  const { windows, bucketsMax = 100_000, onAlone = () => undefined } = options;
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const buckets = new LRUCache<string, Bucket>({ max: bucketsMax });
  const holding = new Set<Bucket>();
  const underWay = new Set<Promise<unknown>>();
  let aloneUntil = Number.NEGATIVE_INFINITY;
  let wasAlone = false;

  const fresh = (name: string, now: number): Bucket => ({
    ...{ name, window: 0, endsAt: now + WINDOW_MS, taken: 0, held: 0, used: 0, usedAt: now },
    ...{ emptyUntil: Number.NEGATIVE_INFINITY, taking: undefined, waiting: 0 },
  });

  const bucketOf = (name: string): Bucket => {
    const now = monotonicMs();
    const known = buckets.get(name);
    if (known && known.endsAt > now) return known;
    const bucket = { ...fresh(name, now), window: known?.window ?? 0 };
    if (known) holding.delete(known);
    buckets.set(name, bucket);
    return bucket;
  };

  const adopt = (bucket: Bucket, { number, taken, ageMs }: SharedWindow) => {
    const leftMs = WINDOW_MS - Math.max(0, ageMs);
    if (bucket.window !== number || bucket.taken === 0) bucket.endsAt = monotonicMs() + leftMs;
    bucket.window = number;
    bucket.taken = taken;
  };

  const receive = (bucket: Bucket, count: number) => {
    bucket.held += count;
    holding.add(bucket);
  };

  /** Takes one slice, or notes that the window is used up. */
  const takeSlice = async (bucket: Bucket, limit: number): Promise<void> => {
    let current = await windows.look(bucket.name);
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const isOver = !current || current.ageMs >= WINDOW_MS;
      const left = isOver ? limit : limit - current!.taken;
      const count = Math.min(Math.max(bucket.waiting, sliceOf(left)), left);
      if (count <= 0) break;
      const taken = isOver
        ? await windows.begin(bucket.name, current?.number ?? 0, count)
        : await windows.take(bucket.name, current!.number, count, limit);
      if (taken) {
        adopt(bucket, taken);
        return receive(bucket, count);
      }
      current = await windows.look(bucket.name);
    }
    if (current) adopt(bucket, current);
    bucket.emptyUntil = monotonicMs() + EMPTY_MS;
  };

  const isAlone = (): boolean => monotonicMs() < aloneUntil;

  const take = (bucket: Bucket, limit: number): Promise<void> => {
    const taking = takeSlice(bucket, limit);
    underWay.add(taking);
    taking.catch(() => undefined).finally(() => underWay.delete(taking));
    bucket.taking = limited(taking)
      .then(() => {
        wasAlone = false;
      })
      .catch((error) => {
        aloneUntil = monotonicMs() + ALONE_MS;
        if (!wasAlone) onAlone(error);
        wasAlone = true;
      })
      .finally(() => {
        bucket.taking = undefined;
      });
    return bucket.taking;
  };

  const standing = ({ taken, held, used, endsAt }: Bucket, limit: number, allowed: boolean) => {
    const gone = Math.max(taken - held, used);
    const { resetSeconds, remaining } = rateLimitOf(gone, limit, endsAt - monotonicMs());
    return { allowed, limit, remaining: allowed ? remaining : 0, resetSeconds };
  };

  const giveOut = (bucket: Bucket, limit: number): RateLimit => {
    bucket.held -= 1;
    bucket.used += 1;
    bucket.usedAt = monotonicMs();
    const slice = sliceOf(limit - bucket.taken);
    const isLow = slice > 1 && bucket.held < slice / 2;
    if (isLow && !bucket.taking && !isAlone() && monotonicMs() >= bucket.emptyUntil) {
      void take(bucket, limit);
    }
    if (bucket.held === 0) holding.delete(bucket);
    return standing(bucket, limit, true);
  };

  const alone = (bucket: Bucket, limit: number): RateLimit => {
    const allowed = bucket.used < limit;
    if (allowed) bucket.used += 1;
    return standing(bucket, limit, allowed);
  };

  const giveBack = async (bucket: Bucket): Promise<void> => {
    const { name, window, held } = bucket;
    bucket.held = 0;
    bucket.taken -= held;
    holding.delete(bucket);
    await windows.giveBack(name, window, held).catch(() => undefined);
  };

  const timer = setInterval(() => {
    const now = monotonicMs();
    for (const bucket of holding) {
      if (bucket.endsAt <= now) holding.delete(bucket);
      else if (now - bucket.usedAt >= IDLE_MS && !bucket.taking && !isAlone())
        void giveBack(bucket);
    }
  }, TICK_MS);
  timer.unref();

  return {
    async consume(name, limit) {
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        const bucket = bucketOf(name);
        if (bucket.held > 0) return giveOut(bucket, limit);
        if (isAlone() || underWay.size >= TAKING_MAX) return alone(bucket, limit);
        if (monotonicMs() < bucket.emptyUntil) return standing(bucket, limit, false);
        bucket.waiting += 1;
        await (bucket.taking ?? take(bucket, limit)).finally(() => {
          bucket.waiting -= 1;
        });
      }
      return standing(bucketOf(name), limit, false);
    },
    async peek(name, limit) {
      const bucket = bucketOf(name);
      return standing(bucket, limit, bucket.taken - bucket.held < limit);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all([...holding].map(giveBack));
    },
  };
};
