import type { JsonRoute } from '../route/route.ts';
import { refTo, type Schema, schemaOf } from './schema.ts';

const integer = (description: string, example: number): Schema => ({
  description,
  schema: { type: 'integer' },
  example,
});

const text = (description: string, example: string): Schema => ({
  description,
  schema: { type: 'string' },
  example,
});

const described: Record<string, string> = {
  'X-Message-Category': 'What the message was priced as.',
  'X-Message-Price': 'Sell price of the message, a decimal string.',
  'X-Credits-Charged': 'Credits taken. Plans in credits only.',
  'X-Credits-Remaining': 'Credits left after it. Plans in credits only.',
  'X-Wallet-Balance': 'Balance left after it, a decimal string. Plans with a wallet only.',
  'Idempotency-Replayed': '`true` when this is the answer of an earlier request with the same key.',
};

const examples: Record<string, unknown> = {
  'X-Message-Category': 'UTILITY',
  'X-Message-Price': '0.00168',
  'X-Credits-Charged': 1,
  'X-Credits-Remaining': 998,
  'X-Wallet-Balance': '24.98832',
  'Idempotency-Replayed': 'true',
};

/** Headers that more than one answer has. */
export const sharedHeaders: Record<string, Schema> = {
  'X-Request-Id': text(
    'Names this request in our logs. The one you sent, if it was a sane one.',
    '0199e0a1-7c1e-7b60-9a55-2f4b8f1f0c11',
  ),
  'RateLimit-Limit': integer('Requests permitted in the window of 60 seconds.', 120),
  'RateLimit-Remaining': integer('Requests left in the current window.', 119),
  'RateLimit-Reset': integer('Seconds until the window resets.', 42),
  'Retry-After': integer('Seconds to wait before the next try, where waiting helps.', 17),
  'WWW-Authenticate': text('The kind of credential that is missing.', 'Bearer'),
  Allow: text('The methods that the address takes.', 'GET, HEAD, OPTIONS'),
};

const ofKeys = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const byStatus: Record<number, readonly string[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const refs = (names: readonly string[]): Schema =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));

/** What any answer of the route with this status carries. */
export const frameHeaders = ({ access }: JsonRoute, status: number): Schema => {
  // An administrator's calls are counted only while no token vouches for them.
  const counted = access === 'key' || (access !== 'open' && [401, 429, 500].includes(status));
  return refs(['X-Request-Id', ...(counted ? ofKeys : []), ...(byStatus[status] ?? [])]);
};

/** What a success carries beside it. */
export const successHeaders = (route: JsonRoute): Schema => {
  const own = Object.entries(route.responseHeaders ?? {}).map(([name, schema]) => {
    const required = !schema.safeParse(undefined).success;
    const example = examples[name];
    const header: Schema = {
      ...(described[name] && { description: described[name] }),
      ...(required && { required }),
      schema: schemaOf(schema, 'output'),
      ...(example !== undefined && { example }),
    };
    return [name, header] as const;
  });
  return Object.fromEntries(own);
};
