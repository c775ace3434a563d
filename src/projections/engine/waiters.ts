import type { Position } from '../../events/store.ts';
import { withTimeout } from '../../shared/timing.ts';
import { NotReached } from './reader.ts';

interface Waiter {
  isDone: () => boolean;
  resolve: () => void;
  fail: () => void;
}

const WAITERS_MAX = 10_000;

/** Readers that wait until projections have reached a position. */
export const createWaiters = () => {
  const waiters = new Set<Waiter>();

  return {
    waiting: (): boolean => waiters.size > 0,
    async wait(
      what: { projections: readonly string[]; position: Position; isDone: () => boolean },
      timeoutMs: number,
    ): Promise<void> {
      const { projections, position, isDone } = what;
      const late = (): never => {
        throw new NotReached(projections, position);
      };
      if (isDone()) return;
      if (waiters.size >= WAITERS_MAX) late();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const fail = () => reject(new NotReached(projections, position));
      const waiter: Waiter = { isDone, resolve, fail };
      waiters.add(waiter);
      await withTimeout(timeoutMs, promise, late).finally(() => waiters.delete(waiter));
    },
    /** Called after a position has changed. */
    check(): void {
      for (const waiter of waiters) {
        if (!waiter.isDone()) continue;
        waiters.delete(waiter);
        waiter.resolve();
      }
    },
    /** Called when no position will change any more. */
    failAll(): void {
      for (const { fail } of waiters) fail();
    },
  };
};
