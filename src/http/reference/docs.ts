import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { createOnce } from '../../shared/concurrency.ts';
import { AppError } from '../../shared/errors.ts';
import { referenceScript } from '../console/assets.ts';
import { reply } from '../edge/respond.ts';
import {
  A_YEAR,
  ASK_AGAIN,
  type ContentServer,
  createContentServer,
  type Encoding,
  POLICY,
} from '../route/content.ts';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';
import { readReference } from './openapi.ts';
import type { DemoSecrets, Reference } from './page.ts';

// The reference as a page that can send requests, and the pages beside it. Each loads everything from this
// service, and its policy allows no other address.

const encoders: Readonly<Record<Encoding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

interface Text {
  path: string;
  type: string;
  cacheControl: string;
  /** What the page may load and run, where that differs from other pages. */
  policy?: string;
  /** May change while the process lives. `name` is that of a path with one, and refused where unknown. */
  text: (host: string, name: string) => string | Promise<string>;
}

const serverOf = (text: string, { type, cacheControl, policy = POLICY }: Text): ContentServer => {
  const bytes = Buffer.from(text);
  return createContentServer({
    type: `${type}; charset=utf-8`,
    cacheControl,
    policy,
    encodings: Object.keys(encoders) as Encoding[],
    read: async (encoding) => (encoding ? encoders[encoding](bytes) : bytes),
  });
};

/** Each text is compressed once for each encoding; the newest one of each name is kept. */
const contentRoute = (content: Text): RawRoute => {
  /** Bounded by the names that exist. */
  const kept = new Map<string, { text: string; serve: ContentServer }>();
  return defineRawRoute({
    method: 'GET',
    path: content.path,
    limitBytes: 0,
    async handle({ headers, params: { name = '' } }) {
      const text = await content.text(String(headers.host), name);
      const known = kept.get(name);
      if (known?.text === text) return known.serve(headers);
      const serve = serverOf(text, content);
      kept.set(name, { text, serve });
      return serve(headers);
    },
  });
};

/** A name that another site could lead here, by its DNS, gets no secrets. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Whether the caller is a browser that opens a page. */
const wantsPage = (accept: string | undefined): boolean => (accept ?? '').includes('text/html');

const rootRoute = defineRawRoute({
  method: 'GET',
  path: '/',
  limitBytes: 0,
  handle({ headers }) {
    if (!wantsPage(headers.accept)) throw new AppError('route.unknown', 'Not found');
    return reply(302, 'The reference is at /docs.\n', {
      'Content-Type': 'text/plain; charset=utf-8',
      Location: '/docs',
      Vary: 'Accept',
      'Cache-Control': 'no-cache',
    });
  },
});

const plainType = (type: string) => ({ type, cacheControl: ASK_AGAIN });
const pageType = plainType('text/html');

const style = readFileSync(new URL('./pages.css', import.meta.url), 'utf8');
const styleHash = createHash('sha256').update(style).digest('hex').slice(0, 16);
const STYLE = `/docs/pages.${styleHash}.css`;

/** Scalar writes styles into its page; its scripts are a file, and need no `eval`. */
const REFERENCE_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

const referenceRoute = (demo: () => DemoSecrets | undefined): RawRoute => {
  let shown:
    | { host: string; secrets: DemoSecrets | undefined; text: () => Promise<string> }
    | undefined;
  const make = async (host: string, secrets: DemoSecrets | undefined) => {
    const { referencePage } = await import('./page.ts');
    const reference = (await readReference()) as Reference;
    return referencePage(reference, referenceScript(), { host, demo: secrets });
  };
  return contentRoute({
    ...pageType,
    path: '/docs',
    policy: REFERENCE_POLICY,
    text(asked) {
      const secrets = LOOPBACK.test(asked) ? demo() : undefined;
      // Only the demo's call names the host.
      const host = secrets ? asked : '';
      if (shown?.host !== host || shown.secrets !== secrets) {
        shown = { host, secrets, text: createOnce(() => make(host, secrets)) };
      }
      return shown.text();
    },
  });
};

const guide = async (name?: string) => (await import('./guides.ts')).guidePage(STYLE, name);

/** `/docs`, the pages beside it, and `/`, which leads a browser there. */
export const docsRoutes = (
  demo: () => DemoSecrets | undefined = () => undefined,
): readonly RawRoute[] => [
  rootRoute,
  referenceRoute(demo),
  contentRoute({
    ...pageType,
    path: '/docs/errors',
    async text() {
      const { errorsPage } = await import('./error-pages.ts');
      const { BAR, headHtml } = await import('./page.ts');
      return errorsPage({ head: headHtml('Waybill errors', STYLE), bar: BAR });
    },
  }),
  contentRoute({ ...pageType, path: '/docs/runbooks', text: () => guide('runbooks') }),
  contentRoute({ ...pageType, path: '/docs/guides', text: () => guide() }),
  // Before the next one, which takes every name.
  contentRoute({
    ...plainType('text/markdown'),
    path: '/docs/guides/:name.md',
    text: async (_, name) => (await import('./guides.ts')).guideText(name),
  }),
  contentRoute({ ...pageType, path: '/docs/guides/:name', text: (_, name) => guide(name) }),
  contentRoute({
    ...plainType('text/plain'),
    path: '/llms.txt',
    text: async () => (await import('./guides.ts')).llmsText(),
  }),
  contentRoute({ path: STYLE, type: 'text/css', cacheControl: A_YEAR, text: () => style }),
];
