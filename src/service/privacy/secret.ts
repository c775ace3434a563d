import {
  checkDataKeys,
  demandDataKeys,
  type KeysIdentity,
  nameGeneration,
  OldKeys,
} from '../../commands/core/data-keys.ts';
import { checkInstallation, type Judged } from '../../commands/core/installation.ts';
import { type Issuer, nameIssuer } from '../../commands/core/issuer.ts';
import { type EventStore, StoreUnavailable } from '../../events/store.ts';
import {
  destroyEarlierVersions,
  type LiveKey,
  newKey,
  settleInstallationKey,
} from '../../keys/installation-key.ts';
import { type KeyStore, KeysUnavailable } from '../../keys/key-store.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
import { FIRST_GENERATION } from '../../shared/installation-key.ts';
import type { Logger } from '../../shared/logger.ts';
import { Interrupted, retry } from '../../shared/retry.ts';
import { createSecrets, type Secrets } from '../../shared/secrets.ts';
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
    const [held] = await keys.ensure([marker], '0000-00', () => Uint8Array.of(0));
    return held!.subject.ref;
  },
});

/**
 * Checks the secret and the data keys against the log before anything is started. While a store is
 * away, the process starts without them: the returned work checks as soon as it can read them, and
 * calls `onFatal` if the secret is wrong, or the keys are missing.
 */
export const demandSecrets = async (
  {
    store,
    keys,
    installationKey,
  }: {
    store: EventStore;
    keys: KeyStore;
    /** Takes the key of the installation. */
    installationKey: Pick<LiveKey, 'set'>;
  },
  deps: {
    /** Where the data keys are: a directory, or MongoDB. */
    place: string;
    secret: Buffer;
    /** The secret before it, while that is being changed. */
    previousSecret: Buffer | null;
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
  const { secret, previousSecret, secretLost, keysLost, issuer } = deps;
  const { clock, ids, logger, onFatal } = deps;
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const [proofs, previous] = secrets.map(createSecrets) as [Secrets, Secrets?];
  const identity = identityOf(keys, deps.place, ids);
  const custody = { keys, secrets, ids };
  const check = async () => {
    let newest = FIRST_GENERATION;
    const prepare = async (judged: Judged) => {
      const on = { store, identity, clock, ids, keysLost };
      // The log first: the store has a generation before the log names it.
      const { named, areOurs, generation } = await demandDataKeys(on);
      const areLost = named !== undefined && !areOurs;
      // Under an older program, the secret itself was the key.
      const make = async () => {
        const at = areLost ? await judged.sealedUnder() : judged.secret;
        return at === null ? newKey() : secrets[at]!;
      };
      const isLost = areLost || (judged.secret === null && secretLost);
      const generations = await settleInstallationKey(custody, { make, isLost });
      const isHere = generations.some(({ name }) => name === generation);
      if (generation !== undefined && !isHere && !keysLost) {
        throw new OldKeys(deps.place, generation);
      }
      newest = generations.at(-1)!.name;
      installationKey.set(generations);
    };
    await checkInstallation({ store, proofs, previous, clock, ids, secretLost, prepare });
    await destroyEarlierVersions(custody);
    await checkDataKeys({ store, identity, clock, ids, keysLost });
    await nameGeneration({ store, clock, ids }, newest);
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
