import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

// Builds the console into dist/, with a compressed copy beside each file that gets smaller by it. An
// installation without the tools of development, such as the image's, takes the built files along.

const root = import.meta.dirname;

const vite = await import('vite').catch(() => undefined);
if (vite === undefined) process.exit(0);

await vite.build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });

const dist = join(root, 'dist');
const COMPRESSED = /\.(html|js|css|svg)$/;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

for (const name of await readdir(dist, { recursive: true })) {
  if (!COMPRESSED.test(name)) continue;
  const path = join(dist, name);
  const content = await readFile(path);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  await writeFile(`${path}.br`, await brotli(content, { params }));
  await writeFile(`${path}.gz`, await zip(content, { level: 9 }));
}
