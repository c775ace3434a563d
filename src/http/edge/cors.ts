import type { EdgeContext } from './context.ts';

// The CORS headers for browsers whose origin a key allows. auth.ts checks the key and the origin.

const EXPOSED_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Message-Category',
  'X-Message-Price',
  'X-Credits-Charged',
  'X-Credits-Remaining',
  'X-Wallet-Balance',
  'X-Request-Id',
  'Idempotency-Replayed',
].join(', ');

/** Request headers that a page may send. */
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const PREFLIGHT_SECONDS = '3600';

export const isPreflight = ({ req }: EdgeContext): boolean =>
  req.method === 'OPTIONS' &&
  req.headers.origin !== undefined &&
  req.headers['access-control-request-method'] !== undefined;

/** Lets the page at `origin` read the response. */
export const allowOrigin = (ctx: EdgeContext, origin: string): void => {
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
};

/** Allows every origin, because a preflight carries no key; the request itself may be refused. */
export const answerPreflight = (ctx: EdgeContext): void => {
  allowOrigin(ctx, ctx.req.headers.origin!);
  ctx.set('Access-Control-Allow-Methods', METHODS);
  ctx.set('Access-Control-Allow-Headers', REQUEST_HEADERS);
  ctx.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  ctx.status = 204;
};
