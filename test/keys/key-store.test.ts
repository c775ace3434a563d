import { openSqliteKeys } from '../../src/keys/sqlite/keys.ts';
import { keyStoreContract } from '../contract/key-store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { createMemoryKeys } from '../support/key-store.ts';

const folders: { remove(): void }[] = [];
after(() => {
  for (const folder of folders) folder.remove();
});

keyStoreContract('in memory', async () => {
  const { open } = createMemoryKeys();
  return { open: async () => open() };
});

keyStoreContract('sqlite', async () => {
  const folder = temporaryFolder();
  folders.push(folder);
  return { open: () => openSqliteKeys({ directory: folder.path }) };
});
