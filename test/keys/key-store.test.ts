import { keysOver } from '../../src/keys/mongodb/keys.ts';
import { openSqliteKeys } from '../../src/keys/sqlite/keys.ts';
import { openConnection } from '../../src/projections/mongodb/connection.ts';
import { keyStoreContract } from '../contract/key-store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { createMemoryKeys } from '../support/key-store.ts';
import { createFakeMongo } from '../support/mongodb/fake.ts';
import { testDatabase } from '../support/mongodb/views.ts';

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

keyStoreContract('mongodb, on a fake', async () => {
  const { connect } = createFakeMongo();
  return { open: async () => keysOver(connect()) };
});

const database = testDatabase();
if (!database) console.log('MONGODB_URL is not set: the data keys meet no MongoDB in this run');
if (database) {
  keyStoreContract('mongodb', async () => ({
    open: async () => keysOver(await openConnection(database.url)),
  }));
}
