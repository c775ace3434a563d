import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** Major versions of Node that the client for TypeScript is tested on. */
export const MAJORS = [20, 22, 24];

const versionOf = (program: string): string => {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
};

/** A Node of a major version, if this machine has it: our own, on the path, or named by NODE_20, say. */
export const findNode = (major: number): string | undefined =>
  [
    process.execPath,
    process.env[`NODE_${major}`] ?? [],
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node')),
  ]
    .flat()
    .find((program) => versionOf(program).startsWith(`v${major}.`));
