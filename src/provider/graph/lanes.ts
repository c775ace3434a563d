import type { Clock } from '../../shared/clock.ts';
import { createFairPool, type Holder } from '../../shared/fair-pool.ts';
import type { Slot } from '../provider.ts';
import { type Bucket, holdBack, newBucket, takeToken } from './pace.ts';
import { createSlotQueue, type SlotQueue } from './slot-queue.ts';

/** A lane may have twice as many connections as it leaves free, which keeps some for others. */
const SHARE = 2;

/** One number's way to the provider. */
interface Lane extends Holder {
  bucket: Bucket;
  slots: SlotQueue;
  /** Answers in a row that asked for less; how far the lane backs off grows with it. */
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

export interface Lanes {
  /**
   * Waits for the lane's pace and for a connection. False when that cannot be before `latestAt`.
   * True must be followed by one `leave`.
   */
  enter(
    key: string,
    perSecond: number,
    latestAt: number,
    slot?: Slot | undefined,
  ): boolean | Promise<boolean>;
  /**
   * Waits for the lane's pace alone, ahead of the call; undefined when `latestAt` passes or the signal
   * fires before. However many wait so, they leave the pace to those who call at once but for one token.
   */
  takeSlot(
    key: string,
    perSecond: number,
    latestAt: number,
    signal: AbortSignal,
  ): Promise<Slot | undefined>;
  /** `strained` says that the provider asked for less, or is in trouble, on this lane. */
  leave(key: string, outcome: { enteredAt: number; strained: boolean }): void;
}

const LANES_MAX = 10_000;
const WAITING_MAX = 10_000;
const STRIKES_MAX = 5;
const BACK_OFF_MS = 50;
const BACK_OFF_MAX_MS = 1000;

/**
 * Keeps numbers out of each other's way: each has its own pace and its own back-off, and however
 * many of them hang, the connections are shared between them and some stay free.
 */
export const createLanes = (options: {
  connections: number;
  clock: Clock;
  random: () => number;
}): Lanes => {
  const { clock, random } = options;
  const lanes = new Map<string, Lane>();
  const shares = createFairPool(options.connections, SHARE);
  let waiting = 0;

  const isIdle = ({ held, queue, bucket, slots }: Lane) =>
    held === 0 && queue.length === 0 && slots.size() === 0 && bucket.dueAt <= clock.now();

  /** Undefined when there are as many lanes as there may be, and all are in use. */
  const laneOf = (key: string): Lane | undefined => {
    const known = lanes.get(key);
    if (known) return known;
    if (lanes.size >= LANES_MAX) {
      const idle = lanes.entries().find(([, lane]) => isIdle(lane));
      if (!idle) return undefined;
      lanes.delete(idle[0]);
    }
    const bucket = newBucket();
    const slots = createSlotQueue(bucket, clock);
    const lane = { bucket, slots, held: 0, queue: [], strikes: 0, backedOffAt: 0 };
    lanes.set(key, lane);
    return lane;
  };

  const wait = async (lane: Lane, startAt: number, latestAt: number): Promise<boolean> => {
    waiting += 1;
    try {
      const pauseMs = startAt - clock.now();
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return shares.take(lane) || (await shares.wait(lane, Math.max(0, latestAt - clock.now())));
    } finally {
      waiting -= 1;
    }
  };

  const backOff = (lane: Lane) => {
    lane.strikes = Math.min(lane.strikes + 1, STRIKES_MAX);
    lane.backedOffAt = clock.now();
    const pauseMs = Math.min(BACK_OFF_MS * 2 ** lane.strikes, BACK_OFF_MAX_MS);
    holdBack(lane.bucket, lane.backedOffAt + pauseMs * (0.5 + random() / 2));
  };

  return {
    enter(key, perSecond, latestAt, slot) {
      const lane = waiting < WAITING_MAX ? laneOf(key) : undefined;
      if (!lane) return false;
      const now = clock.now();
      const startAt =
        slot?.key === key && slot.use() ? now : takeToken(lane.bucket, perSecond, now, latestAt);
      if (startAt === null) return false;
      if (startAt <= now && shares.take(lane)) return true;
      return wait(lane, startAt, latestAt);
    },
    async takeSlot(key, perSecond, latestAt, signal) {
      const lane = waiting < WAITING_MAX ? laneOf(key) : undefined;
      if (!lane) return undefined;
      waiting += 1;
      try {
        const taken = await lane.slots.take(perSecond, latestAt, signal);
        return taken ? slotOf(key, () => lane.slots.giveBack(perSecond)) : undefined;
      } finally {
        waiting -= 1;
      }
    },
    leave(key, { enteredAt, strained }) {
      const lane = lanes.get(key);
      if (!lane) return;
      if (!strained) lane.strikes = 0;
      // Calls that were under way together are one piece of news, not many.
      else if (enteredAt >= lane.backedOffAt) backOff(lane);
      shares.release(lane);
    },
  };
};
