import { checkInstallation } from '../commands/core/installation.ts';
import { type EventStore, StoreUnavailable } from '../events/store.ts';
import type { Clock, Ids } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import { Interrupted, retry } from '../shared/retry.ts';
import { createSecrets } from '../shared/secrets.ts';
import type { Background } from './background.ts';

const RETRY_DELAYS = { minMs: 250, maxMs: 5_000 };

const isAway = (error: unknown): error is StoreUnavailable => error instanceof StoreUnavailable;

/**
 * Checks the secret against the log before anything is started. While the log is away, the process
 * starts all the same: the returned work checks as soon as it can read the log, and calls `onFatal`
 * if the secret is wrong.
 */
export const demandSecret = async (
  store: EventStore,
  deps: {
    secret: Buffer;
    /** Accepts a secret other than the one that the log was written with. */
    secretLost: boolean;
    clock: Clock;
    ids: Ids;
    logger: Logger;
    onFatal: (error: unknown) => void;
  },
): Promise<(Background & { isDone(): boolean }) | undefined> => {
  const { secret, secretLost, clock, ids, logger, onFatal } = deps;
  const proofs = createSecrets(secret);
  const check = () => checkInstallation({ store, proofs, clock, ids, secretLost });
  try {
    await check();
    return undefined;
  } catch (error) {
    if (!isAway(error)) throw error;
    logger.warn({ reason: error.message }, 'WAYBILL_SECRET is checked once the log can be read');
  }
  const stopping = new AbortController();
  const { signal } = stopping;
  let isDone = false;
  const checking = retry(check, { delays: RETRY_DELAYS, signal, while: isAway }).then(
    () => {
      isDone = true;
    },
    (error) => {
      if (!(error instanceof Interrupted)) onFatal(error);
    },
  );
  return {
    isDone: () => isDone,
    async stop() {
      stopping.abort();
      await checking;
    },
  };
};
