import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sync } from '../../shared/files.ts';
import { keysFile } from './schema.ts';

// Copies of the data keys. They are files of their own, apart from the copies of the log: who holds
// both copies, and the secret, can read what has been erased since.

/** What a copy of the keys holds: contacts' ids, and their keys. */
export interface KeysCopy {
  file: string;
  subjects: number;
  keys: number;
}

/** Reads a copy through. Throws when it is damaged, or holds something else. */
export const inspectKeys = (file: string): KeysCopy => {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const [verdict] = Object.values(database.prepare('PRAGMA integrity_check').get()!);
    if (verdict !== 'ok') throw new Error(String(verdict));
    const count = (table: string) =>
      Number(database!.prepare(`SELECT count(*) AS count FROM ${table}`).get()!.count);
    return { file, subjects: count('subjects'), keys: count('keys') };
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`${file} is damaged, or no copy of data keys: ${message}`, { cause });
  } finally {
    database?.close();
  }
};

/** Makes a finished copy durable, and gives it its name. */
const place = (partial: string, file: string): void => {
  chmodSync(partial, 0o600);
  sync(partial);
  renameSync(partial, file);
  sync(dirname(file));
};

/** Copies the keys as they are at one moment. A service may write to them meanwhile. */
export const backUpKeys = (data: string, out: string): KeysCopy => {
  const partial = `${out}.partial`;
  mkdirSync(dirname(out), { recursive: true, mode: 0o700 });
  rmSync(partial, { force: true });
  const database = new DatabaseSync(keysFile(data), { readOnly: true });
  try {
    database.prepare('VACUUM INTO ?').run(partial);
  } finally {
    database.close();
  }
  const copy = inspectKeys(partial);
  place(partial, out);
  return { ...copy, file: out };
};

/**
 * Makes room for a copy of the keys. Throws for a directory with keys, or with what is left of their
 * write-ahead log. A start without keys leaves a file that holds none.
 */
const makeRoom = (data: string): void => {
  const file = keysFile(data);
  for (const one of [`${file}-wal`, `${file}-shm`, file]) {
    if (!existsSync(one)) continue;
    const isEmpty = one === file && inspectKeys(file).subjects === 0;
    if (!isEmpty) throw new Error(`${one} exists: stop the service, and move it away`);
    rmSync(file);
  }
};

/** Puts a copy of the keys into a data directory without keys. */
export const restoreKeys = (from: string, data: string): KeysCopy => {
  const copy = inspectKeys(from);
  const file = keysFile(data);
  makeRoom(data);
  const partial = `${file}.partial`;
  copyFileSync(from, partial);
  place(partial, file);
  return copy;
};
