import type { Clock } from '../../shared/clock.ts';
import { createFairPool, type Holder } from '../../shared/fair-pool.ts';
import type { Slot } from '../provider.ts';
import { createSlotQueue, type SlotQueue } from './slot-queue.ts';
import { type Bucket, holdBack, newBucket, takeToken } from './token-bucket.ts';

/** One number may hold twice as many connections as it leaves free for the others. */
const POOL_SHARE = 2;

/** The token bucket, the waiting callers and the back-off of one number. */
interface ThrottledNumber extends Holder {
  bucket: Bucket;
  slots: SlotQueue;
  /** Strained answers in a row: each doubles the back-off. */
  strikes: number;
  backedOffAt: number;
}

const slotOf = (key: string, giveBack: () => void): Slot => {
  let open = true;
  const close = () => {
    const wasOpen = open;
    open = false;
    return wasOpen;
  };
  return {
    key,
    use: close,
    giveBack() {
      if (close()) giveBack();
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
  ): Promise<Slot | undefined>;
  /** `strained`: the provider throttled this number's call or failed with a status from 500 on. */
  leave(key: string, outcome: { enteredAt: number; strained: boolean }): void;
}

const NUMBERS_MAX = 10_000;
const WAITING_MAX = 10_000;
const STRIKES_MAX = 5;
const BACK_OFF_MS = 50;
const BACK_OFF_MAX_MS = 1000;

/** Bounded: a new number takes the place of an idle one. */
const createNumbers = (clock: Clock) => {
  const numbers = new Map<string, ThrottledNumber>();

  const isIdle = ({ held, queue, bucket, slots }: ThrottledNumber) =>
    held === 0 && queue.length === 0 && slots.size() === 0 && bucket.dueAt <= clock.now();

  /** Undefined when the map is full and every number in it is in use. */
  const findOrCreate = (key: string): ThrottledNumber | undefined => {
    const known = numbers.get(key);
    if (known) return known;
    if (numbers.size >= NUMBERS_MAX) {
      const idle = numbers.entries().find(([, number]) => isIdle(number));
      if (!idle) return undefined;
      numbers.delete(idle[0]);
    }
    const bucket = newBucket();
    const slots = createSlotQueue(bucket, clock);
    const number = { bucket, slots, held: 0, queue: [], strikes: 0, backedOffAt: 0 };
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
  const numbers = createNumbers(clock);
  const pool = createFairPool(options.connections, POOL_SHARE);
  let waiting = 0;

  const wait = async (
    number: ThrottledNumber,
    startAt: number,
    latestAt: number,
  ): Promise<boolean> => {
    waiting += 1;
    try {
      const pauseMs = startAt - clock.now();
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return pool.take(number) || (await pool.wait(number, Math.max(0, latestAt - clock.now())));
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
      if (startAt <= now && pool.take(number)) return true;
      return wait(number, startAt, latestAt);
    },
    async takeSlot(key, perSecond, latestAt, signal) {
      const number = waiting < WAITING_MAX ? numbers.findOrCreate(key) : undefined;
      if (!number) return undefined;
      waiting += 1;
      try {
        const taken = await number.slots.take(perSecond, latestAt, signal);
        return taken ? slotOf(key, () => number.slots.giveBack(perSecond)) : undefined;
      } finally {
        waiting -= 1;
      }
    },
    leave(key, { enteredAt, strained }) {
      const number = numbers.find(key);
      if (!number) return;
      if (!strained) number.strikes = 0;
      // Several calls that ran at the same time count as one strike.
      else if (enteredAt >= number.backedOffAt) backOff(number);
      pool.release(number);
    },
  };
};
