import { chmodSync, closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes a file, or the entries of a directory, durable. */
export const sync = (path: string): void => {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/**
 * Makes a file that only its owner can read. Never opens an existing file: closing it would drop the
 * locks that SQLite holds on it.
 */
export const makePrivate = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(file, 0o600);
  }
};
