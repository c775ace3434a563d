import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes a file, or the entries of a directory, durable. */
export const sync = (path: string): void => {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};
