import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import packageFile from './package.json' with { type: 'json' };

// Builds the console into dist/, puts the script of the reference at /docs beside it, and a compressed
// copy beside each file that gets smaller by it. An installation without the tools of development, such
// as the image's, takes the built files along.

interface Reply {
  header(): Reply;
  send(text: string): void;
}
/** As much of Fastify as its plugin needs here. */
interface Server {
  route(one: { url: string; handler(request: object, reply: Reply): void }): void;
}
type Plugin = (server: Server, options: { configuration: object }, done: () => void) => void;

const root = import.meta.dirname;

const vite = await import('vite').catch(() => undefined);
if (vite === undefined) process.exit(0);

await vite.build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });

const dist = join(root, 'dist');
const scalar = '@scalar/fastify-api-reference';
const { [scalar]: version } = packageFile.dependencies;

/**
 * The script of the reference, which Fastify's plugin holds in one piece and serves: @scalar/api-reference
 * itself brings 184 packages more, all of which are in the script already.
 */
const scalarScript = async (): Promise<string> => {
  const { default: plugin } = (await import(scalar)) as unknown as { default: Plugin };
  let script = '';
  const reply: Reply = {
    header: () => reply,
    send: (text) => {
      script = text;
    },
  };
  const route: Server['route'] = ({ url, handler }) => {
    if (url.endsWith('.js')) handler({}, reply);
  };
  plugin({ route }, { configuration: { url: '/' } }, () => undefined);
  if (script === '') throw new Error(`${scalar} ${version} serves no script`);
  return script;
};

await writeFile(join(dist, `assets/scalar-${version}.js`), await scalarScript());

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
