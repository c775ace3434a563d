import type { IncomingHttpHeaders } from 'node:http';
import Router from '@koa/router';
import getRawBody from 'raw-body';
import { setHeader, setHeaders } from './answer.ts';
import { bodyTooSlow } from './body.ts';
import type { EdgeContext } from './context.ts';
import { within } from './deadline.ts';
import { answerJson } from './problem.ts';

export interface RawRequest {
  /** The bytes as they came: signatures are taken over these. */
  rawBody: Buffer;
  headers: IncomingHttpHeaders;
  /** The first value of each name. */
  query: Readonly<Record<string, string | undefined>>;
  params: Readonly<Record<string, string>>;
  requestId: string;
  /** When the request came, in milliseconds since 1970. */
  now: number;
}

export interface RawAnswer {
  status: number;
  /** Texts and bytes go out as they are, anything else as JSON; none where the status has none. */
  body?: string | Buffer | object;
  headers?: Record<string, string>;
}

/** A route outside of keys, rate limits and JSON: pages, probes, and what the provider calls. */
export interface RawRoute {
  method: 'GET' | 'POST';
  /** The whole path. */
  path: string;
  /** 0 where no body is expected. */
  limitBytes: number;
  handle(request: RawRequest): RawAnswer | Promise<RawAnswer>;
}

export const defineRawRoute = (route: RawRoute): RawRoute => route;

const firstValues = (query: EdgeContext['query']): RawRequest['query'] =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );

const serve = async (route: RawRoute, ctx: EdgeContext, bodyTimeoutMs: number): Promise<void> => {
  const { requestId, receivedAt } = ctx.state;
  const length = ctx.req.headers['content-length'] ?? null;
  const reading = getRawBody(ctx.req, { limit: route.limitBytes, length });
  const rawBody = await within(bodyTimeoutMs, reading, bodyTooSlow);
  const {
    status,
    body,
    headers = {},
  } = await route.handle({
    rawBody,
    headers: ctx.req.headers,
    query: firstValues(ctx.query),
    params: ctx.params,
    requestId,
    now: receivedAt,
  });
  if (typeof body === 'object' && !Buffer.isBuffer(body)) {
    answerJson(ctx, status, body, headers);
    return;
  }
  if (body !== undefined) setHeader(ctx, 'Content-Type', 'text/plain; charset=utf-8');
  setHeaders(ctx, headers);
  ctx.state.answer = { status, body };
};

/** Calls `next` for a request that none of its routes takes. */
export type RawRouter = (ctx: EdgeContext, next: () => Promise<void>) => Promise<void>;

export const mountRawRoutes = (routes: readonly RawRoute[], bodyTimeoutMs: number): RawRouter => {
  const router = new Router({ sensitive: true, exclusive: 'specificity' });
  for (const route of routes) {
    router.register(route.path, [route.method], (routed) => {
      const ctx = routed as unknown as EdgeContext;
      ctx.state.route = route.path;
      return serve(route, ctx, bodyTimeoutMs);
    });
  }
  const dispatch = router.routes();
  return async (ctx, next) => {
    await dispatch(ctx as never, next);
  };
};
