import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc');

/** What the compiler says of the program whose tsconfig.json is in a folder; nothing where all is well. */
export const problemsOf = (folder: string): Promise<string> =>
  promisify(execFile)(tsc, ['-p', folder, '--pretty', 'false']).then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
