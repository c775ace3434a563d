import { DatabaseSync } from 'node:sqlite';
import { createFileCleaner } from '../../shared/sqlite-pages.ts';
import { type Commit, type Kept, StaleCheckpoint, Unwritable } from '../views.ts';
import { namingViews } from './reading.ts';
import { createRowWriter } from './rows.ts';
import type { Shape } from './shape.ts';
import { createWordWriter, WORDS_TABLE, type WordWriter } from './words.ts';

const LOCK_TIMEOUT_MS = 5_000;
const CACHE_KIBIBYTES = 32 * 1024;
/** About 32 MB of pages: documents change often, and each checkpoint writes a page only once. */
const CHECKPOINT_PAGES = 8_000;
const WAL_BYTES_KEPT = 64 * 1024 * 1024;

/** Result codes of SQLite for a row that it never accepts: malformed JSON, too big, a broken rule. */
const ROW_FAULTS: readonly unknown[] = [1, 18, 19, 20];
/** Also what JSON cannot express. */
const isOfRow = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  ROW_FAULTS.includes((error as { errcode?: unknown }).errcode);

/** The only connection that writes the views. Each method is one transaction. */
interface ViewsWriter {
  /** Throws when the file cannot be written. */
  probe(): void;
  prepare(collection: string, statements: readonly string[]): void;
  commit(commits: readonly Commit[], shapeOf: (collection: string) => Shape): void;
  replace(collection: string, documents: readonly Kept<object>[], shape: Shape): void;
  /** See `FileCleaner.clean`. */
  clean(): Generator<void, boolean, void>;
  promote(projection: string, collection: string, instead: string | undefined): boolean;
  drop(collection: string): boolean;
  close(): void;
}

const open = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS });
  // NORMAL may lose the last commits in a power cut, never order or wholeness: the engine folds
  // what is lost again, from the checkpoint beside the documents.
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA secure_delete = ON;
    PRAGMA cache_size = -${CACHE_KIBIBYTES};
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA journal_size_limit = ${WAL_BYTES_KEPT};
    CREATE TABLE IF NOT EXISTS _collections (
      name TEXT PRIMARY KEY, position TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS _live (
      projection TEXT PRIMARY KEY, collection TEXT NOT NULL
    ) STRICT;
    ${WORDS_TABLE};
  `);
  return database;
};

/** Writes the documents and the checkpoint of commits, inside a transaction. */
const createApply = (database: DatabaseSync, words: WordWriter) => {
  const move = database.prepare(
    'UPDATE _collections SET position = ? WHERE name = ? AND position = ?',
  );
  const writers = new Map<string, ReturnType<typeof createRowWriter>>();

  const writerOf = (collection: string, shape: Shape) => {
    const known = writers.get(collection);
    if (known) return known;
    const writer = createRowWriter(database, words, shape);
    writers.set(collection, writer);
    return writer;
  };

  return {
    apply({ collection, writes, from, to }: Commit, shape: Shape): void {
      if (move.run(to, collection, from).changes !== 1) throw new StaleCheckpoint(collection);
      if (writes.length === 0) return;
      const { put, remove } = writerOf(collection, shape);
      for (const { id, position, document } of writes) {
        try {
          if (document === null) remove(id, position);
          else put(id, position, document);
        } catch (error) {
          throw isOfRow(error) ? new Unwritable(collection, { id, position }, error) : error;
        }
      }
    },
    replace(collection: string, documents: readonly Kept<object>[], shape: Shape): void {
      const { replace } = writerOf(collection, shape);
      for (const { id, position, document } of documents) replace(id, position, document);
    },
    forget: (collection: string): void => void writers.delete(collection),
  };
};

const createPromote = (database: DatabaseSync) => {
  const isPrepared = database.prepare('SELECT 1 FROM _collections WHERE name = ?');
  const servingOf = database.prepare('SELECT collection FROM _live WHERE projection = ?');
  const setServing = database.prepare(
    `INSERT INTO _live (projection, collection) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET collection = excluded.collection`,
  );
  return (projection: string, collection: string, instead: string | undefined): boolean => {
    if (!isPrepared.get(collection)) return false;
    const serving = servingOf.get(projection)?.collection;
    if (serving === collection) return true;
    if (serving !== instead) return false;
    setServing.run(projection, collection);
    return true;
  };
};

const inTransaction = <T>(database: DatabaseSync, words: WordWriter, work: () => T): T => {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    words.forget();
    throw error;
  }
};

/** Opens or creates the file. Writes in the calling thread, which should serve no requests. */
export const openWriter = (file: string): ViewsWriter => {
  const naming = namingViews(file);
  const database = naming(() => open(file));
  const register = database.prepare(
    `INSERT INTO _collections (name, position) VALUES (?, '') ON CONFLICT DO NOTHING`,
  );
  const isServing = database.prepare('SELECT 1 FROM _live WHERE collection = ?');
  const unregister = database.prepare('DELETE FROM _collections WHERE name = ?');
  const words = createWordWriter(database);
  const { apply, replace, forget } = createApply(database, words);
  const promote = createPromote(database);
  const cleaner = createFileCleaner(database, file);

  const transact = <T>(work: () => T): T => {
    if (!database.isOpen) throw new Error('the views are closed');
    try {
      return naming(() => inTransaction(database, words, work));
    } catch (error) {
      if (error instanceof StaleCheckpoint || error instanceof Unwritable) throw error;
      const { message } = error as Error;
      throw new Error(`the views cannot be written: ${message}`, { cause: error });
    }
  };

  return {
    probe: () => transact(() => database.exec('PRAGMA user_version = 1')),
    prepare: (collection, statements) =>
      transact(() => {
        for (const statement of statements) database.exec(statement);
        register.run(collection);
      }),
    commit: (commits, shapeOf) =>
      transact(() => {
        for (const commit of commits) apply(commit, shapeOf(commit.collection));
      }),
    replace: (collection, documents, shape) =>
      transact(() => replace(collection, documents, shape)),
    clean: cleaner.clean,
    promote: (projection, collection, instead) =>
      transact(() => promote(projection, collection, instead)),
    drop: (collection) =>
      transact(() => {
        if (isServing.get(collection)) return false;
        forget(collection);
        database.exec(`DROP TABLE IF EXISTS ${collection}`);
        unregister.run(collection);
        return true;
      }),
    close: () => {
      if (database.isOpen) database.close();
      cleaner.close();
    },
  };
};
