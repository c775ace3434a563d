import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../shared/errors.ts';
import { answerCached, etagOf } from '../openapi/route.ts';
import { defineRawRoute, type RawRequest, type RawRoute } from '../route/raw-route.ts';
import type { Response } from '../route/response.ts';

// The built console: one page, and files that have a hash of their content in their names.

const BUILT = fileURLToPath(new URL('../../../console/dist/', import.meta.url));

/** No script and no style but ours, and no other address. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** Made by the build beside each file that gets smaller by it; the first that a browser takes. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const PAGE = 'index.html';
const YEAR = 'public, max-age=31536000, immutable';

interface File {
  body: Buffer;
  etag: string;
  headers: Record<string, string>;
}

const load = async (name: string, encoding: (typeof encodings)[number] | undefined) => {
  const body = await readFile(join(BUILT, `${name}${encoding?.[1] ?? ''}`));
  const isPage = name === PAGE;
  return {
    body,
    etag: etagOf(body),
    headers: {
      'Content-Type': types[name.split('.').at(-1)!] ?? 'application/octet-stream',
      'Cache-Control': isPage ? 'no-cache' : YEAR,
      Vary: 'Accept-Encoding',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Opener-Policy': 'same-origin',
      ...(encoding && { 'Content-Encoding': encoding[0] }),
    },
  };
};

/** The names of the built files; none before a build. */
const builtFiles = (): ReadonlySet<string> => {
  try {
    const names = readdirSync(BUILT, { recursive: true }) as string[];
    return new Set(names.map((name) => name.replaceAll('\\', '/')));
  } catch {
    return new Set();
  }
};

const createFiles = () => {
  let built: ReadonlySet<string> | undefined;
  /** Bounded by the number of built files. */
  const loaded = new Map<string, Promise<File>>();
  const serve = async (name: string, { headers }: RawRequest): Promise<Response> => {
    built ??= builtFiles();
    if (!built.has(name)) {
      throw new AppError('route.unknown', 'Not found', {
        hint: built.size === 0 ? 'Build the console first: npm run console.' : undefined,
      });
    }
    const accepted = String(headers['accept-encoding'] ?? '');
    const encoding = encodings.find(
      ([token, ending]) => accepted.includes(token) && built?.has(`${name}${ending}`),
    );
    const key = `${name}${encoding?.[1] ?? ''}`;
    const file = loaded.get(key) ?? load(name, encoding);
    loaded.set(key, file);
    return answerCached(headers['if-none-match'], await file);
  };
  return serve;
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
