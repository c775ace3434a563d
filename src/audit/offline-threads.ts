import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Stretch } from '../events/sqlite/archive.ts';
import { createWorkerThread } from '../shared/worker-thread.ts';
import type { Page } from './verify.ts';

/** Parts in the hands of a helper: the current one and the next one. */
const AHEAD = 2;
/** Parts that this thread may be ahead of the helpers. */
const OWN_AHEAD = 4;

/** A part of the log that a thread reads. */
interface Due {
  page: Page | undefined;
  /** Resolves once the page is there. */
  came: Promise<void>;
}

/** Another thread that reads parts. */
const openHelper = (directory: string) => {
  const thread = createWorkerThread<Stretch, Page, never>({
    program: new URL('./offline-worker.ts', import.meta.url),
    data: { directory },
    name: 'log-reader',
    callsMax: AHEAD,
    errorOf: (failure) => failure,
    unavailable: (reason) => new Error(`a part of the log cannot be read: ${reason}`),
  });
  let reading = 0;
  const read = async (stretch: Stretch, due: Due): Promise<void> => {
    reading += 1;
    due.page = await thread.run(stretch).finally(() => {
      reading -= 1;
    });
  };
  return {
    isFree: () => reading < AHEAD,
    ask(stretch: Stretch): Due {
      const due: Due = { page: undefined, came: Promise.resolve() };
      due.came = read(stretch, due);
      // After a failure of an earlier part, no caller waits for this one.
      due.came.catch(() => undefined);
      return due;
    },
    close: thread.kill,
  };
};

/**
 * Reads and hashes the parts of a log in several threads, this one included, and yields their pages
 * in the order of the parts. A few pages are in memory at any time. Where this thread would wait, it
 * reads a part itself: it is never slower than alone.
 */
export async function* readInThreads(
  directory: string,
  stretches: Iterator<Stretch>,
  { helpers, readHere }: { helpers: number; readHere: (stretch: Stretch) => Page },
): AsyncGenerator<Page, void, void> {
  const threads = Array.from({ length: helpers }, () => openHelper(directory));
  const dues: Due[] = [];
  const next = (): Stretch | undefined => {
    const { value, done } = stretches.next();
    return done ? undefined : value;
  };
  const isRoom = () => dues.length < helpers * AHEAD + OWN_AHEAD;
  const occupyHelpers = (): void => {
    for (const helper of threads) {
      while (helper.isFree() && isRoom()) {
        const stretch = next();
        if (!stretch) return;
        dues.push(helper.ask(stretch));
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
        // Lets the answers of the helpers in.
        await nextTurn();
      }
    }
  } finally {
    await Promise.all(threads.map(({ close }) => close()));
  }
}
