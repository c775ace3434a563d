import { DatabaseSync } from 'node:sqlite';
import type { Failure, PackedCommit, Task } from './protocol.ts';
import { namingViews } from './reading.ts';
import { createRowWriter, type StoredRow } from './rows.ts';

const LOCK_TIMEOUT_MS = 5_000;
const CACHE_KIBIBYTES = 32 * 1024;
/** About 32 MB of pages: documents change often, and each checkpoint writes a page only once. */
const CHECKPOINT_PAGES = 8_000;
const WAL_BYTES_KEPT = 64 * 1024 * 1024;

/** What SQLite says of a row that it can never take: no JSON to it, too big, or a broken rule. */
const ROW_FAULTS: readonly unknown[] = [1, 18, 19, 20];

/** The commit as a whole must not be tried again as it is. */
class Refused extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

const open = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS });
  // NORMAL may lose the last commits in a power cut, never order or wholeness: what is lost is
  // folded again from the checkpoint that stands beside the documents.
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -${CACHE_KIBIBYTES};
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA journal_size_limit = ${WAL_BYTES_KEPT};
    CREATE TABLE IF NOT EXISTS _collections (
      name TEXT PRIMARY KEY, position TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS _live (
      projection TEXT PRIMARY KEY, collection TEXT NOT NULL
    ) STRICT;
  `);
  return database;
};

export const openForWriting = (file: string): DatabaseSync => namingViews(file)(() => open(file));

/** Does one task in one transaction. False when the task found another picture than its sender had, and changed nothing. */
export const createTaskRunner = (database: DatabaseSync) => {
  const register = database.prepare(
    `INSERT INTO _collections (name, position) VALUES (?, '') ON CONFLICT DO NOTHING`,
  );
  const move = database.prepare(
    'UPDATE _collections SET position = ? WHERE name = ? AND position = ?',
  );
  const isPrepared = database.prepare('SELECT 1 FROM _collections WHERE name = ?');
  const isServing = database.prepare('SELECT 1 FROM _live WHERE collection = ?');
  const servingOf = database.prepare('SELECT collection FROM _live WHERE projection = ?');
  const setServing = database.prepare(
    `INSERT INTO _live (projection, collection) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET collection = excluded.collection`,
  );
  const forget = database.prepare('DELETE FROM _collections WHERE name = ?');
  const writers = new Map<string, ReturnType<typeof createRowWriter>>();

  const writerOf = (collection: string, fields: readonly string[]) => {
    const known = writers.get(collection);
    if (known) return known;
    const writer = createRowWriter(database, collection, fields);
    writers.set(collection, writer);
    return writer;
  };

  const apply = ({ collection, from, to, fields, rows }: PackedCommit) => {
    if (move.run(to, collection, from).changes !== 1) {
      throw new Refused({ kind: 'stale', collection });
    }
    if (rows.length === 0) return;
    const { put, remove } = writerOf(collection, fields);
    const width = 3 + fields.length;
    for (let at = 0; at < rows.length; at += width) {
      const row = rows.slice(at, at + width);
      if (row[2] === null) remove(row);
      else refusing(collection, row, put);
    }
  };

  const promote = ({ projection, collection, instead }: Extract<Task, { kind: 'promote' }>) => {
    if (!isPrepared.get(collection)) return false;
    const serving = (servingOf.get(projection) as { collection: string } | undefined)?.collection;
    if (serving === collection) return true;
    if (serving !== instead) return false;
    setServing.run(projection, collection);
    return true;
  };

  const drop = ({ collection }: Extract<Task, { kind: 'drop' }>) => {
    if (isServing.get(collection)) return false;
    writers.delete(collection);
    database.exec(`DROP TABLE IF EXISTS ${collection}`);
    forget.run(collection);
    return true;
  };

  const run = (task: Exclude<Task, { kind: 'close' }>): boolean => {
    switch (task.kind) {
      case 'probe':
        database.exec('PRAGMA user_version = 1');
        return true;
      case 'prepare':
        for (const statement of task.statements) database.exec(statement);
        register.run(task.collection);
        return true;
      case 'commit':
        for (const commit of task.commits) apply(commit);
        return true;
      case 'promote':
        return promote(task);
      case 'drop':
        return drop(task);
    }
  };

  const transact = (task: Exclude<Task, { kind: 'close' }>): boolean => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const done = run(task);
      database.exec('COMMIT');
      return done;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };

  const naming = namingViews(database.location() ?? 'views.db');
  return (task: Exclude<Task, { kind: 'close' }>): boolean => naming(() => transact(task));
};

/** Does it, and says which document it is that SQLite can never take. */
const refusing = (collection: string, row: StoredRow, put: (row: StoredRow) => void): void => {
  try {
    put(row);
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: unknown };
    if (!ROW_FAULTS.includes(errcode)) throw error;
    throw new Refused({ kind: 'unwritable', collection, position: String(row[1]), message });
  }
};

export const failureOf = (error: unknown): Failure =>
  error instanceof Refused ? error.failure : { kind: 'fault', message: (error as Error).message };
