import { Worker } from 'node:worker_threads';
import type { Page } from './commands/audit/verify.ts';

/** What may be read ahead by one thread: the part it is at, and the next one. */
const AHEAD = 2;

interface Waiting {
  resolve(page: Page): void;
  reject(error: Error): void;
}

/** One thread; it answers in the order in which it was asked. */
const openLane = (directory: string) => {
  const worker = new Worker(new URL('offline.worker.ts', import.meta.url), {
    workerData: { directory },
  });
  const waiting: Waiting[] = [];
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on('message', (page: Page) => waiting.shift()?.resolve(page));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('a thread that read the log has ended')));
  return {
    async ask(stretch: object): Promise<Page> {
      if (failure) throw failure;
      const { promise, ...one } = Promise.withResolvers<Page>();
      waiting.push(one);
      worker.postMessage(stretch);
      return promise;
    },
    close: () => worker.terminate(),
  };
};

/**
 * Has the parts of a log read and hashed by several threads, and gives their pages in the order of
 * the parts. A few pages are in memory at any time.
 */
export async function* readInThreads(
  directory: string,
  stretches: Iterator<object>,
  threads: number,
): AsyncGenerator<Page, void, void> {
  const lanes = Array.from({ length: threads }, () => openLane(directory));
  const pages: Promise<Page>[] = [];
  let asked = 0;
  const askNext = (): void => {
    const { value, done } = stretches.next();
    if (done) return;
    const page = lanes[asked % threads]!.ask(value);
    // Those that nobody comes to wait for end with their thread.
    page.catch(() => undefined);
    pages.push(page);
    asked += 1;
  };
  try {
    for (let ahead = 0; ahead < threads * AHEAD; ahead += 1) askNext();
    for (let next = pages.shift(); next; next = pages.shift()) {
      yield await next;
      askNext();
    }
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
}
