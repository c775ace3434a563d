import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Collection, Filter, UpdateFilter } from 'mongodb';
import { createCheckpoints } from './checkpoints.ts';
import { type Connection, DURABLE, LIMIT_MS } from './connection.ts';
import { isDuplicate } from './failure.ts';
import type { Row } from './form.ts';

/** The state of a collection, beside its documents and checkpoints. */
interface Entry {
  _id: string;
  /**
   * Part of the name of the MongoDB collection. It counts up when a dropped name is used again, so a
   * late drop or write never meets the documents of a later collection. It starts at a random
   * number, so that this also holds after a loss of the whole database.
   */
  incarnation: number;
  state: 'open' | 'dropping' | 'dropped';
  /** The fields that queries compare. */
  fields: readonly string[];
}

interface Served {
  _id: string;
  collection: string;
}

const UPSERT = { ...DURABLE, upsert: true };

const ENTRIES_MAX = 1_000;
/** A name is rarely used again, and then by the process that prepares it. */
const ENTRY_KEPT_MS = 1_000;
/** Sums with it stay exact, and two random ones of one name differ in practice. */
const INCARNATION_START_MAX = 2 ** 47;

const physicalName = (collection: string, incarnation: number): string =>
  `${collection}.${incarnation}`;

const unlessThere = (error: unknown): void => {
  if (!isDuplicate(error)) throw error;
};

/** The entries of all collections. */
const createEntries = ({ db, call }: Connection) => {
  const entries: Collection<Entry> = db.collection('views.models');
  const recent = new LRUCache<string, Entry>({ max: ENTRIES_MAX, ttl: ENTRY_KEPT_MS });

  const search = async (filter: Filter<Entry>): Promise<Entry[]> => {
    const options = { maxTimeMS: LIMIT_MS.read };
    const found = await call(LIMIT_MS.read, () => entries.find(filter, options).toArray());
    for (const entry of found) recent.set(entry._id, entry);
    return found;
  };
  const get = async (name: string): Promise<Entry | undefined> => (await search({ _id: name }))[0];

  return {
    search,
    get,
    /** As it was within the last second. */
    recent: async (name: string): Promise<Entry | undefined> => recent.get(name) ?? get(name),
    /** Changes nothing when the name has an entry. */
    insert: ({ _id, ...fresh }: Entry) =>
      call(LIMIT_MS.write, () =>
        entries.updateOne({ _id }, { $setOnInsert: fresh }, UPSERT).catch(unlessThere),
      ),
    update: (filter: Filter<Entry>, change: UpdateFilter<Entry>) =>
      call(LIMIT_MS.write, () => entries.updateOne(filter, change, DURABLE)),
  };
};

type Entries = ReturnType<typeof createEntries>;

/** The collections that serve. */
const createServing = ({ db, call }: Connection, { get }: Entries) => {
  const served: Collection<Served> = db.collection('views.serving');

  const live = async (): Promise<Record<string, string>> => {
    const all = await call(LIMIT_MS.read, () => served.find({}).toArray());
    return Object.fromEntries(all.map(({ _id, collection }) => [_id, collection]));
  };
  const replace = (projection: string, collection: string, instead: string | undefined) =>
    instead === undefined
      ? served
          .updateOne({ _id: projection }, { $setOnInsert: { collection } }, UPSERT)
          .catch(unlessThere)
      : served.updateOne(
          { _id: projection, collection: instead },
          { $set: { collection } },
          DURABLE,
        );

  return {
    live,
    /**
     * Two documents say which collection serves and whether it exists, so both are read again
     * afterwards. The process that builds a collection notices a later drop.
     */
    async promote(
      projection: string,
      collection: string,
      instead: string | undefined,
    ): Promise<boolean> {
      if ((await get(collection))?.state !== 'open') return false;
      await call(LIMIT_MS.write, async () => replace(projection, collection, instead));
      const [now, entry] = [await live(), await get(collection)];
      return now[projection] === collection && entry?.state === 'open';
    },
  };
};

/** The collections, their checkpoints of so many partitions, and which of them serve. */
export const createRegistry = (connection: Connection, partitions: number) => {
  const { db, call } = connection;
  const entries = createEntries(connection);
  const checkpoints = createCheckpoints(connection, partitions);
  const serving = createServing(connection, entries);
  const { search, get, insert, update } = entries;

  const rowsOf = (collection: string, incarnation: number): Collection<Row> =>
    db.collection(physicalName(collection, incarnation));

  return {
    ...serving,
    checkpoints,
    rowsOf,
    /** The fields that queries of the collection compare. */
    fieldsOf: async (collection: string): Promise<readonly string[]> =>
      (await entries.recent(collection))?.fields ?? [],
    /** The MongoDB collection with the documents. */
    rows: async (collection: string): Promise<Collection<Row>> =>
      rowsOf(collection, (await entries.recent(collection))?.incarnation ?? 1),
    async list(): Promise<string[]> {
      return (await search({ state: { $ne: 'dropped' } })).map(({ _id }) => _id).sort();
    },
    /** Creates the entry, or opens it again after a drop. */
    async open(collection: string, fields: readonly string[]): Promise<Collection<Row>> {
      const incarnation = randomInt(2, INCARNATION_START_MAX);
      const fresh = { state: 'open' as const, fields };
      await insert({ _id: collection, incarnation, ...fresh });
      await update(
        { _id: collection, state: { $ne: 'open' } },
        { $set: fresh, $inc: { incarnation: 1 } },
      );
      const entry = await get(collection);
      if (entry?.state === 'open') await checkpoints.open(collection, entry.incarnation);
      return rowsOf(collection, entry?.incarnation ?? 1);
    },
    async drop(collection: string): Promise<boolean> {
      if (Object.values(await serving.live()).includes(collection)) return false;
      await update({ _id: collection, state: 'open' }, { $set: { state: 'dropping' } });
      const entry = await get(collection);
      if (entry?.state !== 'dropping') return entry?.state !== 'open';
      const { incarnation } = entry;
      await checkpoints.close(collection);
      await call(LIMIT_MS.manage, () => db.dropCollection(physicalName(collection, incarnation)));
      await update(
        { _id: collection, state: 'dropping', incarnation },
        { $set: { state: 'dropped' } },
      );
      return true;
    },
  };
};

export type Registry = ReturnType<typeof createRegistry>;
