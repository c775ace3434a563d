import { readFile } from 'node:fs/promises';
import { createOnce } from '../../shared/concurrency.ts';
import { answerCached, etagOf } from '../route/content.ts';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';

const file = new URL('../../../openapi.json', import.meta.url);

/** The document, which `npm run openapi` writes from the routes. */
export const readReference = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

/** `/api/openapi.json`. The first request reads the file, so that a start costs no time for it. */
export const openApiRoute = (): RawRoute => {
  const read = createOnce(async () => {
    const text = JSON.stringify(await readReference());
    return { text, etag: etagOf(text) };
  });
  return defineRawRoute({
    method: 'GET',
    path: '/api/openapi.json',
    limitBytes: 0,
    async handle({ headers }) {
      const { text, etag } = await read();
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
