import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Naming, namingDamage } from '../../shared/damaged-file.ts';
import { demandDurability, pragma, prepareTables } from '../../shared/sqlite.ts';

/** Raise it with every change of the tables. */
const VERSION = 1;

const TABLES = `
  CREATE TABLE accounts (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE subjects (
    hash TEXT PRIMARY KEY,
    ref TEXT NOT NULL UNIQUE,
    account INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE keys (
    ref TEXT NOT NULL,
    month TEXT NOT NULL,
    account INTEGER NOT NULL,
    wrapped BLOB NOT NULL,
    PRIMARY KEY (ref, month)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX keys_by_month ON keys (account, month);
  CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    applied INTEGER NOT NULL
  ) STRICT;
  INSERT INTO state VALUES (1, -1);
`;

/** In WAL mode a reader waits only for a recovery, and the writer for a backup that begins. */
export const LOCK_TIMEOUT_MS = 1_000;

/** The file of the data keys in a data directory. */
export const keysFile = (directory: string): string => join(directory, 'keys.db');

/** Adds the file and the remedy to errors about damaged data keys. */
export const namingKeys = (file: string): Naming =>
  namingDamage(
    file,
    'stop the service, move keys.db, keys.db-wal and keys.db-shm away, and put the latest copy back ' +
      '(waybill restore --keys <file> --data <folder>). Without a copy, the contents of contacts stay ' +
      'unreadable; nothing else is lost',
  );

const writable = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS });
  try {
    demandDurability(database, file);
    // Overwrites with zeros what is deleted, in the pages that stay and in free ones.
    const secureDelete = pragma(database, 'secure_delete = ON');
    if (secureDelete !== 1) throw new Error(`${file} cannot be cleaned: secure_delete stays off`);
    prepareTables(database, file, { version: VERSION, tables: TABLES });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

export const openForWriting = (file: string): DatabaseSync =>
  namingKeys(file)(() => writable(file));

export const openForReading = (file: string): DatabaseSync =>
  namingKeys(file)(() => new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS }));
