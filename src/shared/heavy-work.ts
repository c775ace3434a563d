import { createSemaphore } from './concurrency.ts';
import { AppError } from './errors.ts';

/** Work that waits longer for its turn is refused. */
const WAIT_MS_MAX = 10_000;

/**
 * Runs work that keeps this thread busy for milliseconds: one piece in a turn of the event loop, and
 * after each a rest as long as the piece. So other work has half of the time, however many pieces wait.
 * Holders take turns. Throws `service.busy` for a piece that waits too long.
 */
export const createHeavyWork = (waitMsMax = WAIT_MS_MAX) => {
  const turns = createSemaphore(1, 1);
  return async <T>(holder: string, work: () => T): Promise<T> => {
    if (!turns.take(holder) && !(await turns.wait(holder, waitMsMax))) {
      throw new AppError('service.busy', 'Too much work is waiting', { retryAfterSeconds: 1 });
    }
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      const restMs = performance.now() - startedAt;
      if (restMs < 1) setImmediate(turns.release, holder);
      else setTimeout(turns.release, restMs, holder);
    }
  };
};

export type HeavyWork = ReturnType<typeof createHeavyWork>;
