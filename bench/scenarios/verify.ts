import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Scenario } from '../bench.ts';

const program = join(import.meta.dirname, '../verify.ts');

/** Writes its own logs and prints its own lines. */
export const verify: Scenario = {
  name: 'verify',
  ids: ['V1'],
  about: 'verification of the books, against a bare loop and against a replay',
  async run(bench) {
    const parameters = ['--rounds', String(bench.rounds(5))];
    const child = spawn(process.execPath, [program, ...parameters], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`it ended with ${code}`);
  },
};
