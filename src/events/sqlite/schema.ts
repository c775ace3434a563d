import { DatabaseSync } from 'node:sqlite';
import { type Naming, namingDamage } from '../../shared/damaged-file.ts';
import { demandDurability, prepareTables } from '../../shared/sqlite.ts';
import { LOG_FORMAT, OtherFormat } from '../store.ts';
import { tables } from './format.ts';

/** Needs more disk space than most appends, so that it fails when they would fail. */
export const probeSql = 'INSERT OR REPLACE INTO probe VALUES (1, zeroblob(65536))';

/** About 8 MB of pages: fewer checkpoints than SQLite's own 4 MB, and still a short recovery. */
const checkpointPages = 2_000;
const walBytesKept = 64 * 1024 * 1024;
const cacheKibibytes = 16 * 1024;
const lockTimeoutMs = 5_000;

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
    const refuse = (found: number) => new OtherFormat(file, found);
    prepareTables(database, file, { version: LOG_FORMAT, tables, refuse });
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
