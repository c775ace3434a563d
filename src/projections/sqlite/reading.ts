import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { type Naming, namingDamage } from '../../shared/damaged-file.ts';
import { type Shape, type Sql, shapeOf } from './query.ts';

const STATEMENTS_MAX = 256;
const SHAPES_MAX = 256;
/** In WAL mode a reader waits only for the recovery after a crash. */
const LOCK_TIMEOUT_MS = 1_000;

type Parameter = string | number;

/** Adds the file and the remedy to errors about damaged read models. */
export const namingViews = (file: string): Naming =>
  namingDamage(
    file,
    'stop the service, delete views.db, views.db-wal and views.db-shm, and start it again. ' +
      'The read models are then filled from the log; nothing is lost',
  );

/** A connection that only reads; it sees a commit as soon as that has resolved. */
export const openReading = (file: string, { cacheKibibytes }: { cacheKibibytes: number }) => {
  const naming = namingViews(file);
  const database = naming(() => {
    const opened = new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
    opened.exec(`PRAGMA cache_size = -${cacheKibibytes}`);
    return opened;
  });
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
    naming(() => prepared(text).all(...parameters) as unknown[]);
  function* iterate({ text, parameters }: Sql) {
    const rows = naming(() => prepared(text).iterate(...parameters));
    try {
      for (;;) {
        const { done, value } = naming(() => rows.next());
        if (done) return;
        yield value;
      }
    } finally {
      rows.return?.();
    }
  }
  return {
    one: (text: string, ...parameters: Parameter[]) =>
      naming(() => prepared(text).get(...parameters) as unknown),
    all,
    iterate,
    /** Throws for a missing collection. */
    shape(collection: string): Shape {
      const known = shapes.get(collection);
      if (known) return known;
      const shape = shapeOf(collection, all);
      if (!shape) throw new Error(`there is no collection ${collection}`);
      shapes.set(collection, shape);
      return shape;
    },
    /** Call it after a drop. */
    forgetShapes: () => shapes.clear(),
    close: () => {
      statements.clear();
      if (database.isOpen) database.close();
    },
  };
};

export type Reading = ReturnType<typeof openReading>;
