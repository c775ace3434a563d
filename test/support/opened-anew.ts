import { opened } from '../../src/events/opened.ts';
import type { EventReader } from '../../src/events/store.ts';
import { createKeyRing } from '../../src/keys/key-ring.ts';
import type { KeyStore } from '../../src/keys/key-store.ts';
import { createWrapping } from '../../src/keys/wrapping.ts';
import { SECRET } from './message-refs.ts';

/**
 * The log with personal data in clear. Each read has a ring of its own, so that none remembers a
 * key that was destroyed since.
 */
export const openedAnew = <Log extends EventReader>(log: Log, keys: KeyStore): Log => {
  const wrapping = createWrapping(SECRET);
  const openNow = () => opened(log, createKeyRing(keys, wrapping));
  return {
    ...log,
    read: (...where) => openNow().read(...where),
    readAll: (...where) => openNow().readAll(...where),
    follow: (...where) => openNow().follow(...where),
  };
};
