import type { Transparency } from '../../audit/seals/tiles.ts';
import { AppError } from '../../shared/errors.ts';
import { A_YEAR, ASK_AGAIN, answerCached, etagOf } from '../route/content.ts';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';

const unknown = (what: string) => new AppError('resource.unknown', what);

/** The log of entries for anybody, as static files are: hashes alone, in the form of C2SP tlog-tiles. */
export const transparencyRoutes = (log: Transparency): readonly RawRoute[] => [
  defineRawRoute({
    method: 'GET',
    path: '/transparency/checkpoint',
    limitBytes: 0,
    async handle({ headers }) {
      const sealed = await log.checkpoint();
      if (!sealed) throw unknown('The ledger is not sealed yet');
      const body = sealed.seal.note;
      const shown = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': ASK_AGAIN };
      return answerCached(headers['if-none-match'], { body, etag: etagOf(body), headers: shown });
    },
  }),
  defineRawRoute({
    method: 'GET',
    path: '/transparency/tile/*rest',
    limitBytes: 0,
    async handle({ headers, params }) {
      const body = await log.tile(`tile/${params.rest}`);
      if (!body) throw unknown('The last seal covers no such tile');
      const shown = { 'Content-Type': 'application/octet-stream', 'Cache-Control': A_YEAR };
      return answerCached(headers['if-none-match'], { body, etag: etagOf(body), headers: shown });
    },
  }),
];
