import { AppError } from '../../shared/errors.ts';
import { createGrowingCache } from '../../shared/growing-cache.ts';
import type { EdgeContext } from './context.ts';

/** Length of a window, in seconds. */
export const WINDOW_SECONDS = 60;

/** Requests without a valid credential that one address may make in a window. */
export const ADDRESS_LIMIT = 120;

/** Requests of a session of the console in a window: a page asks for several things. */
export const SESSION_LIMIT = 600;

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
  { state: { headers } }: EdgeContext,
  { limit, remaining, resetSeconds }: RateLimit,
): void => {
  headers['RateLimit-Limit'] = String(limit);
  headers['RateLimit-Remaining'] = String(remaining);
  headers['RateLimit-Reset'] = String(resetSeconds);
};

export const rateLimited = ({ resetSeconds }: RateLimit): AppError =>
  new AppError(
    'key.rate_limited',
    `Too many requests; try again in ${resetSeconds} ${resetSeconds === 1 ? 'second' : 'seconds'}`,
    { retryAfterSeconds: resetSeconds },
  );

interface MemoryRateLimiterOptions {
  /** Above this number of buckets the limiter drops the least recently used one. */
  bucketsMax?: number;
  /** A clock that never goes back, in milliseconds; for tests. */
  monotonicMs?: () => number;
}

/**
 * Windows of this process, timed by the monotonic clock, so that a jump of the wall clock changes
 * no limit. Those of `rate-limiter-flexible` follow the wall clock, have a timer each and no bound; its
 * limiter for MongoDB asks the store at each request.
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

/** Counts the bytes of one body or response while memory holds them. */
interface ByteShare {
  /** Counts further bytes. May cut this holder or others. */
  take(bytes: number): void;
  /** Ends the count. */
  close(): void;
}

/** Bounds the bytes that all callers together make the service hold. */
export interface ByteBudget {
  /** Calls `cut` after closing the share, when this holder must make room for others. */
  open(owner: string, cut: () => void): ByteShare;
  heldBytes(): number;
}

interface Holder {
  bytes: number;
  cut: () => void;
}

interface Owner {
  bytes: number;
  /** The oldest first. */
  holders: Set<Holder>;
}

/**
 * Without room, the owner with the most bytes loses its oldest holder. An owner that fills the
 * budget therefore locks no other owner out, and short holders survive even beside a heavy owner's.
 */
export const createByteBudget = (bytesMax: number): ByteBudget => {
  const owners = new Map<string, Owner>();
  let held = 0;

  const drop = (name: string, holder: Holder): void => {
    const owner = owners.get(name);
    if (!owner?.holders.delete(holder)) return;
    owner.bytes -= holder.bytes;
    held -= holder.bytes;
    if (owner.holders.size === 0) owners.delete(name);
  };

  const makeRoom = (): void => {
    let heaviest: [string, Owner] | undefined;
    for (const entry of owners) {
      if (!heaviest || entry[1].bytes > heaviest[1].bytes) heaviest = entry;
    }
    const [name, { holders }] = heaviest!;
    const [oldest] = holders;
    drop(name, oldest!);
    oldest!.cut();
  };

  return {
    open(name, cut) {
      const owner = owners.get(name) ?? { bytes: 0, holders: new Set() };
      owners.set(name, owner);
      const holder: Holder = { bytes: 0, cut };
      owner.holders.add(holder);
      return {
        take(bytes) {
          if (!owner.holders.has(holder)) return;
          holder.bytes += bytes;
          owner.bytes += bytes;
          held += bytes;
          while (held > bytesMax) makeRoom();
        },
        close: () => drop(name, holder),
      };
    },
    heldBytes: () => held,
  };
};

/** Bounds the bytes per second of all its callers: returns the pause after these bytes, in ms. */
export type BytePace = (bytes: number) => number;

export const createBytePace = (
  bytesPerSecond: number,
  monotonicMs: () => number = () => performance.now(),
): BytePace => {
  let freeAt = 0;
  return (bytes) => {
    const now = monotonicMs();
    freeAt = Math.max(freeAt, now) + (bytes / bytesPerSecond) * 1000;
    return freeAt - now;
  };
};

/** How long the service still waits for a caller. */
export interface Patience {
  /** Begins a wait. */
  start(): void;
  /** Ends the wait; a wait that has not begun is none. */
  stop(): void;
  /** The caller sent bytes, which earn further time. */
  earn(bytes: number): void;
}

/** A caller who sends no faster than this runs out of time. */
const BYTES_PER_MS_MIN = 16;

/**
 * Bounds the silence of a caller and its average speed: the service waits `graceMs` in all, plus
 * 1 s for each 16 kB that arrived, and never more than `graceMs` at once. Time in which the service
 * does not want to read is not counted.
 */
export const createPatience = (
  graceMs: number,
  onOut: () => void,
  monotonicMs: () => number = () => performance.now(),
): Patience => {
  let leftMs = graceMs;
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const spend = (): void => {
    if (since === undefined) return;
    const now = monotonicMs();
    leftMs -= now - since;
    since = now;
  };
  const set = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onOut, Math.max(0, leftMs));
  };
  return {
    start() {
      if (since !== undefined) return;
      since = monotonicMs();
      set();
    },
    stop() {
      spend();
      since = undefined;
      clearTimeout(timer);
    },
    earn(bytes) {
      spend();
      leftMs = Math.min(graceMs, leftMs + bytes / BYTES_PER_MS_MIN);
      if (since !== undefined) set();
    },
  };
};
