import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDirectory, makePrivate, sync } from '../../shared/files.ts';
import { isBusy } from '../../shared/sqlite.ts';

interface LockedDirectory {
  /** The file of the events. */
  file: string;
  release(): void;
}

const lock = (directory: string, what: string): DatabaseSync => {
  const file = join(directory, 'events.lock');
  makePrivate(file);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new Error(`the ${what} in ${directory} is already in use; only one process may open it`);
  }
};

/**
 * Creates the directory and locks it for this process. The lock is an exclusive transaction on a
 * file of its own, which the system releases at any end of the process.
 */
export const holdDirectory = (
  directory: string,
  what: string,
): Pick<LockedDirectory, 'release'> => {
  const made = makeDirectory(directory);
  const held = lock(directory, what);
  if (made !== undefined) sync(dirname(resolve(made)));
  return { release: () => held.close() };
};

/** The same for a directory with a log. */
export const lockDirectory = (directory: string): LockedDirectory => {
  const { release } = holdDirectory(directory, 'event log');
  const file = join(directory, 'events.db');
  makePrivate(file);
  sync(directory);
  return { file, release };
};
