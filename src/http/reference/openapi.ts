import { readFile } from 'node:fs/promises';
import { answerCached, etagOf } from '../route/content.ts';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';

const file = new URL('../../../openapi.json', import.meta.url);

/** The document, which `npm run openapi` writes from the routes. */
export const readReference = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

/** `/api/openapi.json`. The first request reads the file, so that a start costs no time for it. */
export const openApiRoute = (): RawRoute => {
  let reading: Promise<{ text: string; etag: string }> | undefined;
  const read = async () => {
    const text = JSON.stringify(await readReference());
    return { text, etag: etagOf(text) };
  };
  return defineRawRoute({
    method: 'GET',
    path: '/api/openapi.json',
    limitBytes: 0,
    async handle({ headers }) {
      reading ??= read().catch((error: unknown) => {
        reading = undefined;
        throw error;
      });
      const { text, etag } = await reading;
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
