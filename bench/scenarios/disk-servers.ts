import { BSON, MongoClient } from 'mongodb';
import { openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { encode } from '../../src/events/index.ts';
import { logPages } from '../../src/events/paging.ts';
import type { Position, Recorded } from '../../src/events/store.ts';
import { createLogger } from '../../src/shared/logger.ts';

// What the servers hold for an account, before they compress it: the bytes of the events' data and
// metadata, and of the documents as BSON.

export interface Held {
  log: number;
  views: number;
  parts: ReadonlyMap<string, number>;
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The stored form: reading unpacks the data and takes the sealed part out of it. */
const storedBytes = ({ type, data, meta, sealed }: Recorded): number => {
  const fact = { type, data };
  const stored = encode(fact, meta, { subjects: [], chain: '' });
  const whole = sealed === undefined ? stored.data : { ...stored.data, sealed };
  return jsonBytes(whole) + jsonBytes(stored.meta);
};

const isOf = ({ data, meta }: Recorded, accountId: string): boolean =>
  meta.accountId === accountId || (data as { accountId?: unknown }).accountId === accountId;

const openLog = (url: string) =>
  openEventStoreDb({ url, logger: createLogger({ level: 'silent' }) });

export const headOf = async (url: string): Promise<Position> => {
  const log = await openLog(url);
  const head = await log.head();
  await log.close();
  return head;
};

const eventBytes = async (url: string, accountId: string, after: Position): Promise<number> => {
  const log = await openLog(url);
  let bytes = 0;
  for await (const { events } of logPages(log, after)) {
    for (const event of events) {
      if (isOf(event, accountId)) bytes += storedBytes(event);
    }
  }
  await log.close();
  return bytes;
};

/** The events of an account after a position, and all documents of a database. */
export const heldOnServers = async (
  { eventStoreUrl, mongoUrl }: { eventStoreUrl: string; mongoUrl: string },
  accountId: string,
  after: Position,
): Promise<Held> => {
  const mongo = await new MongoClient(mongoUrl).connect();
  const parts = new Map<string, number>();
  for (const { name } of await mongo.db().listCollections().toArray()) {
    let bytes = 0;
    for await (const document of mongo.db().collection(name).find()) {
      bytes += BSON.calculateObjectSize(document);
    }
    parts.set(name.replace(/\.\d+$/, ''), bytes);
  }
  await mongo.close();
  const isKeys = (name: string) => name.startsWith('keys');
  const sum = (keys: boolean) =>
    [...parts].reduce((all, [name, bytes]) => all + (isKeys(name) === keys ? bytes : 0), 0);
  const log = (await eventBytes(eventStoreUrl, accountId, after)) + sum(true);
  return { log, views: sum(false), parts };
};
