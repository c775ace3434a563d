import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Bench } from './bench.ts';

const source = join(import.meta.dirname, 'programs/slow-fsync.c');

/**
 * The environment in which each sync of a file takes so much longer; undefined, and said so, where
 * there is no C compiler or no loader that could load such a library.
 */
export const slowDisk = (bench: Bench, extraMs: number): Record<string, string> | undefined => {
  if (process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0) {
    bench.say('  left out: slowing down a disk needs Linux and a C compiler (cc)');
    return undefined;
  }
  const library = join(bench.folder(), 'slow-fsync.so');
  const built = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source]);
  if (built.status !== 0) throw new Error(`slow-fsync.c cannot be compiled: ${built.stderr}`);
  return { LD_PRELOAD: library, FSYNC_EXTRA_US: String(extraMs * 1000) };
};
