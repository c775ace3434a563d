import { createHash } from 'node:crypto';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';
import { type Response, reply } from '../route/response.ts';
import type { JsonRoute } from '../route/route.ts';

/** Content that stays the same while the process lives. */
interface Cachable {
  body: string | Buffer;
  etag: string;
  headers: Record<string, string>;
}

const unchanged = (given: string | undefined, etag: string): boolean =>
  (given ?? '').split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));

/** Answers 304 to a reader that has the content. */
export const answerCached = (
  ifNoneMatch: string | undefined,
  { body, etag, headers }: Cachable,
): Response => {
  const shown = { 'Cache-Control': 'no-cache', ...headers, ETag: etag };
  if (!unchanged(ifNoneMatch, etag)) return reply(200, body, shown);
  // The reader keeps the type that it received with the content.
  const { 'Content-Type': _, ...rest } = shown as Record<string, string>;
  return reply(304, undefined, rest);
};

/** The ETag of the content, in quotes. */
export const etagOf = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** `/api/openapi.json`. The first request makes the document, so that a start costs no time for it. */
export const openApiRoute = (routes: readonly JsonRoute[]): RawRoute => {
  let making: Promise<{ text: string; etag: string }> | undefined;
  const make = async () => {
    const { openApiDocument } = await import('./document.ts');
    const text = JSON.stringify(openApiDocument(routes));
    return { text, etag: etagOf(text) };
  };
  return defineRawRoute({
    method: 'GET',
    path: '/api/openapi.json',
    limitBytes: 0,
    async handle({ headers }) {
      making ??= make();
      const { text, etag } = await making;
      return answerCached(headers['if-none-match'], {
        body: text,
        etag,
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          // Tools on other pages may read it.
          'Access-Control-Allow-Origin': '*',
        },
      });
    },
  });
};
