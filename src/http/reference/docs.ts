import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { AppError } from '../../shared/errors.ts';
import { answerCached, etagOf } from '../openapi/route.ts';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';
import { reply } from '../route/response.ts';
import type { JsonRoute } from '../route/route.ts';
import type { DemoSecrets } from './page.ts';

// The reference as a page that can send requests. The page loads everything from this service, and
// its policy allows no other address.

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const encoders: Readonly<Record<string, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

interface Content {
  path: string;
  type: string;
  cacheControl: string;
  /** The text may change while the process lives. */
  text: (host: string) => string | Promise<string>;
}

/** Each text is compressed once for each encoding; the newest text is kept. */
const createEncoded = ({ type, cacheControl, text }: Content) => {
  let kept = '';
  const bodies = new Map<string, ReturnType<typeof make>>();
  const make = async (encoding: string) => {
    const body = (await encoders[encoding]?.(Buffer.from(kept))) ?? Buffer.from(kept);
    return {
      body,
      etag: etagOf(body),
      headers: {
        'Content-Type': `${type}; charset=utf-8`,
        'Cache-Control': cacheControl,
        Vary: 'Accept-Encoding',
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
        ...(encoding !== '' && { 'Content-Encoding': encoding }),
      },
    };
  };
  return async (accepted: string, host: string) => {
    const now = await text(host);
    if (now !== kept) bodies.clear();
    kept = now;
    const encoding = Object.keys(encoders).find((one) => accepted.includes(one)) ?? '';
    const body = bodies.get(encoding) ?? make(encoding);
    bodies.set(encoding, body);
    return body;
  };
};

const contentRoute = (content: Content): RawRoute => {
  const encoded = createEncoded(content);
  return defineRawRoute({
    method: 'GET',
    path: content.path,
    limitBytes: 0,
    async handle({ headers }) {
      const body = await encoded(String(headers['accept-encoding'] ?? ''), String(headers.host));
      return answerCached(headers['if-none-match'], body);
    },
  });
};

/** A file whose address has a hash of its content. */
const asset = (name: string, type: string): Content => {
  const content = readFileSync(new URL(name, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return {
    path: `/docs/${name.replace('.', `.${hash}.`)}`,
    type,
    cacheControl: 'public, max-age=31536000, immutable',
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
  const page = { type: 'text/html', cacheControl: 'no-cache' };
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
    contentRoute(style),
    contentRoute(script),
  ];
};
