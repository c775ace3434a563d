import type { KnownEvent } from '../../events/index.ts';
import type { KeyRing } from '../../events/opened.ts';
import { type EventReader, StoreUnavailable } from '../../events/store.ts';
import type { Logger } from '../../shared/logger.ts';
import { Interrupted, retry } from '../../shared/retry.ts';
import type { Background } from '../workers/background.ts';
import type { LookupCache } from './lookup-cache.ts';

const RETRY_DELAYS = { minMs: 100, maxMs: 2_000 };

/**
 * Keeps the cache of the look-ups and the keys in memory in step with the log, and logs when the log is
 * away. What this process did not follow may have changed look-ups and destroyed keys, so both are read
 * again from where it follows again.
 */
export const followLog = ({
  store,
  cache,
  keys,
  logger,
}: {
  store: EventReader;
  cache: Pick<LookupCache, 'interest' | 'note' | 'setFollowing'>;
  keys: Pick<KeyRing, 'clear'>;
  logger: Logger;
}): Background & { started: Promise<void> } => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const begun = Promise.withResolvers<void>();
  let isLogAway = false;
  const setFollowing = async (now: boolean): Promise<void> => {
    cache.setFollowing(now);
    await keys.clear();
  };

  const follow = async (progressed: () => void): Promise<never> => {
    try {
      const end = await store.end();
      const batches = store.follow(end, signal, cache.interest);
      await setFollowing(true);
      if (isLogAway) logger.info('The log is followed again');
      isLogAway = false;
      progressed();
      begun.resolve();
      for await (const { events } of batches) (events as KnownEvent[]).forEach(cache.note);
      throw new StoreUnavailable('the log has ended the subscription');
    } finally {
      await setFollowing(false);
      // The service also starts while the log is down: reads work.
      begun.resolve();
    }
  };

  const following = retry(follow, {
    delays: RETRY_DELAYS,
    signal,
    onFailure(error) {
      const reason = (error as Error).message;
      if (!isLogAway) logger.warn({ reason }, 'The log cannot be followed: trying again');
      isLogAway = true;
    },
  }).catch((error) => {
    if (!(error instanceof Interrupted)) throw error;
  });

  return {
    started: begun.promise,
    async stop() {
      stopping.abort();
      await following;
    },
  };
};
