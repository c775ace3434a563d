import { type EventStore, type Position, StoreUnavailable } from './events/store.ts';
import { within } from './http/deadline.ts';

/** Over what a log that is up takes, and less than who waits for an answer puts up with. */
const LIMIT_MS = 1_000;
const AWAY_MS = 1_000;

/**
 * The head of a log on a server, for those who go on without it: one that is away is waited for
 * by few and not for long, and the others are told at once.
 */
export const createQuickHead = (
  store: Pick<EventStore, 'head'>,
  monotonicMs: () => number = () => performance.now(),
): Pick<EventStore, 'head'> => {
  let awayUntil = Number.NEGATIVE_INFINITY;

  const late = (): never => {
    throw new StoreUnavailable(`the log did not tell its end within ${LIMIT_MS} ms`);
  };

  return {
    async head(): Promise<Position> {
      if (monotonicMs() < awayUntil) throw new StoreUnavailable('the log does not tell its end');
      try {
        return await within(LIMIT_MS, store.head(), late);
      } catch (error) {
        if (error instanceof StoreUnavailable) awayUntil = monotonicMs() + AWAY_MS;
        throw error;
      }
    },
  };
};
