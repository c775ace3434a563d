import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

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

/**
 * Makes a directory for this user alone, and those above it; returns the first that it made. Node's own
 * way to make them all never returns under /proc.
 */
export const makeDirectory = (directory: string): string | undefined => {
  const missing: string[] = [];
  for (let at = resolve(directory); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const one of missing) {
    try {
      mkdirSync(one, { mode: 0o700 });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another process made it meanwhile.
      if (code === 'EEXIST') continue;
      const remedy = 'name a folder that the service may write, with WAYBILL_DATA';
      throw new Error(`the directory ${directory} cannot be made (${code}): ${remedy}`);
    }
  }
  return missing[0];
};

/** Bytes that are free for a directory, which need not exist yet. */
export const freeBytesOn = async (directory: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing && directory !== dirname(directory)) return freeBytesOn(dirname(directory));
    throw error;
  }
};
