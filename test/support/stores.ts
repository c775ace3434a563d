import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEventStoreDb } from '../../src/events/store.eventstoredb.ts';
import { openSqliteStore } from '../../src/events/store.sqlite.ts';
import {
  type EventStore,
  type Position,
  type Recorded,
  START,
  WrongRevision,
} from '../../src/events/store.ts';
import { openMongoViews } from '../../src/projections/views.mongodb.ts';
import { openSqliteViews } from '../../src/projections/views.sqlite.ts';
import type { Views } from '../../src/projections/views.ts';
import { withRealConnections } from './network.ts';

/** Which part of the servers is one service's. */
interface Part {
  prefix: string;
  /** Where the log ended when it began. */
  base: Position;
  database: string;
}

export interface Servers {
  eventStoreUrl: string;
  mongoUrl: string;
}

/** Both servers, or none: a service in a test stands on files otherwise. */
export const testServers = (): Servers | undefined => {
  const { EVENTSTORE_URL: eventStoreUrl, MONGODB_URL: mongoUrl } = process.env;
  return eventStoreUrl && mongoUrl ? { eventStoreUrl, mongoUrl } : undefined;
};

export const withDatabase = (mongoUrl: string, database: string): string =>
  mongoUrl.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`);

/** A log within a log: what other services write to the same server is not seen. */
export const partOfLog = (store: EventStore, { prefix, base }: Omit<Part, 'database'>) => {
  const from = (position: Position) => (position === START ? base : position);
  const own = (events: readonly Recorded[]): Recorded[] =>
    events
      .filter(({ stream }) => stream.startsWith(prefix))
      .map((event) => ({ ...event, stream: event.stream.slice(prefix.length) }));
  const part: EventStore = {
    ...store,
    append: (stream, expected, events) =>
      store.append(prefix + stream, expected, events).catch((error) => {
        throw error instanceof WrongRevision ? new WrongRevision(stream, expected) : error;
      }),
    read: async (stream, options) => own(await store.read(prefix + stream, options)),
    async readAll(position, limit) {
      let at = from(position);
      for (;;) {
        const { events, to } = await store.readAll(at, limit);
        const found = own(events);
        if (found.length > 0 || events.length === 0) return { events: found, to };
        at = to;
      }
    },
    async *follow(position, signal, types) {
      for await (const { events, to } of store.follow(from(position), signal, types)) {
        yield { events: own(events), to };
      }
    },
    loadSnapshot: (stream) => store.loadSnapshot(prefix + stream),
    saveSnapshot: (stream, snapshot) => store.saveSnapshot(prefix + stream, snapshot),
  };
  return part;
};

let count = 0;

const partFor = async (directory: string, store: EventStore): Promise<Part> => {
  const file = join(directory, 'servers.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Part;
  count += 1;
  const name = `t${process.pid}${Date.now().toString(36)}${count}`;
  const part = { prefix: `${name}~`, base: await store.head(), database: `waybill_${name}` };
  writeFileSync(file, JSON.stringify(part));
  return part;
};

export interface Stores {
  store: EventStore;
  views: Views;
  close(): Promise<void>;
}

/** The stores of the service whose folder this is: on files, or its part of the servers. */
export const openStores = async (directory: string): Promise<Stores> => {
  const servers = testServers();
  if (!servers) {
    const store = await openSqliteStore({ directory });
    const views = await openSqliteViews({ directory });
    const close = async () => {
      await views.close();
      await store.close();
    };
    return { store, views, close };
  }
  const whole = await openEventStoreDb({ url: servers.eventStoreUrl });
  // What nock puts before new connections breaks HTTP/2; one that is made before stays whole.
  await withRealConnections(() => whole.head());
  const part = await partFor(directory, whole);
  const views = await openMongoViews({ url: withDatabase(servers.mongoUrl, part.database) });
  const close = async () => {
    await views.close();
    await whole.close();
  };
  return { store: partOfLog(whole, part), views, close };
};
