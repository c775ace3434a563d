import { openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { eventStoreContract } from '../contract/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type EventStoreDouble, startEventStoreDouble } from '../support/grpc/eventstore.ts';
import { createCleanup } from './eventstoredb/cleanup.ts';

const folders: { remove(): void }[] = [];
let double: EventStoreDouble | undefined;

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

eventStoreContract('eventstoredb, on a double', async () => {
  double ??= await startEventStoreDouble();
  const { url } = double;
  const store = await openEventStoreDb({ url });
  const reopen = async () => {
    await store.close();
    return openEventStoreDb({ url });
  };
  return { store, reopen };
});

const url = process.env.EVENTSTORE_URL;
const cleanup = url ? createCleanup(url) : undefined;
if (url && cleanup) {
  eventStoreContract('eventstoredb', async () => {
    const store = await openEventStoreDb({ url });
    const reopen = async () => {
      await store.close();
      return cleanup.noting(await openEventStoreDb({ url }));
    };
    return { store: cleanup.noting(store), reopen };
  });
} else {
  console.log('EVENTSTORE_URL is not set: the suite runs on the double only');
}

after(async () => {
  for (const folder of folders) folder.remove();
  await double?.close();
  await cleanup?.deleteAll();
});
