import { z } from 'zod';
import type { JsonRoute } from '../route/route.ts';
import { refTo, type Schema, type SchemaWriter } from './schema.ts';

const integer = (description: string, example: number) => z.int().meta({ description, example });

const text = (description: string, example: string) => z.string().meta({ description, example });

/** Headers of several responses. */
const shared = z
  .object({
    'X-Request-Id': text(
      'Id of this request in the logs: the one that you sent, if it is valid and, unless it is a UUID or a hash, has no seven digits in a row.',
      '0199e0a1-7c1e-7b60-9a55-2f4b8f1f0c11',
    ),
    'RateLimit-Limit': integer('Requests permitted in the window of 60 seconds.', 120),
    'RateLimit-Remaining': integer('Requests left in the current window.', 119),
    'RateLimit-Reset': integer('Seconds until the window resets.', 42),
    'Retry-After': integer('Seconds until the next try, where waiting helps.', 17),
    'WWW-Authenticate': text('The kind of the missing credential.', 'Bearer'),
    Allow: text('The methods of this path.', 'GET, HEAD, OPTIONS'),
  })
  .partial();

const OF_KEYS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const byStatus: Record<number, readonly string[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const headersOf = (schemas: SchemaWriter, object: z.ZodType): Schema =>
  Object.fromEntries(
    schemas.fields(object, 'output').map(({ name, required, schema }) => {
      const { description, example, ...rest } = schema;
      return [name, { description, ...(required && { required }), schema: rest, example }];
    }),
  );

export const sharedHeaders = (schemas: SchemaWriter): Schema => headersOf(schemas, shared);

/** Headers of every response of the route with this status. */
export const frameHeaders = ({ access }: JsonRoute, status: number): Schema => {
  // An administrator's requests are counted only without a valid token.
  const counted = access === 'key' || (access !== 'open' && [401, 429, 500].includes(status));
  const names = ['X-Request-Id', ...(counted ? OF_KEYS : []), ...(byStatus[status] ?? [])];
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
};

/** Headers of a success beside those of the frame. */
export const successHeaders = (schemas: SchemaWriter, { responseHeaders = {} }: JsonRoute) =>
  headersOf(schemas, z.object(responseHeaders));
