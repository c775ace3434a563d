import { withTimeout } from '../shared/timing.ts';
import { type EventStore, StoreUnavailable } from './store.ts';

/** More than a reachable log takes, and less than a caller waits for an answer. */
const LIMIT_MS = 1_000;
/** After a timeout, calls fail at once for this long. */
const AWAY_MS = 250;

/**
 * Limits `head()`, `end()` and `bucketEnds()` to 1 s. After a timeout, further calls fail at once for 250 ms or until an
 * append succeeds.
 */
export const withHeadTimeout = (
  store: EventStore,
  monotonicMs: () => number = () => performance.now(),
): EventStore => {
  let awayUntil = Number.NEGATIVE_INFINITY;

  const limited = async <T>(name: string, ask: () => Promise<T>): Promise<T> => {
    if (monotonicMs() < awayUntil) throw new StoreUnavailable(`the log does not answer ${name}()`);
    try {
      return await withTimeout(LIMIT_MS, ask(), () => {
        throw new StoreUnavailable(`the log did not answer ${name}() within ${LIMIT_MS} ms`);
      });
    } catch (error) {
      if (error instanceof StoreUnavailable) awayUntil = monotonicMs() + AWAY_MS;
      throw error;
    }
  };

  return {
    ...store,
    async append(stream, expected, events) {
      const appended = await store.append(stream, expected, events);
      awayUntil = Number.NEGATIVE_INFINITY;
      return appended;
    },
    head: () => limited('head', store.head),
    end: () => limited('end', store.end),
    bucketEnds: () => limited('bucketEnds', store.bucketEnds),
  };
};
