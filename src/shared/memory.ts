import { setFlagsFromString } from 'node:v8';

// `npm start` gives the thread that answers requests room for short-lived objects: they mostly die
// before the collector has to look at them, and throughput is a fifth higher for it.

/** Gives threads started from now on Node's default heap sizes, not the main thread's. */
export const keepThreadsSmall = (): void => {
  setFlagsFromString('--max-semi-space-size=16');
  setFlagsFromString('--min-semi-space-size=1');
};

/** The program has loaded all modules by this time. */
const SETTLE_AFTER_MS = 2_000;

/**
 * Collects garbage once after the start, because an idle thread does not collect and would keep the
 * memory of its start. Does nothing without `--expose-gc`.
 */
export const settleMemory = (): void => {
  const collect = () =>
    void globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
  setTimeout(collect, SETTLE_AFTER_MS).unref();
};
