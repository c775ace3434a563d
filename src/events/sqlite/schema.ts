import { DatabaseSync } from 'node:sqlite';
import { type Naming, namingDamage } from '../../shared/damaged-file.ts';

/** The user_version of the file. Raise it with every change of the tables. */
const schemaVersion = 1;

const tables = `
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    version INTEGER NOT NULL,
    data TEXT NOT NULL,
    meta TEXT NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT;
  CREATE TABLE snapshots (
    stream TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
  CREATE TABLE probe (
    id INTEGER PRIMARY KEY,
    filler BLOB NOT NULL
  ) STRICT;
  PRAGMA user_version = ${schemaVersion};
`;

/** Needs more disk space than most appends, so that it fails when they would fail. */
export const probeSql = 'INSERT OR REPLACE INTO probe VALUES (1, zeroblob(65536))';

/** About 8 MB of pages: fewer checkpoints than SQLite's own 4 MB, and still a short recovery. */
const checkpointPages = 2_000;
const walBytesKept = 64 * 1024 * 1024;
const cacheKibibytes = 16 * 1024;
const lockTimeoutMs = 5_000;

const pragma = (database: DatabaseSync, name: string): unknown =>
  Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];

/** Without WAL and FULL a power cut can lose an acknowledged event. */
const demandDurability = (database: DatabaseSync, file: string): void => {
  pragma(database, 'journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;');
  const journal = pragma(database, 'journal_mode');
  const synchronous = pragma(database, 'synchronous');
  if (journal !== 'wal' || synchronous !== 2) {
    const found = `journal_mode ${journal}, synchronous ${synchronous}`;
    throw new Error(`${file} cannot be written durably: ${found}, where wal and 2 are needed`);
  }
};

const prepareTables = (database: DatabaseSync, file: string): void => {
  const version = pragma(database, 'user_version');
  if (version === schemaVersion) return;
  if (version !== 0) {
    throw new Error(`${file} is of format ${version}; this program knows format ${schemaVersion}`);
  }
  database.exec(`BEGIN IMMEDIATE; ${tables} COMMIT;`);
};

/** Adds the file and the remedy to errors about a damaged log. */
export const namingLog = (file: string): Naming =>
  namingDamage(
    file,
    'stop the service and restore a backup (waybill restore --from <backup> --data <empty folder>). ' +
      'No other copy of the events is kept',
  );

const writable = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: lockTimeoutMs });
  try {
    demandDurability(database, file);
    database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    database.exec(`PRAGMA journal_size_limit = ${walBytesKept}`);
    database.exec(`PRAGMA cache_size = -${cacheKibibytes}`);
    prepareTables(database, file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

export const openForWriting = (file: string): DatabaseSync => namingLog(file)(() => writable(file));

export const openForReading = (file: string): DatabaseSync =>
  namingLog(file)(() => {
    const database = new DatabaseSync(file, { readOnly: true, timeout: lockTimeoutMs });
    database.exec(`PRAGMA cache_size = -${cacheKibibytes}`);
    return database;
  });
