import { setFlagsFromString } from 'node:v8';

// `npm start` gives the thread that answers requests room for short-lived objects: they mostly die
// before the collector has to look at them, and throughput is a fifth higher for it.

/** Threads that are started from now on get Node's usual room, and not the main thread's. */
export const keepThreadsSmall = (): void => {
  setFlagsFromString('--max-semi-space-size=16');
  setFlagsFromString('--min-semi-space-size=1');
};

/** By then nothing is being loaded any more. */
const SETTLE_AFTER_MS = 2_000;

/**
 * Gives back, a moment after the start, what starting took and nothing needs any more; without it
 * an idle thread keeps it, for it collects only when it allocates. Does nothing where node runs
 * without `--expose-gc`.
 */
export const settleMemory = (): void => {
  const collect = () =>
    void globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
  setTimeout(collect, SETTLE_AFTER_MS).unref();
};
