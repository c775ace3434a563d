import { renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

// A backup is made by a process of its own. It leaves its time in the data directory, where the service
// finds it for its metrics: a backup that is not made any more is silent otherwise.

/** Where a backup is put together: beside the data, because a temporary directory may be too small. */
export const stagingIn = (data: string): string => join(data, 'backup.partial');

const markIn = (data: string): string => join(data, 'backup.json');

export const markBackup = (data: string, at: number): void => {
  const partial = `${markIn(data)}.partial`;
  writeFileSync(partial, JSON.stringify({ at }), { mode: 0o600 });
  renameSync(partial, markIn(data));
};

/** When the last one was made, in milliseconds since 1970; undefined before the first. */
export const lastBackupOf = async (data: string): Promise<number | undefined> => {
  try {
    const { at } = JSON.parse(await readFile(markIn(data), 'utf8'));
    return typeof at === 'number' ? at : undefined;
  } catch {
    return undefined;
  }
};
