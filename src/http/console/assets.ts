import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../shared/errors.ts';
import type { Response } from '../edge/respond.ts';
import {
  A_YEAR,
  ASK_AGAIN,
  type ContentServer,
  createContentServer,
  type Encoding,
} from '../route/content.ts';
import { defineRawRoute, type RawRequest, type RawRoute } from '../route/raw-route.ts';

// The built console: one page, and files that have a hash of their content in their names.

const BUILT = fileURLToPath(new URL('../../../console/dist/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** Made by the build beside each file that gets smaller by it. */
const endings = { br: '.br', gzip: '.gz' } as const;

const PAGE = 'index.html';

/** The names of the built files; none before a build. */
const builtFiles = (): ReadonlySet<string> => {
  try {
    const names = readdirSync(BUILT, { recursive: true }) as string[];
    return new Set(names.map((name) => name.replaceAll('\\', '/')));
  } catch {
    return new Set();
  }
};

const serverOf = (name: string, built: ReadonlySet<string>): ContentServer =>
  createContentServer({
    type: types[name.split('.').at(-1)!] ?? 'application/octet-stream',
    cacheControl: name === PAGE ? ASK_AGAIN : A_YEAR,
    encodings: (Object.keys(endings) as Encoding[]).filter((one) =>
      built.has(`${name}${endings[one]}`),
    ),
    read: (encoding) => readFile(join(BUILT, `${name}${encoding ? endings[encoding] : ''}`)),
  });

const notBuilt = (hint?: string) => new AppError('route.unknown', 'Not found', { hint });
const BUILD = 'Build the console first: npm run console.';

/** The address of the script that draws the reference, which the build puts beside the console's. */
export const referenceScript = (): string => {
  const found = [...builtFiles()].find((name) => /^assets\/scalar-[\d.]+\.js$/.test(name));
  if (found === undefined) throw notBuilt(BUILD);
  return `/console/${found}`;
};

const createFiles = () => {
  let built: ReadonlySet<string> | undefined;
  /** Bounded by the number of built files. */
  const servers = new Map<string, ContentServer>();
  return async (name: string, { headers }: RawRequest): Promise<Response> => {
    // A build may come while the process runs.
    if (!built?.size) built = builtFiles();
    if (!built.has(name)) throw notBuilt(built.size === 0 ? BUILD : undefined);
    const serve = servers.get(name) ?? serverOf(name, built);
    servers.set(name, serve);
    return serve(headers);
  };
};

/** `/console`, its files, and its pages, which the browser draws. */
export const assetRoutes = (): readonly RawRoute[] => {
  const serve = createFiles();
  const common = { method: 'GET', limitBytes: 0 } as const;
  return [
    defineRawRoute({ ...common, path: '/console', handle: (request) => serve(PAGE, request) }),
    defineRawRoute({
      ...common,
      path: '/console/*rest',
      handle: (request) => {
        const rest = String(request.params.rest);
        return serve(rest.startsWith('assets/') ? rest : PAGE, request);
      },
    }),
  ];
};
