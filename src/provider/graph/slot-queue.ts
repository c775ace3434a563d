import type { Clock } from '../../shared/clock.ts';
import { type Bucket, giveBackToken, takeToken } from './token-bucket.ts';

interface Waiting {
  perSecond: number;
  latestAt: number;
  settle: (taken: boolean) => void;
}

export interface SlotQueue {
  /**
   * Takes a token of the bucket once it may be used. False when `latestAt` passes or the signal fires
   * before. The queue serves one caller at a time: however many wait, it takes at most one token ahead
   * of time, and senders who do not queue find the bucket as if one caller waited.
   */
  take(perSecond: number, latestAt: number, signal: AbortSignal): boolean | Promise<boolean>;
  /** Hands an unused token to the next waiting caller, or back to the bucket. */
  giveBack(perSecond: number): void;
  size(): number;
}

/** Serves callers that can wait long for the tokens of one bucket, first come, first served. */
export const createSlotQueue = (bucket: Bucket, clock: Clock): SlotQueue => {
  const waiting: Waiting[] = [];
  let serving = false;

  const serve = async () => {
    serving = true;
    for (let next = waiting[0]; next; next = waiting[0]) {
      const startAt = takeToken(bucket, next.perSecond, clock.now(), next.latestAt);
      if (startAt === null) {
        next.settle(false);
        continue;
      }
      const pauseMs = startAt - clock.now();
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      // The caller may have left meanwhile: then the next in line gets the token.
      if (waiting[0]) waiting[0].settle(true);
      else giveBackToken(bucket, next.perSecond);
    }
    serving = false;
  };

  const wait = (perSecond: number, latestAt: number, signal: AbortSignal) =>
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
      const entry: Waiting = { perSecond, latestAt, settle };
      const timer = setTimeout(giveUp, Math.max(0, latestAt - clock.now()));
      signal.addEventListener('abort', giveUp);
      waiting.push(entry);
      if (!serving) void serve();
    });

  return {
    take(perSecond, latestAt, signal) {
      if (signal.aborted) return false;
      const now = clock.now();
      const isFree = waiting.length === 0 && takeToken(bucket, perSecond, now, now) !== null;
      return isFree || wait(perSecond, latestAt, signal);
    },
    giveBack(perSecond) {
      if (waiting[0]) waiting[0].settle(true);
      else giveBackToken(bucket, perSecond);
    },
    size: () => waiting.length,
  };
};
