import { DESTROYED_KEYS_STREAM } from '../../events/erasure.ts';
import type { KnownEvent } from '../../events/index.ts';
import { streamPages } from '../../events/paging.ts';
import type { EventReader } from '../../events/store.ts';
import { createDataSubjects } from '../../keys/data-subjects.ts';
import { type KeyStore, KeysUnavailable } from '../../keys/key-store.ts';
import { wrappingOf } from '../../keys/wrapping.ts';
import { createOnce } from '../../shared/concurrency.ts';
import type { InstallationKey } from '../../shared/installation-key.ts';
import type { ServiceDeps } from '../deps.ts';

/** What a page of the stream of destructions destroys. */
const destructionsOf = (page: readonly KnownEvent[]) => {
  const refs: string[] = [];
  const months = new Map<string, string>();
  for (const { type, data, revision } of page) {
    if (type === 'ContactErased') refs.push(...data.refs);
    else if (type === 'MonthsExpired') {
      const { accountId, through } = data;
      if (through > (months.get(accountId) ?? '')) months.set(accountId, through);
    } else {
      // A later start must not pass over it.
      throw new Error(`event ${revision} of ${DESTROYED_KEYS_STREAM} cannot be read: ${type}`);
    }
  }
  return { refs, months };
};

/**
 * Applies the log's destructions to keys that have not seen them: keys that were put back from an
 * older copy. Resolves to the number of events.
 */
export const applyDestructions = async (
  log: Pick<EventReader, 'read'>,
  keys: KeyStore,
): Promise<number> => {
  const applied = await keys.applied();
  // Keys that know more events than the stream has belong to a longer log: no number can be trusted.
  const [last] = await log.read(DESTROYED_KEYS_STREAM, { from: Math.max(applied, 0), limit: 1 });
  const from = last ? applied + 1 : 0;
  let count = 0;
  for await (const page of streamPages(log, DESTROYED_KEYS_STREAM, { from })) {
    const { refs, months } = destructionsOf(page as readonly KnownEvent[]);
    await keys.destroySubjects(refs);
    for (const [accountId, through] of months) await keys.destroyMonths(accountId, through);
    await keys.clean();
    await keys.setApplied(page.at(-1)!.revision);
    count += page.length;
  }
  return count;
};

/** The subjects over keys that serve only when the log's destructions are applied to them. */
export const createDataKeys = ({
  keys,
  store,
  installationKey,
  clock,
  logger,
  isSecretChecked,
}: Pick<ServiceDeps, 'keys' | 'store' | 'clock' | 'logger' | 'isSecretChecked'> & {
  installationKey: InstallationKey;
}) => {
  const ready = createOnce(async () => {
    if (!isSecretChecked()) throw new KeysUnavailable('WAYBILL_SECRET is not checked yet');
    const count = await applyDestructions(store, keys);
    if (count > 0) logger.info({ count }, 'Destructions of the log were applied to the data keys');
    // From here on no call waits.
    Object.assign(serving, keys);
  });
  const whenReady =
    <Args extends readonly unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      await ready();
      return call(...args);
    };
  const serving: KeyStore = {
    ...keys,
    keys: whenReady(keys.keys),
    subjects: whenReady(keys.subjects),
    subjectsOf: whenReady(keys.subjectsOf),
    ensure: whenReady(keys.ensure),
  };
  const wrapping = wrappingOf(installationKey.first);
  return { ready, keys: serving, subjects: createDataSubjects({ keys: serving, wrapping, clock }) };
};
