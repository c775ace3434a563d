import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import packageFile from './package.json' with { type: 'json' };

// Builds the console into dist/, puts the script of the reference at /docs beside it, and a compressed
// copy beside each file that gets smaller by it. An installation without the tools of development, such
// as the image's, takes the built files along.

const root = import.meta.dirname;

const vite = await import('vite').catch(() => undefined);
if (vite === undefined) process.exit(0);

await vite.build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });

const dist = join(root, 'dist');
const scalar = '@scalar/api-reference';
const { [scalar]: version } = packageFile.dependencies;
await copyFile(
  new URL('browser/standalone.js', import.meta.resolve(scalar)),
  join(dist, `assets/scalar-${version}.js`),
);

const COMPRESSED = /\.(html|js|css|svg)$/;
const LARGE_BYTES = 2_000_000;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

for (const name of await readdir(dist, { recursive: true })) {
  if (!COMPRESSED.test(name)) continue;
  const path = join(dist, name);
  const content = await readFile(path);
  const params = {
    // The best quality takes half a minute for the script of the reference, and saves a tenth.
    [constants.BROTLI_PARAM_QUALITY]: content.length > LARGE_BYTES ? 9 : 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  await writeFile(`${path}.br`, await brotli(content, { params }));
  await writeFile(`${path}.gz`, await zip(content, { level: 9 }));
}
