import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';
import { answerCached, etagOf } from './route.ts';

// The reference as a page that can send requests. The page loads everything from this service, and
// its policy allows no other address.

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Waybill API reference</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <main id="reference"></main>
    <noscript>The same as data: <a href="/api/openapi.json">/api/openapi.json</a></noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** Without an external validator. The page keeps no key after it closes. */
const START = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headersFor = (type: string): Record<string, string> => ({
  'Content-Type': type,
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
});

/** The first request makes the text, so that a start costs no time for it. */
const textRoute = (path: string, type: string, text: () => Promise<string> | string): RawRoute => {
  const make = async () => {
    const body = await text();
    return { body, etag: etagOf(body), headers: headersFor(type) };
  };
  let page: ReturnType<typeof make> | undefined;
  return defineRawRoute({
    method: 'GET',
    path,
    limitBytes: 0,
    async handle({ headers }) {
      page ??= make();
      return answerCached(headers['if-none-match'], await page);
    },
  });
};

const HTML = 'text/html; charset=utf-8';

/** Reads a file, of 1 MB at most, into one copy for all concurrent readers, and keeps none without. */
const sharedFile = (name: string): (() => Promise<Buffer>) => {
  let kept: WeakRef<Buffer> | undefined;
  let reading: Promise<Buffer> | undefined;
  const read = async () => {
    try {
      const content = await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)));
      kept = new WeakRef(content);
      return content;
    } finally {
      reading = undefined;
    }
  };
  return async () => {
    const content = kept?.deref();
    if (content) return content;
    reading ??= read();
    return reading;
  };
};

const fileRoute = (name: string, type: string): RawRoute => {
  const content = sharedFile(name);
  let etag: string | undefined;
  return defineRawRoute({
    method: 'GET',
    path: `/docs/${name}`,
    limitBytes: 0,
    async handle({ headers }) {
      const body = await content();
      etag ??= etagOf(body);
      return answerCached(headers['if-none-match'], { body, etag, headers: headersFor(type) });
    },
  });
};

/** `/docs` and the files of the page. */
export const docsRoutes = (): readonly RawRoute[] => [
  textRoute('/docs', HTML, () => PAGE),
  textRoute('/docs/errors', HTML, async () => (await import('./error-pages.ts')).errorsPage()),
  textRoute('/docs/start.js', 'text/javascript; charset=utf-8', () => START),
  fileRoute('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  fileRoute('swagger-ui.css', 'text/css; charset=utf-8'),
  fileRoute('favicon-32x32.png', 'image/png'),
];
