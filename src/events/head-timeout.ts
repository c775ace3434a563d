import { withTimeout } from '../shared/timing.ts';
import { type EventStore, type Position, StoreUnavailable } from './store.ts';

/** More than a reachable log takes, and less than a caller waits for an answer. */
const LIMIT_MS = 1_000;
/** After a timeout, calls fail at once for this long. */
const AWAY_MS = 250;

/**
 * Limits `head()` to 1 s. After a timeout, further calls fail at once for 250 ms or until an append
 * succeeds.
 */
export const withHeadTimeout = (
  store: EventStore,
  monotonicMs: () => number = () => performance.now(),
): EventStore => {
  let awayUntil = Number.NEGATIVE_INFINITY;

  const late = (): never => {
    throw new StoreUnavailable(`the log did not answer head() within ${LIMIT_MS} ms`);
  };

  return {
    ...store,
    async append(stream, expected, events) {
      const appended = await store.append(stream, expected, events);
      awayUntil = Number.NEGATIVE_INFINITY;
      return appended;
    },
    async head(): Promise<Position> {
      if (monotonicMs() < awayUntil) throw new StoreUnavailable('the log does not answer head()');
      try {
        return await withTimeout(LIMIT_MS, store.head(), late);
      } catch (error) {
        if (error instanceof StoreUnavailable) awayUntil = monotonicMs() + AWAY_MS;
        throw error;
      }
    },
  };
};
