import { checkDataKeys, type KeysIdentity } from '../../commands/core/data-keys.ts';
import { checkInstallation } from '../../commands/core/installation.ts';
import { type Issuer, nameIssuer } from '../../commands/core/issuer.ts';
import { type EventStore, StoreUnavailable } from '../../events/store.ts';
import { type KeyStore, KeysUnavailable } from '../../keys/key-store.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { Interrupted, retry } from '../../shared/retry.ts';
import { createSecrets } from '../../shared/secrets.ts';
import type { Background } from '../workers/background.ts';

const RETRY_DELAYS = { minMs: 250, maxMs: 5_000 };

const isAway = (error: unknown): error is StoreUnavailable => error instanceof StoreUnavailable;

/** The hash of a record beside those of contacts, whose ref is the id of the store. */
export const MARKER = 'installation';

/** The id of a store of data keys, as its first process made it. */
const identityOf = (keys: KeyStore, place: string, ids: Ids): KeysIdentity => ({
  place,
  find: async () => (await keys.subjects([MARKER]))[0]?.ref,
  async found() {
    const marker = { hash: MARKER, ref: ids.uuid(), accountId: MARKER };
    const { subject } = await keys.ensure(marker, '0000-00', () => Uint8Array.of(0));
    return subject.ref;
  },
});

/**
 * Checks the secret and the data keys against the log before anything is started. While a store is
 * away, the process starts all the same: the returned work checks as soon as it can read them, and
 * calls `onFatal` if the secret is wrong, or the keys are missing.
 */
export const demandSecrets = async (
  { store, keys }: { store: EventStore; keys: KeyStore },
  deps: {
    dataDirectory: string;
    /** Where the data keys are, if it is not null. */
    mongoUrl: string | null;
    secret: Buffer;
    /** Accepts a secret other than the one that the log was written with. */
    secretLost: boolean;
    /** Accepts data keys other than those that the log was written with. */
    keysLost: boolean;
    /** Who issues statements, by the settings. */
    issuer: Issuer | null;
    clock: Clock;
    ids: Ids;
    logger: Logger;
    onFatal: (error: unknown) => void;
  },
): Promise<(Background & { isDone(): boolean }) | undefined> => {
  const { secret, secretLost, keysLost, issuer, clock, ids, logger, onFatal } = deps;
  const proofs = createSecrets(secret);
  const identity = identityOf(keys, deps.mongoUrl === null ? deps.dataDirectory : 'MongoDB', ids);
  const check = async () => {
    await checkInstallation({ store, proofs, clock, ids, secretLost });
    await checkDataKeys({ store, identity, clock, ids, keysLost });
    await nameIssuer({ store, issuer, clock, ids });
  };
  try {
    await check();
    return undefined;
  } catch (error) {
    if (!isAway(error)) throw error;
    const what =
      error instanceof KeysUnavailable
        ? 'The data keys are checked once they can be read'
        : 'WAYBILL_SECRET is checked once the log can be read';
    logger.warn({ reason: error.message }, what);
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
