import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import {
  A_YEAR,
  ASK_AGAIN,
  type ContentServer,
  createContentServer,
  type Encoding,
} from '../route/content.ts';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';
import type { JsonRoute } from '../route/route.ts';
import type { DemoSecrets } from './page.ts';

// The reference as a page that can send requests. The page loads everything from this service, and
// its policy allows no other address.

const encoders: Readonly<Record<Encoding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

interface Text {
  path: string;
  type: string;
  cacheControl: string;
  /** May change while the process lives. */
  text: (host: string) => string | Promise<string>;
}

const serverOf = (text: string, { type, cacheControl }: Text): ContentServer => {
  const bytes = Buffer.from(text);
  return createContentServer({
    type: `${type}; charset=utf-8`,
    cacheControl,
    encodings: Object.keys(encoders) as Encoding[],
    read: async (encoding) => (encoding ? encoders[encoding](bytes) : bytes),
  });
};

/** Each text is compressed once for each encoding; the newest text is kept. */
const contentRoute = (content: Text): RawRoute => {
  let kept: { text: string; serve: ContentServer } | undefined;
  return defineRawRoute({
    method: 'GET',
    path: content.path,
    limitBytes: 0,
    async handle({ headers }) {
      const text = await content.text(String(headers.host));
      if (kept?.text !== text) kept = { text, serve: serverOf(text, content) };
      return kept.serve(headers);
    },
  });
};

/** A file whose address has a hash of its content. */
const asset = (name: string, type: string): Text => {
  const content = readFileSync(new URL(name, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return {
    path: `/docs/${name.replace('.', `.${hash}.`)}`,
    type,
    cacheControl: A_YEAR,
    text: () => content,
  };
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

/** `/docs`, its files, and `/`, which leads a browser there. */
export const docsRoutes = (
  routes: readonly JsonRoute[],
  demo: () => DemoSecrets | undefined = () => undefined,
): readonly RawRoute[] => {
  const style = asset('reference.css', 'text/css');
  const script = asset('reference.js', 'text/javascript');
  const files = { style: style.path, script: script.path };
  const page = { type: 'text/html', cacheControl: ASK_AGAIN };
  let shown: { secrets: DemoSecrets | undefined; text: Promise<string> } | undefined;
  const make = async (secrets: DemoSecrets | undefined) => {
    const { referencePage } = await import('./page.ts');
    return referencePage(routes, files, secrets);
  };
  return [
    rootRoute,
    contentRoute({
      ...page,
      path: '/docs',
      text(host) {
        const secrets = LOOPBACK.test(host) ? demo() : undefined;
        if (shown === undefined || shown.secrets !== secrets) {
          shown = { secrets, text: make(secrets) };
        }
        return shown.text;
      },
    }),
    contentRoute({
      ...page,
      path: '/docs/errors',
      async text() {
        const { errorsPage } = await import('../openapi/error-pages.ts');
        const { BAR, headHtml } = await import('./page.ts');
        return errorsPage({ head: headHtml('Waybill errors', files), bar: BAR });
      },
    }),
    contentRoute({
      ...page,
      path: '/docs/runbooks',
      async text() {
        const { runbooksPage } = await import('./runbooks.ts');
        return runbooksPage(files);
      },
    }),
    contentRoute(style),
    contentRoute(script),
  ];
};
