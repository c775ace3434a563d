import { update as apply, Query } from 'mingo';
import * as driver from 'mongodb';
import type { Connection } from '../../../src/projections/mongodb/connection.ts';

// The calls of the driver that the views make, on documents in memory. What filters and updates
// mean is mingo's to say; what is here is what a server adds to it: ids are unique, an upsert looks
// and inserts in two steps, and a bulk goes on after a failure and tells all of them at its end.

type Document = Record<string, unknown> & { _id: string };
type Fields = Record<string, unknown>;

interface Statement {
  filter: Fields;
  update?: Fields;
  replacement?: Fields;
  upsert?: boolean;
}

/** One of a bulk. */
interface Operation {
  insertOne?: { document: Document };
  replaceOne?: Statement;
  updateOne?: Statement;
}

/** Awaited before each step that nothing can come between; a test may hold it, or throw. */
export type Turn = () => Promise<void>;

interface Table {
  documents: Map<string, Document>;
  indexes: readonly unknown[];
}

interface FindOptions {
  sort?: Record<string, 1 | -1>;
  limit?: number;
  skip?: number;
}

const DUPLICATE = { code: 11_000, errmsg: 'E11000 duplicate key error' };

const firstOf = (
  documents: ReadonlyMap<string, Document>,
  filter: Fields,
): Document | undefined => {
  const query = new Query<Document>(filter);
  const { _id: id } = filter;
  const candidates = typeof id === 'string' ? [documents.get(id)] : [...documents.values()];
  return candidates.find((document) => document && query.test(document));
};

const changed = (document: Document, { update, replacement }: Statement): Document => {
  if (replacement) return structuredClone({ ...replacement, _id: document._id });
  const copy = structuredClone(document);
  const { $setOnInsert: _, ...modifier } = update ?? {};
  if (Object.keys(modifier).length > 0) apply(copy, modifier);
  return copy;
};

/** Equalities of the filter become fields of what an upsert inserts; its guards do not. */
const inserted = (statement: Statement): Document => {
  const equal = Object.entries(statement.filter).filter(([, value]) => typeof value !== 'object');
  const document = changed(Object.fromEntries(equal) as Document, statement);
  return { ...document, ...(statement.update?.$setOnInsert as object | undefined) };
};

/** How many documents matched, or the failure of an insert. */
const runOn = async (
  table: () => Table,
  statement: Statement,
  turn: Turn,
): Promise<number | typeof DUPLICATE> => {
  await turn();
  const found = firstOf(table().documents, statement.filter);
  if (found) {
    table().documents.set(found._id, changed(found, statement));
    return 1;
  }
  if (!statement.upsert) return 0;
  await turn();
  const document = inserted(statement);
  if (table().documents.has(document._id)) return DUPLICATE;
  table().documents.set(document._id, document);
  return 0;
};

const bulkError = (failures: readonly (typeof DUPLICATE & { index: number })[]): Error => {
  const { code, errmsg: message } = DUPLICATE;
  const error = { message, code, writeErrors: failures as never };
  return new driver.MongoBulkWriteError(error, {} as never);
};

const createCollection = (name: string, table: () => Table, turn: Turn) => {
  const find = (filter: Fields, { sort, limit, skip }: FindOptions = {}) => ({
    async toArray(): Promise<Document[]> {
      await turn();
      const all = [...table().documents.values()];
      const cursor = new Query<Document>(filter).find<Document>(all);
      if (sort) cursor.sort(sort);
      if (skip) cursor.skip(skip);
      if (limit) cursor.limit(limit);
      return structuredClone(cursor.all());
    },
    async *[Symbol.asyncIterator]() {
      yield* await this.toArray();
    },
    sort: (by: Record<string, 1 | -1>) => find(filter, { sort: by, ...(limit && { limit }) }),
  });
  /** Whether there was none of its id. */
  const insert = async (document: Document): Promise<boolean> => {
    await turn();
    const { documents } = table();
    if (documents.has(document._id)) return false;
    documents.set(document._id, structuredClone(document));
    return true;
  };
  return {
    find,
    async countDocuments(filter: Fields) {
      return (await find(filter).toArray()).length;
    },
    async findOne(filter: Fields) {
      return (await find(filter).toArray())[0] ?? null;
    },
    async updateOne(filter: Fields, update: Fields, { upsert = false } = {}) {
      const matched = await runOn(table, { filter, update, upsert }, turn);
      if (typeof matched !== 'number') throw new driver.MongoServerError({ ...matched });
      await turn();
      return { matchedCount: matched };
    },
    async updateMany(filter: Fields, update: Fields) {
      for (const { _id } of await find(filter).toArray()) {
        await runOn(table, { filter: { ...filter, _id }, update, upsert: false }, turn);
      }
    },
    async findOneAndUpdate(filter: Fields, update: Fields, { upsert = false } = {}) {
      const matched = await runOn(table, { filter, update, upsert }, turn);
      if (typeof matched !== 'number') throw new driver.MongoServerError({ ...matched });
      const { _id: id } = filter;
      return matched > 0 || upsert ? structuredClone(table().documents.get(String(id))!) : null;
    },
    async insertOne(document: Document) {
      if (!(await insert(document))) throw new driver.MongoServerError({ ...DUPLICATE });
      await turn();
    },
    async findOneAndDelete(filter: Fields) {
      await turn();
      const found = firstOf(table().documents, filter);
      if (found) table().documents.delete(found._id);
      await turn();
      return found ?? null;
    },
    async createIndex(...index: readonly unknown[]) {
      await turn();
      table().indexes = [...table().indexes, index];
    },
    async bulkWrite(operations: readonly Operation[]) {
      const failures: (typeof DUPLICATE & { index: number })[] = [];
      let matchedCount = 0;
      let insertedCount = 0;
      for (const [index, { insertOne, replaceOne, updateOne }] of operations.entries()) {
        if (insertOne) {
          const isNew = await insert(insertOne.document);
          if (isNew) insertedCount += 1;
          else failures.push({ index, ...DUPLICATE });
          continue;
        }
        const matched = await runOn(table, replaceOne ?? updateOne!, turn);
        if (typeof matched === 'number') matchedCount += matched;
        else failures.push({ index, ...matched });
      }
      await turn();
      if (failures.length > 0) throw bulkError(failures);
      return { matchedCount, insertedCount };
    },
    collectionName: name,
    async indexes() {
      await turn();
      return table().indexes;
    },
    async createIndexes(specified: readonly unknown[]) {
      await turn();
      table().indexes = specified;
    },
  };
};

/** A server that only a test talks to. Each `connect` is a client of it, with turns of its own. */
export const createFakeMongo = () => {
  const tables = new Map<string, Table>();

  const tableOf = (name: string): Table => {
    const table = tables.get(name) ?? { documents: new Map(), indexes: [] };
    tables.set(name, table);
    return table;
  };

  const connect = (turn: Turn = async () => undefined): Connection => {
    const db = {
      collection: (name: string) => createCollection(name, () => tableOf(name), turn),
      async dropCollection(name: string) {
        await turn();
        return tables.delete(name);
      },
      async command() {
        await turn();
        return { ok: 1 };
      },
    };
    return {
      driver,
      db: db as never,
      call: (_limitMs, work) => work(),
      close: async () => undefined,
    };
  };
  return { tables, tableOf, connect };
};
