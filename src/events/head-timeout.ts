import { withTimeout } from '../shared/timing.ts';
import { type EventStore, type Position, StoreUnavailable } from './store.ts';

/** Over what a log that is up takes, and less than who waits for an answer puts up with. */
const LIMIT_MS = 1_000;
/** So late at most is it noticed that the log is back; its followers look about as often. */
const AWAY_MS = 250;

/**
 * A log on a server whose head is asked for by those who can go on without it: one that is away is
 * waited for by few and not for long, and the others are told at once. Whoever has just written to
 * it finds it there.
 */
export const withQuickHead = (
  store: EventStore,
  monotonicMs: () => number = () => performance.now(),
): EventStore => {
  let awayUntil = Number.NEGATIVE_INFINITY;

  const late = (): never => {
    throw new StoreUnavailable(`the log did not tell its end within ${LIMIT_MS} ms`);
  };

  return {
    ...store,
    async append(stream, expected, events) {
      const appended = await store.append(stream, expected, events);
      awayUntil = Number.NEGATIVE_INFINITY;
      return appended;
    },
    async head(): Promise<Position> {
      if (monotonicMs() < awayUntil) throw new StoreUnavailable('the log does not tell its end');
      try {
        return await withTimeout(LIMIT_MS, store.head(), late);
      } catch (error) {
        if (error instanceof StoreUnavailable) awayUntil = monotonicMs() + AWAY_MS;
        throw error;
      }
    },
  };
};
