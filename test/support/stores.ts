import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import type { EventStore } from '../../src/events/store.ts';
import type { KeyStore } from '../../src/keys/key-store.ts';
import { keysOver } from '../../src/keys/mongodb/keys.ts';
import { openSqliteKeys } from '../../src/keys/sqlite/keys.ts';
import { type Coordination, createAlone } from '../../src/projections/coordination.ts';
import { openConnection } from '../../src/projections/mongodb/connection.ts';
import { viewsOver } from '../../src/projections/mongodb/views.ts';
import { openSqliteViews } from '../../src/projections/sqlite/views.ts';
import type { Views } from '../../src/projections/views.ts';
import { withRealConnections } from './network.ts';
import { type LogPart, partOfLog } from './part-of-log.ts';
import { runName, testServers, withDatabase } from './servers.ts';

/** Which part of the servers is one service's. */
interface Part extends LogPart {
  database: string;
}

export { testServers };

/** Over what a test may take. */
const SILENCE_MS = 60_000;

let count = 0;

/** A part of the servers that nobody uses yet. */
export const newPart = async (store: Pick<EventStore, 'head'>): Promise<Part> => {
  count += 1;
  const name = `${runName}x${process.pid.toString(36)}x${count}`;
  return { prefix: `${name}~`, base: await store.head(), database: `waybill_${name}` };
};

const partFor = async (directory: string, store: EventStore): Promise<Part> => {
  const file = join(directory, 'servers.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Part;
  const part = await newPart(store);
  writeFileSync(file, JSON.stringify(part));
  return part;
};

/** The database of the service whose folder this is, on servers. */
export const databaseOf = (directory: string): string =>
  (JSON.parse(readFileSync(join(directory, 'servers.json'), 'utf8')) as Part).database;

export interface Stores {
  store: EventStore;
  views: Views;
  keys: KeyStore;
  coordination: Coordination;
  /** Absent where they are another's to close. */
  close?(): Promise<void>;
}

/** The stores of the service whose folder this is: on files, or its part of the servers. */
export const openStores = async (directory: string): Promise<Stores> => {
  const servers = testServers();
  if (!servers) {
    const store = await openSqliteStore({ directory });
    const views = await openSqliteViews({ directory });
    const keys = await openSqliteKeys({ directory });
    const close = async () => {
      await views.close();
      await keys.close();
      await store.close();
    };
    return { store, views, keys, coordination: createAlone(), close };
  }
  // A connection that is made anew after a silence would go through nock.
  const whole = await openEventStoreDb({ url: servers.eventStoreUrl, silenceMs: SILENCE_MS });
  // What nock puts before new connections breaks HTTP/2; one that is made before stays whole.
  await withRealConnections(() => whole.head());
  const part = await partFor(directory, whole);
  const connection = await openConnection(withDatabase(servers.mongoUrl, part.database));
  const views = viewsOver(connection);
  const close = async () => {
    await views.close();
    await whole.close();
  };
  const { coordination } = views;
  const keys = keysOver(connection);
  return { store: partOfLog(whole, part), views, keys, coordination, close };
};
