import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Collection, Filter, WriteConcernSettings } from 'mongodb';
import { type Position, START } from '../../events/store.ts';
import { type Commit, StaleCheckpoint } from '../views.ts';
import { type Connection, LIMIT_MS } from './connection.ts';
import { isDuplicate } from './failure.ts';
import type { Row } from './form.ts';

/** What is known of a collection of ours beside its documents. */
export interface Entry {
  _id: string;
  /** How far the log has been read into it. */
  position: Position;
  /**
   * Counts up when the name is used again after a drop, and MongoDB's own name of the collection
   * with it. So a drop, or a write, that comes late never meets the documents of a later one. It
   * starts at a random number, so that this also holds after a loss of the whole database.
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
const INCARNATION_KEPT_MS = 1_000;
/** Sums with it stay exact, and two random ones of one name are never the same in practice. */
const INCARNATION_START_MAX = 2 ** 47;

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

  const live = async (): Promise<Record<string, string>> => {
    const all = await call(LIMIT_MS.read, () => served.find({}).toArray());
    return Object.fromEntries(all.map(({ _id, collection }) => [_id, collection]));
  };

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
      return (await search({ state: { $ne: 'dropped' } })).map(({ _id }) => _id).sort();
    },
    /** Makes the entry, or opens it again after a drop. */
    async open(collection: string): Promise<Collection<Row>> {
      const incarnation = randomInt(2, INCARNATION_START_MAX);
      const fresh = { position: START, incarnation, state: 'open' as const };
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
    async drop(collection: string): Promise<boolean> {
      if (Object.values(await live()).includes(collection)) return false;
      await call(LIMIT_MS.write, () =>
        entries.updateOne(
          { _id: collection, state: 'open' },
          { $set: { state: 'dropping' } },
          DURABLE,
        ),
      );
      const entry = await get(collection);
      if (entry?.state !== 'dropping') return entry?.state !== 'open';
      const { incarnation } = entry;
      await call(LIMIT_MS.manage, () => db.dropCollection(physicalName(collection, incarnation)));
      await call(LIMIT_MS.write, () =>
        entries.updateOne(
          { _id: collection, state: 'dropping', incarnation },
          { $set: { state: 'dropped' } },
          DURABLE,
        ),
      );
      return true;
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
    async checkpoints(): Promise<Record<string, Position>> {
      const open = await search({ state: 'open' });
      return Object.fromEntries(open.map(({ _id, position }) => [_id, position]));
    },
    live,
    /**
     * Which one serves and whether it is there are two documents, so both are read again
     * afterwards. A collection that is dropped after that is missed by whoever fills it.
     */
    async promote(
      projection: string,
      collection: string,
      instead: string | undefined,
    ): Promise<boolean> {
      if ((await get(collection))?.state !== 'open') return false;
      await call(LIMIT_MS.write, () =>
        instead === undefined
          ? served
              .updateOne(
                { _id: projection },
                { $setOnInsert: { collection } },
                { upsert: true, ...DURABLE },
              )
              .catch(unlessThere)
          : served.updateOne(
              { _id: projection, collection: instead },
              { $set: { collection } },
              DURABLE,
            ),
      );
      const [now, entry] = [await live(), await get(collection)];
      return now[projection] === collection && entry?.state === 'open';
    },
  };
};

export type Registry = ReturnType<typeof createRegistry>;

export const isAt = (entry: Entry | undefined, position: Position): entry is Entry =>
  entry?.state === 'open' && entry.position === position;
