import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KeyRing } from '../events/opened.ts';
import { SETTINGS_KEY } from '../events/settings.ts';
import { createKeyCache } from './key-cache.ts';
import { KEYS_MAX, type KeyName, type KeyReader, KeysUnavailable } from './key-store.ts';
import type { Wrapping } from './wrapping.ts';

/** Keys of one ring in memory, 0.8 kB each: far more than those of the events of a page. */
export const CACHED_KEYS_MAX = 20_000;

/** A further reading follows only when all was forgotten during one: the log was lost again. */
const READINGS_MAX = 4;

/** A ring over a store of keys. A ring of a process that also writes shares its cache. */
export const createKeyRing = (
  keys: Pick<KeyReader, 'keys'>,
  wrapping: Wrapping,
  cache = createKeyCache(CACHED_KEYS_MAX),
): KeyRing => {
  const read = async (names: readonly KeyName[], clears: number): Promise<void> => {
    const missing = new Map<string, KeyName>();
    for (const { ref, month } of names) {
      if (ref === SETTINGS_KEY.ref || cache.isForgotten(ref) || cache.find(ref, month)) continue;
      missing.set(`${ref}.${month}`, { ref, month });
    }
    const wanted = [...missing.values()];
    for (let at = 0; at < wanted.length; at += KEYS_MAX) {
      for (const record of await keys.keys(wanted.slice(at, at + KEYS_MAX))) {
        const { ref, month, accountId } = record;
        const key = wrapping.unwrap(record, record.wrapped);
        if (key) cache.put({ accountId, ref, key: { ref, month, key } }, clears);
      }
    }
  };

  return {
    async load(names) {
      for (let reading = 0; reading < READINGS_MAX; reading += 1) {
        const clears = cache.clears();
        await read(names, clears);
        if (clears === cache.clears()) return;
      }
      throw new KeysUnavailable('the log is lost again and again while keys are read');
    },
    find: (ref, month) =>
      ref === SETTINGS_KEY.ref ? wrapping.settingsKey : cache.find(ref, month)?.key,
    async clear() {
      // A caller that has just loaded keys finds them in the same turn of the event loop.
      await nextTurn();
      cache.clear();
    },
    forget: cache.forget,
    forgetMonths: cache.forgetMonths,
  };
};
