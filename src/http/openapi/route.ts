import { answerCached, etagOf } from '../route/content.ts';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';
import type { JsonRoute } from '../route/route.ts';

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
