import type { Collection, Filter, UpdateFilter } from 'mongodb';
import { START } from '../../events/store.ts';
import { slowestOf } from '../checkpoints.ts';
import type { Coordination, SharedWindow, SharedWindows } from '../coordination.ts';
import {
  FIND_ROWS_MAX,
  type Kept,
  type Query,
  type Scan,
  Unserved,
  type Views,
  ViewsUnavailable,
} from '../views.ts';
import { checkedName, comparedFields } from '../walk.ts';
import { createCommit } from './commit.ts';
import { type Connection, DURABLE, LIMIT_MS } from './connection.ts';
import { isDuplicate } from './failure.ts';
import { inPlace, unpackAll } from './form.ts';
import { createLeases, createProcessLeases } from './lease.ts';
import { indexesOf } from './query.ts';
import { createRegistry, type Registry } from './registry.ts';
import { createWalker } from './walk.ts';

interface Row {
  _id: string;
  number: number;
  taken: number;
  /** Both by the server's clock. */
  beganAt: Date;
  lookedAt: Date;
}

/** Longer than any window; the server deletes older rows once a minute. */
const KEPT_SECONDS = 300;

/** Waits for no journal. An election may revert a count, which admits a few more requests. */
const QUICK = { writeConcern: { w: 1 } } as const;

const windowOf = ({ number, taken, beganAt, lookedAt }: Row): SharedWindow => ({
  number,
  taken,
  ageMs: lookedAt.getTime() - beganAt.getTime(),
});

export const createSharedWindows = ({
  db,
  call,
}: Pick<Connection, 'db' | 'call'>): SharedWindows => {
  const rows: Collection<Row> = db.collection('views.windows');
  let isIndexed = false;

  const index = () => {
    if (isIndexed) return;
    isIndexed = true;
    call(LIMIT_MS.manage, () =>
      rows.createIndex({ lookedAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }),
    ).catch(() => {
      isIndexed = false;
    });
  };

  const change = async (
    filter: Filter<Row>,
    update: UpdateFilter<Row>,
    upsert = false,
  ): Promise<SharedWindow | undefined> => {
    index();
    const row = await call(LIMIT_MS.read, () =>
      rows
        .findOneAndUpdate(
          filter,
          { ...update, $currentDate: { lookedAt: true, ...update.$currentDate } },
          { returnDocument: 'after', upsert, ...QUICK },
        )
        .catch((error: unknown) => {
          if (isDuplicate(error)) return null;
          throw error;
        }),
    );
    return row ? windowOf(row) : undefined;
  };

  return {
    look: (bucket) => change({ _id: bucket }, {}),
    take: (bucket, number, count, limit) =>
      change({ _id: bucket, number, taken: { $lte: limit - count } }, { $inc: { taken: count } }),
    begin: (bucket, after, count) =>
      change(
        { _id: bucket, number: after },
        { $set: { number: after + 1, taken: count }, $currentDate: { beganAt: true } },
        // The first window is inserted, or its id is taken.
        after === 0,
      ),
    async release(bucket, number, count) {
      await change({ _id: bucket, number }, { $inc: { taken: -count } });
    },
  };
};

const SEEN = { position: 1, document: 1 } as const;

/** Views, and the coordination of instances over the same database. */
export interface MongoViews extends Views {
  readonly coordination: Coordination & { readonly windows: SharedWindows };
}

const healthOf = async ({ db, call }: Connection) => {
  try {
    await call(LIMIT_MS.probe, () => db.command({ ping: 1 }));
    return { ok: true };
  } catch (error) {
    // Any caller may ask for health, so the detail names no addresses.
    const known = error instanceof ViewsUnavailable;
    return { ok: false, detail: known ? 'MongoDB does not answer' : 'MongoDB cannot be asked' };
  }
};

const createReplace =
  ({ call }: Connection, registry: Registry) =>
  async (collection: string, documents: readonly Kept<object>[]): Promise<void> => {
    if (documents.length === 0) return;
    const rows = await registry.rows(checkedName(collection));
    const fields = await registry.fieldsOf(collection);
    const operations = documents.map((one) => inPlace(one, fields));
    await call(LIMIT_MS.write, () => rows.bulkWrite(operations, { ordered: false, ...DURABLE }));
  };

/**
 * Documents in one database of a MongoDB server, alone or as a replica set. Each new collection gets
 * so many partitions.
 */
export const viewsOver = (connection: Connection, partitions = 1): MongoViews => {
  const { call } = connection;
  const registry = createRegistry(connection, partitions);
  const commit = createCommit(connection, registry);
  const walk = createWalker(connection);
  const rowsOf = (collection: string) => registry.rows(checkedName(collection));
  const searched = async (collection: string) => {
    const rows = await rowsOf(collection);
    return { collection, rows, fields: await registry.fieldsOf(collection) };
  };

  return {
    partitions,
    async prepare(collection, indexes, filters = []) {
      const specified = indexesOf(indexes);
      const fields = comparedFields(indexes, filters);
      const rows = await registry.open(checkedName(collection), fields);
      await call(LIMIT_MS.manage, () => rows.createIndexes(specified));
    },
    async get<Doc>(collection: string, id: string) {
      const rows = await rowsOf(collection);
      const options = { projection: SEEN, maxTimeMS: LIMIT_MS.read };
      const row = await call(LIMIT_MS.read, () => rows.findOne({ _id: id }, options));
      return row ? unpackAll<Doc>([row])[0] : undefined;
    },
    async getMany<Doc>(collection: string, ids: readonly string[]) {
      if (ids.length === 0) return [];
      const rows = await rowsOf(collection);
      const options = { projection: SEEN, batchSize: ids.length + 1, maxTimeMS: LIMIT_MS.read };
      const find = () => rows.find({ _id: { $in: [...ids] } }, options).toArray();
      return unpackAll<Doc>(await call(LIMIT_MS.read, find));
    },
    async find<Doc>(collection: string, query: Query) {
      const { rows, next } = await walk.scan<Doc>(await searched(collection), {
        ...query,
        rowsMax: FIND_ROWS_MAX,
        charactersMax: Number.POSITIVE_INFINITY,
      });
      if (next !== null && rows.length < query.limit) throw new Unserved(collection, query);
      return rows;
    },
    async scan<Doc>(collection: string, scan: Scan, signal?: AbortSignal) {
      return walk.scan<Doc>(await searched(collection), scan, signal);
    },
    count: async (collection, query) => walk.count(await rowsOf(collection), collection, query),
    async commit(commits) {
      for (const { collection } of commits) checkedName(collection);
      await commit(commits);
    },
    async halt(collection, partition, halt) {
      await registry.checkpoints.halt(checkedName(collection), partition, halt);
    },
    replace: createReplace(connection, registry),
    // The files are the server's own.
    clean: async () => undefined,
    async checkpoint(collection) {
      const { [collection]: own } = await registry.checkpoints.all();
      return own ? slowestOf(own) : START;
    },
    live: registry.live,
    checkpoints: registry.checkpoints.all,
    halts: registry.checkpoints.halts,
    async promote(projection, collection, instead) {
      return registry.promote(projection, checkedName(collection), instead);
    },
    collections: registry.list,
    async drop(collection) {
      return registry.drop(checkedName(collection));
    },
    coordination: {
      ...createLeases(connection),
      windows: createSharedWindows(connection),
      processes: createProcessLeases(connection),
    },
    health: () => healthOf(connection),
    close: () => connection.close(),
  };
};
