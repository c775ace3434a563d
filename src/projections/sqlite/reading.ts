import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { type Naming, namingDamage } from '../../shared/damaged-file.ts';
import type { Kept } from '../views.ts';
import { type Sql, selectOne } from './query.ts';
import { createRowReader, type Row } from './rows.ts';
import { type Shape, shapeOf } from './shape.ts';
import type { Parameter } from './values.ts';
import { createWordReader } from './words.ts';

const STATEMENTS_MAX = 256;
const SHAPES_MAX = 256;
/** In WAL mode a reader waits only for the recovery after a crash. */
const LOCK_TIMEOUT_MS = 1_000;

/** A collection, as this connection reads it. */
interface Known {
  shape: Shape;
  /** Selects one document. */
  byId: string;
  read: <Doc>(row: Row) => Kept<Doc>;
}

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
  const collections = new LRUCache<string, Known>({ max: SHAPES_MAX });
  const prepared = (text: string, { arrays = false } = {}): StatementSync => {
    const known = statements.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    statement.setReturnArrays(arrays);
    statements.set(text, statement);
    return statement;
  };
  const all = (text: string, ...parameters: Parameter[]) =>
    naming(() => prepared(text).all(...parameters) as unknown[]);
  /** All rows at once, in two thirds of the time of `iterate`. */
  const rows = ({ text, parameters }: Sql) =>
    naming(() => prepared(text, { arrays: true }).all(...parameters) as unknown[]);
  function* iterate({ text, parameters }: Sql) {
    const rows = naming(() => prepared(text, { arrays: true }).iterate(...parameters));
    try {
      for (;;) {
        const { done, value } = naming(() => rows.next());
        if (done) return;
        yield value as unknown;
      }
    } finally {
      rows.return?.();
    }
  }
  const one = (text: string, ...parameters: Parameter[]) =>
    naming(() => prepared(text).get(...parameters) as unknown);
  const words = createWordReader(one);
  const collection = (name: string): Known => {
    const known = collections.get(name);
    if (known) return known;
    const shape = shapeOf(name, all);
    if (!shape) throw new Error(`there is no collection ${name}`);
    const found = { shape, byId: selectOne(shape), read: createRowReader(words, shape) };
    collections.set(name, found);
    return found;
  };
  return {
    one,
    all,
    rows,
    iterate,
    /** Throws for a missing collection. */
    shape: (name: string): Shape => collection(name).shape,
    /** The document of a row. Throws for a missing collection. */
    read: <Doc>(name: string, row: Row): Kept<Doc> => collection(name).read<Doc>(row),
    /** Throws for a missing collection. */
    get<Doc>(name: string, id: string): Kept<Doc> | undefined {
      const { byId, read } = collection(name);
      const row = naming(() => prepared(byId, { arrays: true }).get(id));
      return row && read<Doc>(row as unknown as Row);
    },
    /** Call it after a drop. */
    forgetShapes: () => collections.clear(),
    close: () => {
      statements.clear();
      if (database.isOpen) database.close();
    },
  };
};

export type Reading = ReturnType<typeof openReading>;
