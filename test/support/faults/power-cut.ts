import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// A power cut, as far as a program can bring one about. What was written and never synced may be
// on the disk or not; what was synced is. A library that is loaded before the C library keeps a
// copy of each file as of its last sync; after a kill -9 each file is put back either so or as the
// kernel still had it. What this cannot show: parts of one file's unsynced pages surviving without
// the others, and disks that lie about syncing.

const source = join(import.meta.dirname, '../../faults/synced.c');

export interface PowerCuts {
  /** Everything on the disk counts as synced from here on. Gives what the process must be told. */
  begin(): Record<string, string>;
  /** Puts back what a disk may hold after a cut; `isSynced` chooses for each file. */
  cut(isSynced: (file: string) => boolean): void;
}

/** Undefined where there is no C compiler, or no loader that could load such a library. */
export const preparePowerCuts = (directory: string, workshop: string): PowerCuts | undefined => {
  if (process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0) return undefined;
  const library = join(workshop, 'synced.so');
  const built = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source]);
  if (built.status !== 0) throw new Error(`synced.c cannot be compiled: ${built.stderr}`);
  const synced = join(workshop, 'synced');
  const files = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith('draft'));

  return {
    begin() {
      rmSync(synced, { recursive: true, force: true });
      mkdirSync(synced);
      for (const file of files(directory)) copyFileSync(join(directory, file), join(synced, file));
      return { LD_PRELOAD: library, SYNCED_OF: directory, SYNCED_TO: synced };
    },
    cut(isSynced) {
      const now = new Set([...files(directory), ...files(synced)]);
      for (const file of now) {
        const target = join(directory, file);
        // Shared memory between processes: it is on no disk, and is made anew.
        if (file.endsWith('-shm')) rmSync(target, { force: true });
        else if (isSynced(file)) {
          if (existsSync(join(synced, file))) copyFileSync(join(synced, file), target);
          else rmSync(target, { force: true });
        }
      }
    },
  };
};
