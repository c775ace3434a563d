import type { Clock } from '../../shared/clock.ts';
import { createSemaphore } from '../../shared/concurrency.ts';
import type { Slot } from '../provider.ts';

/**
 * A token bucket as two numbers: the time in ms at which the next token is due, and by how many ms
 * saved tokens let a caller start before that.
 */
export interface Bucket {
  dueAt: number;
  savedMs: number;
}

export const newBucket = (): Bucket => ({ dueAt: 0, savedMs: 0 });

/**
 * Takes a token from a bucket that holds and refills `perSecond` tokens. Returns the time from which
 * it may be used; takes none and returns null when that would be later than `latestAt`. `left` is the share
 * of the saved tokens that it leaves to others.
 */
export const takeToken = (
  bucket: Bucket,
  perSecond: number,
  now: number,
  latestAt: number,
  left = 0,
): number | null => {
  const intervalMs = 1000 / perSecond;
  bucket.savedMs = 1000 - intervalMs;
  const dueAt = Math.max(bucket.dueAt, now);
  const startAt = Math.max(now, dueAt - bucket.savedMs * (1 - left));
  if (startAt > latestAt) return null;
  bucket.dueAt = dueAt + intervalMs;
  return startAt;
};

/** Returns an unused token to the bucket. */
const returnToken = (bucket: Bucket, perSecond: number): void => {
  bucket.dueAt -= 1000 / perSecond;
};

/** Empties the bucket: tokens taken from now on are usable from `until` on. */
export const holdBack = (bucket: Bucket, until: number): void => {
  bucket.dueAt = Math.max(bucket.dueAt, until + bucket.savedMs);
};

/** What callers of a rank above 0 leave, so that the sends of now do not wait behind them. */
const LEFT = 0.25;
const leftBy = (rank: number): number => (rank === 0 ? 0 : LEFT);

interface Waiting {
  perSecond: number;
  rank: number;
  latestAt: number;
  settle: (taken: boolean) => void;
}

interface SlotQueue {
  /**
   * Takes a token of the bucket once it may be used. False when `latestAt` passes or the signal fires
   * before. The queue serves one caller at a time: however many wait, it takes at most one token ahead
   * of time, and senders who do not queue find the bucket as if one caller waited. Callers of a rank above 0
   * leave them a quarter of the saved tokens.
   */
  take(
    perSecond: number,
    latestAt: number,
    signal: AbortSignal,
    rank?: number,
  ): boolean | Promise<boolean>;
  /** Hands an unused token to the next waiting caller, or back to the bucket. */
  release(perSecond: number): void;
  size(): number;
}

/**
 * Serves callers that can wait long for the tokens of one bucket: those of a lower rank first, of one rank
 * the first that came.
 */
export const createSlotQueue = (bucket: Bucket, clock: Clock): SlotQueue => {
  const waiting: Waiting[] = [];
  let serving = false;

  const serve = async () => {
    serving = true;
    for (let next = waiting[0]; next; next = waiting[0]) {
      const { perSecond, latestAt, rank } = next;
      const startAt = takeToken(bucket, perSecond, clock.now(), latestAt, leftBy(rank));
      if (startAt === null) {
        next.settle(false);
        continue;
      }
      const pauseMs = startAt - clock.now();
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      // The caller may have left meanwhile: then the next in line gets the token.
      if (waiting[0]) waiting[0].settle(true);
      else returnToken(bucket, perSecond);
    }
    serving = false;
  };

  const wait = (perSecond: number, latestAt: number, signal: AbortSignal, rank: number) =>
    new Promise<boolean>((resolve) => {
      const settle = (taken: boolean) => {
        const place = waiting.indexOf(entry);
        if (place < 0) return;
        waiting.splice(place, 1);
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        resolve(taken);
      };
      const giveUp = () => settle(false);
      const entry: Waiting = { perSecond, rank, latestAt, settle };
      const timer = setTimeout(giveUp, Math.max(0, latestAt - clock.now()));
      signal.addEventListener('abort', giveUp);
      const behind = waiting.findLastIndex((other) => other.rank <= rank);
      waiting.splice(behind + 1, 0, entry);
      if (!serving) void serve();
    });

  return {
    take(perSecond, latestAt, signal, rank = 0) {
      if (signal.aborted) return false;
      const now = clock.now();
      const isFirst = !waiting[0] || waiting[0].rank > rank;
      const isFree = isFirst && takeToken(bucket, perSecond, now, now, leftBy(rank)) !== null;
      return isFree || wait(perSecond, latestAt, signal, rank);
    },
    release(perSecond) {
      if (waiting[0]) waiting[0].settle(true);
      else returnToken(bucket, perSecond);
    },
    size: () => waiting.length,
  };
};

/** One number may hold twice as many connections as it leaves free for the others. */
const SHARE = 2;

/** The token bucket, the waiting callers and the back-off of one number. */
interface ThrottledNumber {
  bucket: Bucket;
  slots: SlotQueue;
  /** Strained answers in a row: each doubles the back-off. */
  strikes: number;
  backedOffAt: number;
}

const slotOf = (key: string, release: () => void): Slot => {
  let open = true;
  const close = () => {
    const wasOpen = open;
    open = false;
    return wasOpen;
  };
  return {
    key,
    use: close,
    release() {
      if (close()) release();
    },
  };
};

export interface NumberThrottle {
  /**
   * Waits for a token of the number and for a connection. False when it cannot have both before
   * `latestAt`. After true the caller must call `leave` once.
   */
  enter(
    key: string,
    perSecond: number,
    latestAt: number,
    slot?: Slot | undefined,
  ): boolean | Promise<boolean>;
  /**
   * Waits for a token alone, ahead of the call. Undefined when `latestAt` passes or the signal fires
   * before. However many callers wait here, they take at most one token ahead of those of `enter`.
   */
  takeSlot(
    key: string,
    perSecond: number,
    latestAt: number,
    signal: AbortSignal,
    rank?: number,
  ): Promise<Slot | undefined>;
  /** `strained`: the provider throttled this number's call or failed with a status from 500 on. */
  leave(key: string, outcome: { enteredAt: number; strained: boolean }): void;
}

const NUMBERS_MAX = 10_000;
const WAITING_MAX = 10_000;
const STRIKES_MAX = 5;
const BACK_OFF_MS = 50;
const BACK_OFF_MAX_MS = 1000;

/** Bounded: a new number takes the place of an idle one, which `isIdle` says of its connections. */
const createNumbers = (clock: Clock, isIdle: (key: string) => boolean) => {
  const numbers = new Map<string, ThrottledNumber>();

  /** Undefined when the map is full and every number in it is in use. */
  const findOrCreate = (key: string): ThrottledNumber | undefined => {
    const known = numbers.get(key);
    if (known) return known;
    if (numbers.size >= NUMBERS_MAX) {
      const idle = numbers.entries().find(([one, { bucket, slots }]) => {
        return isIdle(one) && slots.size() === 0 && bucket.dueAt <= clock.now();
      });
      if (!idle) return undefined;
      numbers.delete(idle[0]);
    }
    const bucket = newBucket();
    const slots = createSlotQueue(bucket, clock);
    const number = { bucket, slots, strikes: 0, backedOffAt: 0 };
    numbers.set(key, number);
    return number;
  };

  return { findOrCreate, find: (key: string) => numbers.get(key) };
};

/**
 * Keeps numbers from affecting each other. Each has its own token bucket and its own back-off. They
 * share the connections fairly: however many calls hang, some connections stay free.
 */
export const createNumberThrottle = (options: {
  connections: number;
  clock: Clock;
  random: () => number;
}): NumberThrottle => {
  const { clock, random } = options;
  const connections = createSemaphore(options.connections, SHARE);
  const numbers = createNumbers(clock, connections.isIdle);
  let waiting = 0;

  const wait = async (key: string, startAt: number, latestAt: number): Promise<boolean> => {
    waiting += 1;
    try {
      const pauseMs = startAt - clock.now();
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (connections.take(key)) return true;
      return await connections.wait(key, Math.max(0, latestAt - clock.now()));
    } finally {
      waiting -= 1;
    }
  };

  const backOff = (number: ThrottledNumber) => {
    number.strikes = Math.min(number.strikes + 1, STRIKES_MAX);
    number.backedOffAt = clock.now();
    const pauseMs = Math.min(BACK_OFF_MS * 2 ** number.strikes, BACK_OFF_MAX_MS);
    holdBack(number.bucket, number.backedOffAt + pauseMs * (0.5 + random() / 2));
  };

  return {
    enter(key, perSecond, latestAt, slot) {
      const number = waiting < WAITING_MAX ? numbers.findOrCreate(key) : undefined;
      if (!number) return false;
      const now = clock.now();
      const startAt =
        slot?.key === key && slot.use() ? now : takeToken(number.bucket, perSecond, now, latestAt);
      if (startAt === null) return false;
      if (startAt <= now && connections.take(key)) return true;
      return wait(key, startAt, latestAt);
    },
    async takeSlot(key, perSecond, latestAt, signal, rank) {
      const number = waiting < WAITING_MAX ? numbers.findOrCreate(key) : undefined;
      if (!number) return undefined;
      waiting += 1;
      try {
        const taken = await number.slots.take(perSecond, latestAt, signal, rank);
        return taken ? slotOf(key, () => number.slots.release(perSecond)) : undefined;
      } finally {
        waiting -= 1;
      }
    },
    leave(key, { enteredAt, strained }) {
      connections.release(key);
      const number = numbers.find(key);
      if (!number) return;
      if (!strained) number.strikes = 0;
      // Several calls that ran at the same time count as one strike.
      else if (enteredAt >= number.backedOffAt) backOff(number);
    },
  };
};
