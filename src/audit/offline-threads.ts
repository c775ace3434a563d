import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Page } from './verify.ts';

/** What a helper is given in advance: the part it is at, and the next one. */
const AHEAD = 2;
/** Parts that this thread may be ahead of the helpers. */
const OWN_AHEAD = 4;

/** A part of the log that somebody reads. */
interface Due {
  page: Page | undefined;
  /** Resolves once the page is there; rejects when it will never be. */
  came: Promise<void>;
}

interface Waiting {
  due: Due;
  resolve(): void;
  reject(error: Error): void;
}

/** Another thread that reads parts; it answers in the order in which it was asked. */
const openHelper = (directory: string) => {
  const worker = new Worker(new URL('./offline-worker.ts', import.meta.url), {
    workerData: { directory },
  });
  const waiting: Waiting[] = [];
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on('message', (page: Page) => {
    const first = waiting.shift();
    if (!first) return;
    first.due.page = page;
    first.resolve();
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('a thread that read the log has ended')));
  return {
    isFree: () => waiting.length < AHEAD,
    ask(stretch: object): Due {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const due: Due = { page: undefined, came: promise };
      // A part that nobody comes to wait for ends with its thread.
      promise.catch(() => undefined);
      if (failure) reject(failure);
      else {
        waiting.push({ due, resolve, reject });
        worker.postMessage(stretch);
      }
      return due;
    },
    close: () => worker.terminate(),
  };
};

/**
 * Has the parts of a log read and hashed by several threads, this one among them, and gives their
 * pages in the order of the parts. A few pages are in memory at any time. This thread takes a part
 * itself where it would have to wait, so that it is never slower than it would be alone.
 */
export async function* readInThreads<Stretch extends object>(
  directory: string,
  stretches: Iterator<Stretch>,
  { helpers, readHere }: { helpers: number; readHere: (stretch: Stretch) => Page },
): AsyncGenerator<Page, void, void> {
  const lanes = Array.from({ length: helpers }, () => openHelper(directory));
  const dues: Due[] = [];
  const next = (): Stretch | undefined => {
    const { value, done } = stretches.next();
    return done ? undefined : value;
  };
  const isRoom = () => dues.length < helpers * AHEAD + OWN_AHEAD;
  const occupyHelpers = (): void => {
    for (const lane of lanes) {
      while (lane.isFree() && isRoom()) {
        const stretch = next();
        if (!stretch) return;
        dues.push(lane.ask(stretch));
      }
    }
  };
  try {
    for (;;) {
      occupyHelpers();
      const [first] = dues;
      if (!first) return;
      if (first.page) {
        dues.shift();
        yield first.page;
        continue;
      }
      const stretch = isRoom() ? next() : undefined;
      if (!stretch) await first.came;
      else {
        dues.push({ page: readHere(stretch), came: Promise.resolve() });
        // What helpers have sent comes in between.
        await nextTurn();
      }
    }
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
}
