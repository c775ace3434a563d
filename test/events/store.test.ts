import { openSqliteStore } from '../../src/events/store.sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { eventStoreContract } from '../support/store.contract.ts';

const folders: { remove(): void }[] = [];

eventStoreContract('sqlite', async () => {
  const folder = temporaryFolder();
  folders.push(folder);
  const store = await openSqliteStore({ directory: folder.path });
  const reopen = async () => {
    await store.close();
    return openSqliteStore({ directory: folder.path });
  };
  return { store, reopen };
});

after(() => {
  for (const folder of folders) folder.remove();
});
