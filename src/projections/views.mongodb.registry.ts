import { LRUCache } from 'lru-cache';
import type { Collection, WriteConcernSettings } from 'mongodb';
import { type Position, START } from '../events/store.ts';
import { type Connection, LIMIT_MS } from './views.mongodb.connection.ts';
import { isDuplicate } from './views.mongodb.failure.ts';
import type { Row } from './views.mongodb.form.ts';
import { type Commit, StaleCheckpoint } from './views.ts';

/** What is known of a collection of ours beside its documents. */
export interface Entry {
  _id: string;
  /** How far the log has been read into it. */
  position: Position;
  /**
   * Counts up when the name is used again after a drop, and MongoDB's own name of the collection
   * with it. So a drop, or a write, that comes late never meets the documents of a later one.
   */
  incarnation: number;
  state: 'open' | 'dropping' | 'dropped';
}

interface Served {
  _id: string;
  collection: string;
}

/** On most of a replica set, and in its journals: no election takes it back. */
export const DURABLE: { writeConcern: WriteConcernSettings } = {
  writeConcern: { w: 'majority', j: true, wtimeoutMS: 15_000 },
};

const INCARNATIONS_MAX = 1_000;
/** A name is seldom used again, and then by the one who prepares it. */
const INCARNATION_KEPT_MS = 5_000;

const physicalName = (collection: string, incarnation: number): string =>
  incarnation === 1 ? collection : `${collection}.${incarnation}`;

const unlessThere = (error: unknown): void => {
  if (!isDuplicate(error)) throw error;
};

/**
 * The collections, how far each is, and which of them serve. Names with a dot in them can be none
 * of a projection's.
 */
export const createRegistry = ({ db, call }: Connection) => {
  const entries: Collection<Entry> = db.collection('views.collections');
  const served: Collection<Served> = db.collection('views.live');
  const incarnations = new LRUCache<string, number>({
    max: INCARNATIONS_MAX,
    ttl: INCARNATION_KEPT_MS,
  });

  const find = async (names: readonly string[]): Promise<Map<string, Entry>> => {
    const search = () =>
      entries.find({ _id: { $in: [...names] } }, { maxTimeMS: LIMIT_MS.read }).toArray();
    const found = await call(LIMIT_MS.read, search);
    for (const { _id, incarnation } of found) incarnations.set(_id, incarnation);
    return new Map(found.map((entry) => [entry._id, entry]));
  };

  const get = async (name: string): Promise<Entry | undefined> => (await find([name])).get(name);

  const rowsOf = (collection: string, incarnation: number): Collection<Row> =>
    db.collection(physicalName(collection, incarnation));

  return {
    find,
    get,
    rowsOf,
    /** Where the documents of a collection lie now. */
    async rows(collection: string): Promise<Collection<Row>> {
      const incarnation = incarnations.get(collection) ?? (await get(collection))?.incarnation;
      return rowsOf(collection, incarnation ?? 1);
    },
    async list(): Promise<string[]> {
      const search = () =>
        entries
          .find({ state: { $ne: 'dropped' } })
          .sort({ _id: 1 })
          .toArray();
      return (await call(LIMIT_MS.read, search)).map(({ _id }) => _id);
    },
    /** Makes the entry, or opens it again after a drop. */
    async open(collection: string): Promise<Collection<Row>> {
      const fresh = { position: START, incarnation: 1, state: 'open' as const };
      await call(LIMIT_MS.write, () =>
        entries
          .updateOne({ _id: collection }, { $setOnInsert: fresh }, { upsert: true, ...DURABLE })
          .catch(unlessThere),
      );
      await call(LIMIT_MS.write, () =>
        entries.updateOne(
          { _id: collection, state: { $ne: 'open' } },
          { $set: { position: START, state: 'open' }, $inc: { incarnation: 1 } },
          DURABLE,
        ),
      );
      const entry = await get(collection);
      return rowsOf(collection, entry?.incarnation ?? 1);
    },
    async drop(collection: string): Promise<void> {
      await call(LIMIT_MS.write, () =>
        entries.updateOne(
          { _id: collection, state: 'open' },
          { $set: { state: 'dropping' } },
          DURABLE,
        ),
      );
      const entry = await get(collection);
      if (entry?.state !== 'dropping') return;
      const { incarnation } = entry;
      await call(LIMIT_MS.manage, () => db.dropCollection(physicalName(collection, incarnation)));
      await call(LIMIT_MS.write, () =>
        entries.updateOne(
          { _id: collection, state: 'dropping', incarnation },
          { $set: { state: 'dropped' } },
          DURABLE,
        ),
      );
    },
    /** Moves all checkpoints that are still where each commit found them. */
    async move(commits: readonly Commit[], known: ReadonlyMap<string, Entry>): Promise<void> {
      const moves = commits.map(({ collection, from, to }) => {
        const incarnation = known.get(collection)?.incarnation ?? 1;
        const filter = { _id: collection, position: from, incarnation, state: 'open' as const };
        return { updateOne: { filter, update: { $set: { position: to } } } };
      });
      const { matchedCount } = await call(LIMIT_MS.write, () =>
        entries.bulkWrite(moves, { ordered: false, ...DURABLE }),
      );
      if (matchedCount === commits.length) return;
      const now = await find(commits.map(({ collection }) => collection));
      const lost = commits.find(({ collection, to }) => now.get(collection)?.position !== to);
      throw new StaleCheckpoint((lost ?? commits[0]!).collection);
    },
    async live(): Promise<Record<string, string>> {
      const all = await call(LIMIT_MS.read, () => served.find({}).toArray());
      return Object.fromEntries(all.map(({ _id, collection }) => [_id, collection]));
    },
    async promote(projection: string, collection: string): Promise<void> {
      const set = () =>
        served.updateOne(
          { _id: projection },
          { $set: { collection } },
          { upsert: true, ...DURABLE },
        );
      // Two that make it at once: one of them finds it there, and then only changes it.
      await call(LIMIT_MS.write, () =>
        set().catch((error: unknown) => {
          unlessThere(error);
          return set();
        }),
      );
    },
  };
};

export type Registry = ReturnType<typeof createRegistry>;

export const isAt = (entry: Entry | undefined, position: Position): entry is Entry =>
  entry?.state === 'open' && entry.position === position;
