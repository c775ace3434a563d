import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Scenario } from '../bench.ts';

const program = join(import.meta.dirname, '../statement.ts');

/** Writes its own log and prints its own lines. */
export const statement: Scenario = {
  name: 'statement',
  ids: ['V2'],
  about: 'the statement of a month of a million movements, against a bare read of the same events',
  async run(bench) {
    const parameters = ['--expose-gc', program, '--rounds', String(bench.rounds(5))];
    const child = spawn(process.execPath, parameters, { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`it ended with ${code}`);
  },
};
