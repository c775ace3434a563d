import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';

const SOURCE = join(import.meta.dirname, '../events/sqlite/failing-fsync.c');

/** Whether a program is on this machine. */
export const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version']).status === 0;

/**
 * Builds the library that makes fsync fail or wait; for LD_PRELOAD. Undefined on a machine that cannot
 * build or load it.
 */
export const buildFailingFsync = (directory: string): string | undefined => {
  if (process.platform !== 'linux' || !isInstalled('cc')) return undefined;
  const library = join(directory, 'fsync.so');
  expect(spawnSync('cc', ['-shared', '-fPIC', '-o', library, SOURCE]).status).to.equal(0);
  return library;
};
