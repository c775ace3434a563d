import { z } from 'zod';
import type { JsonRoute } from '../src/http/route/route.ts';
import type { Schema } from './schema.ts';

// Extensions from which generators of clients learn what a client may repeat, under which header,
// and how a list continues: Speakeasy's, and Fern's where Speakeasy has none.

/** The pauses between retries of docs/api.md. A longer `Retry-After` counts, up to two minutes. */
const BACKOFF: Schema = {
  strategy: 'backoff',
  backoff: { initialInterval: 1_000, maxInterval: 16_000, maxElapsedTime: 120_000, exponent: 2 },
  retryConnectionErrors: true,
};
const OF_READS = ['429', '500', '502', '503', '504'];
/** The answers 502 and 504 are stored under their key: a repeated request gets them again. */
const OF_KEYED = ['429', '500', '503'];

/** The rows of a list that has pages; undefined for other routes. */
const rowsOf = ({ request, responses }: JsonRoute): string | undefined => {
  const page = responses[200];
  const takesCursor = request?.query instanceof z.ZodObject && 'cursor' in request.query.shape;
  if (!takesCursor || !(page instanceof z.ZodObject) || !('nextCursor' in page.shape)) return;
  return Object.keys(page.shape).find((name) => page.shape[name] instanceof z.ZodArray);
};

const paginationOf = (rows: string): Schema => ({
  type: 'cursor',
  inputs: [{ name: 'cursor', in: 'parameters', type: 'cursor' }],
  outputs: { nextCursor: '$.nextCursor', results: `$.${rows}` },
});

/** The extensions of the whole document. */
export const documentExtensions: Schema = {
  'x-fern-idempotency-headers': [{ header: 'Idempotency-Key', name: 'idempotencyKey' }],
};

/** The extensions of an operation. Without them a client makes a call once. */
export const extensionsOf = (route: JsonRoute): Schema => {
  const extensions: Schema = {};
  const isKeyed = route.idempotent !== undefined;
  // Events that a caller follows do not end, and a client cannot repeat what it has read of them.
  if (isKeyed || (route.method === 'GET' && route.download !== 'events')) {
    const statusCodes = isKeyed ? OF_KEYED : OF_READS;
    extensions['x-speakeasy-retries'] = { ...BACKOFF, statusCodes };
  }
  if (isKeyed) extensions['x-fern-idempotent'] = true;
  const rows = rowsOf(route);
  if (rows !== undefined) extensions['x-speakeasy-pagination'] = paginationOf(rows);
  return extensions;
};
