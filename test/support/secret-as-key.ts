import { settleInstallationKey } from '../../src/keys/installation-key.ts';
import type { KeyStore } from '../../src/keys/key-store.ts';
import { openSqliteKeys } from '../../src/keys/sqlite/keys.ts';
import { systemIds } from '../../src/shared/system.ts';
import { SECRET } from './message-refs.ts';

// A service founds a key of its own where there is none. Tests that compute the names of streams, or open
// what a process has written, make it the secret that all tests have.

export const keepSecretAsKey = async (keys: KeyStore): Promise<void> => {
  const custody = { keys, secrets: [SECRET], ids: systemIds };
  await settleInstallationKey(custody, { make: () => SECRET, isLost: false });
};

/** In a data directory, before a service starts on it. */
export const keepSecretAsKeyIn = async (directory: string): Promise<void> => {
  const keys = await openSqliteKeys({ directory });
  await keepSecretAsKey(keys);
  await keys.close();
};
