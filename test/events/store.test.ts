import { EventStoreDBClient } from '@eventstore/db-client';
import { openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import type { EventStore } from '../../src/events/store.ts';
import { eventStoreContract } from '../contract/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type EventStoreDouble, startEventStoreDouble } from '../support/grpc/eventstore.ts';
import { withRealConnections } from '../support/network.ts';

/** The streams that a run has made in a database that stays. */
const createCleanup = (url: string) => {
  const streams = new Set<string>();
  return {
    /** Notes which streams are written through it. */
    noting: (store: EventStore): EventStore => ({
      ...store,
      append: (stream, expected, events) => {
        streams.add(stream);
        return store.append(stream, expected, events);
      },
      saveSnapshot: (stream, snapshot, options) => {
        streams.add(`snapshot-${stream}`);
        return store.saveSnapshot(stream, snapshot, options);
      },
    }),
    deleteAll: (): Promise<void> =>
      withRealConnections(async () => {
        const client = EventStoreDBClient.connectionString(url);
        // Those to which nothing could be written are not there.
        for (const stream of streams) await client.deleteStream(stream).catch(() => undefined);
        streams.clear();
        await client.dispose();
      }),
  };
};

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
