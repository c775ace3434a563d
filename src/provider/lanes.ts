import type { Clock } from '../clock.ts';
import { type Bucket, holdBack, newBucket, takeToken } from './pace.ts';

/** One number's way to the provider. */
interface Lane {
  bucket: Bucket;
  inFlight: number;
  /** Calls whose turn has come but for which no connection was free, oldest first. */
  queue: Waiting[];
  /** Answers in a row that asked for less; how far the lane backs off grows with it. */
  strikes: number;
  backedOffAt: number;
}

interface Waiting {
  timer: NodeJS.Timeout;
  settle: (entered: boolean) => void;
}

export interface Lanes {
  /**
   * Waits for the lane's pace and for a connection. False when that cannot be before `latestAt`:
   * then nothing was taken. True must be followed by one `leave`.
   */
  enter(key: string, perSecond: number, latestAt: number): boolean | Promise<boolean>;
  /** `strained` says that the provider asked for less, or is in trouble, on this lane. */
  leave(key: string, outcome: { enteredAt: number; strained: boolean }): void;
}

const LANES_MAX = 10_000;
const WAITING_MAX = 10_000;
const STRIKES_MAX = 5;
const BACK_OFF_MS = 50;
const BACK_OFF_MAX_MS = 1000;
/** One lane may hold twice as many connections as it leaves free, which keeps some for others. */
const SHARE = 2;

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
  const queued = new Map<string, Lane>();
  let free = options.connections;
  let waiting = 0;

  const isIdle = (lane: Lane) =>
    lane.inFlight === 0 && lane.queue.length === 0 && lane.bucket.dueAt <= clock.now();

  /** Undefined when there are as many lanes as there may be, and all are in use. */
  const laneOf = (key: string): Lane | undefined => {
    const known = lanes.get(key);
    if (known) return known;
    if (lanes.size >= LANES_MAX) {
      const idle = lanes.entries().find(([, lane]) => isIdle(lane));
      if (!idle) return undefined;
      lanes.delete(idle[0]);
    }
    const lane = { bucket: newBucket(), inFlight: 0, queue: [], strikes: 0, backedOffAt: 0 };
    lanes.set(key, lane);
    return lane;
  };

  const hasRoom = (lane: Lane) => lane.inFlight < SHARE * free;

  const take = (lane: Lane) => {
    lane.inFlight += 1;
    free -= 1;
    return true;
  };

  /** Lanes take turns, so that a long queue does not keep a short one waiting. */
  const admitQueued = () => {
    for (const [key, lane] of [...queued]) {
      if (free <= 0) return;
      if (!hasRoom(lane)) continue;
      const next = lane.queue.shift();
      queued.delete(key);
      if (!next) continue;
      if (lane.queue.length > 0) queued.set(key, lane);
      clearTimeout(next.timer);
      take(lane);
      next.settle(true);
    }
  };

  const queueForConnection = (key: string, lane: Lane, latestAt: number) =>
    new Promise<boolean>((resolve) => {
      const giveUp = () => {
        lane.queue.splice(lane.queue.indexOf(entry), 1);
        if (lane.queue.length === 0) queued.delete(key);
        resolve(false);
      };
      const timer = setTimeout(giveUp, Math.max(0, latestAt - clock.now()));
      const entry: Waiting = { timer, settle: resolve };
      lane.queue.push(entry);
      queued.set(key, lane);
    });

  const wait = async (key: string, lane: Lane, startAt: number, latestAt: number) => {
    waiting += 1;
    try {
      const pauseMs = startAt - clock.now();
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (lane.queue.length === 0 && hasRoom(lane)) return take(lane);
      return await queueForConnection(key, lane, latestAt);
    } finally {
      waiting -= 1;
    }
  };

  return {
    enter(key, perSecond, latestAt) {
      const lane = laneOf(key);
      if (!lane) return false;
      const now = clock.now();
      if (waiting >= WAITING_MAX) return false;
      const startAt = takeToken(lane.bucket, perSecond, now, latestAt);
      if (startAt === null) return false;
      if (startAt <= now && lane.queue.length === 0 && hasRoom(lane)) return take(lane);
      return wait(key, lane, startAt, latestAt);
    },
    leave(key, { enteredAt, strained }) {
      free += 1;
      const lane = lanes.get(key);
      if (!lane) return;
      lane.inFlight -= 1;
      if (!strained) lane.strikes = 0;
      // Calls that were under way together are one piece of news, not many.
      else if (enteredAt >= lane.backedOffAt) {
        lane.strikes = Math.min(lane.strikes + 1, STRIKES_MAX);
        lane.backedOffAt = clock.now();
        const pauseMs = Math.min(BACK_OFF_MS * 2 ** lane.strikes, BACK_OFF_MAX_MS);
        holdBack(lane.bucket, lane.backedOffAt + pauseMs * (0.5 + random() / 2));
      }
      if (queued.size > 0) admitQueued();
    },
  };
};
