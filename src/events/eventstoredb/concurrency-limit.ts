import { StoreUnavailable } from '../store.ts';

interface ConcurrencyBounds {
  inFlightMax: number;
  waitingMax: number;
  /** Sum over all waiting calls. */
  waitingBytesMax: number;
  /** A call that has waited longer is refused instead of started. */
  waitMsMax: number;
}

/**
 * Runs a bounded number of calls at a time, oldest first; a bounded number waits. Not the semaphore of
 * `shared/concurrency.ts`: up to 10,000 calls wait here, so their bytes are bounded too, and none has a timer.
 */
export interface ConcurrencyLimit {
  run<T>(work: () => Promise<T>, bytes?: number): Promise<T>;
  stats(): { inFlight: number; waiting: number; waitingBytes: number };
  /** Resolves when no call runs or waits. */
  empty(): Promise<void>;
}

interface Waiting {
  bytes: number;
  since: number;
  begin: () => void;
  refuse: (error: Error) => void;
}

const busy = (): StoreUnavailable => new StoreUnavailable('the event log is too busy');

export const createConcurrencyLimit = (bounds: ConcurrencyBounds): ConcurrencyLimit => {
  /** Calls before `next` have left the queue. */
  let queue: Waiting[] = [];
  let next = 0;
  let inFlight = 0;
  let waitingBytes = 0;
  let onEmpty: (() => void)[] = [];

  const shift = (): Waiting | undefined => {
    const first = queue[next];
    if (!first) return undefined;
    next += 1;
    waitingBytes -= first.bytes;
    if (next === queue.length || next > bounds.waitingMax) {
      queue = queue.slice(next);
      next = 0;
    }
    return first;
  };

  const letIn = (): void => {
    while (inFlight < bounds.inFlightMax) {
      const first = shift();
      if (!first) break;
      if (performance.now() - first.since > bounds.waitMsMax) first.refuse(busy());
      else first.begin();
    }
    if (inFlight > 0) return;
    for (const resolve of onEmpty) resolve();
    onEmpty = [];
  };

  const turn = (bytes: number): Promise<void> | undefined => {
    if (inFlight < bounds.inFlightMax) {
      inFlight += 1;
      return undefined;
    }
    if (queue.length - next >= bounds.waitingMax || waitingBytes + bytes > bounds.waitingBytesMax) {
      throw busy();
    }
    waitingBytes += bytes;
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        inFlight += 1;
        resolve();
      };
      queue.push({ bytes, since: performance.now(), begin, refuse: reject });
    });
  };

  return {
    run: async (work, bytes = 0) => {
      await turn(bytes);
      try {
        return await work();
      } finally {
        inFlight -= 1;
        letIn();
      }
    },
    stats: () => ({ inFlight, waiting: queue.length - next, waitingBytes }),
    empty: () =>
      new Promise((resolve) => {
        onEmpty.push(resolve);
        letIn();
      }),
  };
};
