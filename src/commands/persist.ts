import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../events/store.ts';

const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 10_000;

/** The program stops before the log could take what was to be written. */
export class Interrupted extends Error {}

/**
 * Does it again for as long as the log is away, with growing pauses, until the signal fires. For
 * work behind requests: nobody waits for it, and it has nothing else to do than to wait.
 */
export const persist = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  let delayMs = RETRY_MS_MIN;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (signal.aborted) throw new Interrupted();
      await pause(delayMs, undefined, { signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, RETRY_MS_MAX);
    }
  }
};
