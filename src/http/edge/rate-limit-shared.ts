import { LRUCache } from 'lru-cache';
import type { SharedWindow, SharedWindows } from '../../projections/coordination.ts';
import { withTimeout } from '../../shared/timing.ts';
import { type RateLimit, type RateLimiter, rateLimitOf, WINDOW_SECONDS } from './limits.ts';

/** A bucket's window, as this instance knows it, and its slice of it. */
export interface Bucket {
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
/** Returns a slice after this time without use. */
const IDLE_MS = 1_000;
/** Reads a used-up window again after this time: other instances may have returned slices. */
const EMPTY_MS = 200;
/** The longest wait for the shared counts. */
const ANSWER_MS_MAX = 250;
const ALONE_MS = 1_000;
const ROUNDS_MAX = 8;
const TAKING_MAX = 128;

const sliceOf = (left: number): number => Math.max(1, Math.floor(left / SLICE_PART));

const within = <T>(limitMs: number, work: Promise<T>): Promise<T> =>
  withTimeout(limitMs, work, () => {
    throw new Error(`the shared counts did not answer within ${limitMs} ms`);
  });

export const newBucket = (name: string, window: number, now: number): Bucket => ({
  name,
  window,
  endsAt: now + WINDOW_MS,
  taken: 0,
  held: 0,
  used: 0,
  usedAt: now,
  emptyUntil: Number.NEGATIVE_INFINITY,
  taking: undefined,
  waiting: 0,
});

const adopt = (bucket: Bucket, { number, taken, ageMs }: SharedWindow, now: number): void => {
  const leftMs = WINDOW_MS - Math.max(0, ageMs);
  if (bucket.window !== number || bucket.taken === 0) bucket.endsAt = now + leftMs;
  bucket.window = number;
  bucket.taken = taken;
};

interface SlicesOptions {
  windows: SharedWindows;
  onAlone: (error: unknown) => void;
  monotonicMs: () => number;
  answerMsMax?: number | undefined;
}

/** The slices of this instance: takes them from the shared counts and gives them back. */
const createSlices = (options: SlicesOptions) => {
  const { windows, onAlone, monotonicMs, answerMsMax = ANSWER_MS_MAX } = options;
  /** Buckets with a slice. */
  const holding = new Set<Bucket>();
  const underWay = new Set<Promise<unknown>>();
  let aloneUntil = Number.NEGATIVE_INFINITY;
  let wasAlone = false;

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
        adopt(bucket, taken, monotonicMs());
        bucket.held += count;
        holding.add(bucket);
        return;
      }
      current = await windows.look(bucket.name);
    }
    if (current) adopt(bucket, current, monotonicMs());
    bucket.emptyUntil = monotonicMs() + EMPTY_MS;
  };

  return {
    holding,
    /** True during an outage of the shared counts: for 1 s after each failure. */
    isAlone: () => monotonicMs() < aloneUntil,
    isBusy: () => underWay.size >= TAKING_MAX,
    take(bucket: Bucket, limit: number): Promise<void> {
      const taking = takeSlice(bucket, limit);
      underWay.add(taking);
      taking.catch(() => undefined).finally(() => underWay.delete(taking));
      bucket.taking = within(answerMsMax, taking)
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
    },
    async release(bucket: Bucket): Promise<void> {
      const { name, window, held } = bucket;
      bucket.held = 0;
      bucket.taken -= held;
      holding.delete(bucket);
      await windows.release(name, window, held).catch(() => undefined);
    },
  };
};
type Slices = ReturnType<typeof createSlices>;

const returnIdle = ({ holding, isAlone, release }: Slices, now: number): void => {
  for (const bucket of holding) {
    if (bucket.endsAt <= now) holding.delete(bucket);
    else if (now - bucket.usedAt >= IDLE_MS && !bucket.taking && !isAlone()) void release(bucket);
  }
};

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
      await Promise.all([...slices.holding].map(slices.release));
    },
  };
};
