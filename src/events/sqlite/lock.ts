import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './failure.ts';

export interface LockedDirectory {
  /** Where the events are. */
  file: string;
  release(): void;
}

/** Never opens a file that is there: closing it would drop the locks that SQLite holds on it. */
const makePrivate = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(file, 0o600);
  }
};

const syncDirectory = (directory: string): void => {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

const lock = (directory: string): DatabaseSync => {
  const file = join(directory, 'events.lock');
  makePrivate(file);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new Error(
      `the event log in ${directory} is already in use; only one process may open it`,
    );
  }
};

/**
 * Makes the directory and takes it for this process. The lock is an exclusive transaction on a
 * file of its own: the system drops it when the process ends, however it ends.
 */
export const lockDirectory = (directory: string): LockedDirectory => {
  const made = mkdirSync(directory, { recursive: true, mode: 0o700 });
  const held = lock(directory);
  const file = join(directory, 'events.db');
  makePrivate(file);
  syncDirectory(directory);
  if (made !== undefined) syncDirectory(dirname(resolve(made)));
  return { file, release: () => held.close() };
};
