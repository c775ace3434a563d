import type { Position } from '../../events/store.ts';
import { NotReached } from './reader.ts';

interface Waiter {
  isDone: () => boolean;
  resolve: () => void;
  reject: (error: NotReached) => void;
  timer: NodeJS.Timeout;
  late: NotReached;
}

const WAITERS_MAX = 10_000;

/** Readers that wait until projections have reached a position. */
export const createWaiters = () => {
  const waiters = new Set<Waiter>();

  const leave = (waiter: Waiter) => {
    clearTimeout(waiter.timer);
    waiters.delete(waiter);
  };

  const fail = (waiter: Waiter) => {
    leave(waiter);
    waiter.reject(waiter.late);
  };

  return {
    waiting: (): boolean => waiters.size > 0,
    wait(
      what: { projections: readonly string[]; position: Position; isDone: () => boolean },
      timeoutMs: number,
    ): Promise<void> {
      if (what.isDone()) return Promise.resolve();
      const late = new NotReached(what.projections, what.position);
      if (waiters.size >= WAITERS_MAX) return Promise.reject(late);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => fail(waiter), timeoutMs);
        const waiter: Waiter = { isDone: what.isDone, resolve, reject, timer, late };
        waiters.add(waiter);
      });
    },
    /** Called after a position has changed. */
    check(): void {
      for (const waiter of waiters) {
        if (!waiter.isDone()) continue;
        leave(waiter);
        waiter.resolve();
      }
    },
    /** Called when no position will change any more. */
    failAll(): void {
      for (const waiter of waiters) fail(waiter);
    },
  };
};
