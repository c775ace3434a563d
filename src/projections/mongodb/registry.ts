import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Collection, Filter, UpdateFilter, WriteConcernSettings } from 'mongodb';
import type { Checkpoints } from '../checkpoints.ts';
import { type Commit, StaleCheckpoint } from '../views.ts';
import { atStart, checkpointsOf, type Entry, fieldsAt, isAt } from './checkpoints.ts';
import { type Connection, LIMIT_MS } from './connection.ts';
import { isDuplicate } from './failure.ts';
import type { Row } from './form.ts';

interface Served {
  _id: string;
  collection: string;
}

/** On most of a replica set, and in its journals: no election reverts it. */
export const DURABLE: { writeConcern: WriteConcernSettings } = {
  writeConcern: { w: 'majority', j: true, wtimeoutMS: 15_000 },
};

const UPSERT = { ...DURABLE, upsert: true };

const INCARNATIONS_MAX = 1_000;
/** A name is rarely used again, and then by the process that prepares it. */
const INCARNATION_KEPT_MS = 1_000;
/** Sums with it stay exact, and two random ones of one name differ in practice. */
const INCARNATION_START_MAX = 2 ** 47;

const physicalName = (collection: string, incarnation: number): string =>
  incarnation === 1 ? collection : `${collection}.${incarnation}`;

const unlessThere = (error: unknown): void => {
  if (!isDuplicate(error)) throw error;
};

/** The entries of all collections. */
const createEntries = ({ db, call }: Connection) => {
  const entries: Collection<Entry> = db.collection('views.collections');
  const incarnations = new LRUCache<string, number>({
    max: INCARNATIONS_MAX,
    ttl: INCARNATION_KEPT_MS,
  });

  const search = async (filter: Filter<Entry>): Promise<Entry[]> => {
    const options = { maxTimeMS: LIMIT_MS.read };
    const found = await call(LIMIT_MS.read, () => entries.find(filter, options).toArray());
    for (const { _id, incarnation } of found) incarnations.set(_id, incarnation);
    return found;
  };
  const find = async (names: readonly string[]): Promise<Map<string, Entry>> => {
    const found = await search({ _id: { $in: [...names] } });
    return new Map(found.map((entry) => [entry._id, entry]));
  };
  const get = async (name: string): Promise<Entry | undefined> => (await find([name])).get(name);

  return {
    search,
    find,
    get,
    incarnationOf: async (name: string): Promise<number> =>
      incarnations.get(name) ?? (await get(name))?.incarnation ?? 1,
    /** Changes nothing when the name has an entry. */
    insert: ({ _id, ...fresh }: Entry) =>
      call(LIMIT_MS.write, () =>
        entries.updateOne({ _id }, { $setOnInsert: fresh }, UPSERT).catch(unlessThere),
      ),
    update: (filter: Filter<Entry>, change: UpdateFilter<Entry>) =>
      call(LIMIT_MS.write, () => entries.updateOne(filter, change, DURABLE)),
    /** Moves all checkpoints that are still at the `from` of their commits. */
    async move(commits: readonly Commit[], known: ReadonlyMap<string, Entry>): Promise<void> {
      const moves = commits.map((commit) => {
        const { collection: _id, from, to } = commit;
        const entry = known.get(_id)!;
        const { incarnation } = entry;
        const at = fieldsAt(entry, commit, from);
        const filter = { _id, ...at, incarnation, state: 'open' as const };
        return { updateOne: { filter, update: { $set: fieldsAt(entry, commit, to) } } };
      });
      const { matchedCount } = await call(LIMIT_MS.write, () =>
        entries.bulkWrite(moves, { ordered: false, ...DURABLE }),
      );
      if (matchedCount === commits.length) return;
      const now = await find(commits.map(({ collection }) => collection));
      const lost = commits.find((one) => !isAt(now.get(one.collection), { ...one, from: one.to }));
      throw new StaleCheckpoint((lost ?? commits[0]!).collection);
    },
  };
};

type Entries = ReturnType<typeof createEntries>;

/** The collections that serve. */
const createServing = ({ db, call }: Connection, { get }: Entries) => {
  const served: Collection<Served> = db.collection('views.live');

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

/** The collections, their checkpoints, and which of them serve. New ones get so many partitions. */
export const createRegistry = (connection: Connection, partitions: number) => {
  const { db, call } = connection;
  const entries = createEntries(connection);
  const serving = createServing(connection, entries);
  const { search, find, get, insert, update, move } = entries;

  const rowsOf = (collection: string, incarnation: number): Collection<Row> =>
    db.collection(physicalName(collection, incarnation));

  return {
    ...serving,
    find,
    get,
    move,
    rowsOf,
    /** The MongoDB collection with the documents. */
    rows: async (collection: string): Promise<Collection<Row>> =>
      rowsOf(collection, await entries.incarnationOf(collection)),
    async list(): Promise<string[]> {
      return (await search({ state: { $ne: 'dropped' } })).map(({ _id }) => _id).sort();
    },
    async checkpoints(): Promise<Record<string, Checkpoints>> {
      const open = await search({ state: 'open' });
      return Object.fromEntries(open.map((entry) => [entry._id, checkpointsOf(entry)]));
    },
    /** Creates the entry, or opens it again after a drop. */
    async open(collection: string, fields: readonly string[]): Promise<Collection<Row>> {
      const incarnation = randomInt(2, INCARNATION_START_MAX);
      const fresh = { ...atStart(partitions), state: 'open' as const, fields };
      await insert({ _id: collection, incarnation, ...fresh });
      const one = partitions === 1 ? { $unset: { positions: '' as const } } : {};
      await update(
        { _id: collection, state: { $ne: 'open' } },
        { $set: fresh, $inc: { incarnation: 1 }, ...one },
      );
      return rowsOf(collection, (await get(collection))?.incarnation ?? 1);
    },
    async drop(collection: string): Promise<boolean> {
      if (Object.values(await serving.live()).includes(collection)) return false;
      await update({ _id: collection, state: 'open' }, { $set: { state: 'dropping' } });
      const entry = await get(collection);
      if (entry?.state !== 'dropping') return entry?.state !== 'open';
      const { incarnation } = entry;
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
