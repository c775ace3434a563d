import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { type Shape, type Sql, shapeOf } from './views.sqlite.query.ts';

const STATEMENTS_MAX = 256;
const SHAPES_MAX = 256;
/** In WAL mode a reader waits for nobody; only a recovery after a crash may hold it up. */
const LOCK_TIMEOUT_MS = 1_000;

type Parameter = string | number;

/** A connection that only reads; it sees a commit as soon as that has resolved. */
export const openReading = (file: string, { cacheKibibytes }: { cacheKibibytes: number }) => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
  database.exec(`PRAGMA cache_size = -${cacheKibibytes}`);
  const statements = new LRUCache<string, StatementSync>({ max: STATEMENTS_MAX });
  const shapes = new LRUCache<string, Shape>({ max: SHAPES_MAX });
  const prepared = (text: string): StatementSync => {
    const known = statements.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  const all = (text: string, ...parameters: Parameter[]) =>
    prepared(text).all(...parameters) as unknown[];
  return {
    one: (text: string, ...parameters: Parameter[]) => prepared(text).get(...parameters) as unknown,
    all,
    iterate: ({ text, parameters }: Sql) => prepared(text).iterate(...parameters),
    /** Throws where there is no such collection. */
    shape(collection: string): Shape {
      const known = shapes.get(collection);
      if (known) return known;
      const shape = shapeOf(collection, all);
      if (!shape) throw new Error(`there is no collection ${collection}`);
      shapes.set(collection, shape);
      return shape;
    },
    /** A collection was made or dropped. */
    forgetShapes: () => shapes.clear(),
    close: () => {
      statements.clear();
      if (database.isOpen) database.close();
    },
  };
};

export type Reading = ReturnType<typeof openReading>;
