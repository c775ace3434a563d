import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Bench } from './bench.ts';

const source = join(import.meta.dirname, 'programs/slow-fsync.c');

/**
 * The environment variables that make each sync of a file slower. Undefined, with a line in the
 * report, without a C compiler or a loader for such a library.
 */
export const slowDisk = (bench: Bench, extraMs: number): Record<string, string> | undefined => {
  if (process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0) {
    bench.say('  skipped: a slow disk needs Linux and a C compiler (cc)');
    return undefined;
  }
  const library = join(bench.folder(), 'slow-fsync.so');
  const built = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source]);
  if (built.status !== 0) throw new Error(`slow-fsync.c cannot be compiled: ${built.stderr}`);
  return { LD_PRELOAD: library, FSYNC_EXTRA_US: String(extraMs * 1000) };
};
