import type { IncomingHttpHeaders } from 'node:http';
import Router from '@koa/router';
import { AppError } from '../../shared/errors.ts';
import { clientAddress } from '../edge/address.ts';
import type { Admission } from '../edge/admission.ts';
import type { BodyBudget } from '../edge/body-budget.ts';
import type { BytePace } from '../edge/byte-pace.ts';
import { vouchFor } from '../edge/connections.ts';
import type { EdgeContext } from '../edge/context.ts';
import { answerJson } from '../edge/problem.ts';
import { isLongBody, readBytes } from '../edge/read-bytes.ts';

/** What is known of a request before its body is read. */
export interface RawHead {
  headers: IncomingHttpHeaders;
  /** The first value of each name. */
  query: Readonly<Record<string, string | undefined>>;
  params: Readonly<Record<string, string>>;
  requestId: string;
  /** When the request came, in milliseconds since 1970. */
  now: number;
  /**
   * Whether the caller may see how the service is: an administrator, a caller on this machine, or
   * anybody on the port for operators. Throws for a token that is not right.
   */
  isOperator(): Promise<boolean>;
}

export interface RawRequest extends RawHead {
  /** The bytes as they came: signatures are taken over these. */
  rawBody: Buffer;
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
  /** Throws for what can be refused by its head alone; the body is then not read. */
  checkHead?(head: RawHead): void;
  /** Throws unless the request proves who sent it: a code of `guesses` counts as a wrong key does. */
  authenticate?(request: RawRequest): void;
  handle(request: RawRequest): RawAnswer | Promise<RawAnswer>;
}

/** Refusals of a wrong secret. */
const guesses: readonly string[] = ['webhook.signature', 'webhook.token'];

export const defineRawRoute = (route: RawRoute): RawRoute => route;

const firstValues = (query: EdgeContext['query']): RawRequest['query'] =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );

export interface RawRouteOptions {
  admission: Pick<Admission, 'guess' | 'isOperator' | 'isOverLimit'>;
  /** For what is read of bodies before anybody knows who sent them. */
  budget: BodyBudget;
  /** At which long bodies are read that come from an address over its limit of wrong secrets. */
  pace: BytePace;
  bodyTimeoutMs: number;
  trustProxyHops: number;
}

/** The request, once it has shown what its route asks for. */
const admit = async (
  { limitBytes, checkHead, authenticate }: RawRoute,
  ctx: EdgeContext,
  { admission, budget, pace, bodyTimeoutMs: timeoutMs, trustProxyHops }: RawRouteOptions,
): Promise<RawRequest> => {
  const { req, res: response } = ctx;
  const head: RawHead = {
    headers: req.headers,
    query: firstValues(ctx.query),
    params: ctx.params,
    requestId: ctx.state.requestId,
    now: ctx.state.receivedAt,
    isOperator: () => admission.isOperator(ctx),
  };
  try {
    checkHead?.(head);
    const address = clientAddress(req, trustProxyHops);
    const isSlow = isLongBody(req) && (await admission.isOverLimit(ctx));
    const reading = { response, limitBytes, timeoutMs, budget, address };
    const rawBody = await readBytes(req, { ...reading, pace: isSlow ? pace : undefined });
    const request = { ...head, rawBody };
    authenticate?.(request);
    if (authenticate) vouchFor(req.socket);
    return request;
  } catch (error) {
    if (!(error instanceof AppError) || !guesses.includes(error.code)) throw error;
    throw await admission.guess(ctx, error);
  }
};

const serve = async (
  route: RawRoute,
  ctx: EdgeContext,
  options: RawRouteOptions,
): Promise<void> => {
  const request = await admit(route, ctx, options);
  const { status, body, headers = {} } = await route.handle(request);
  if (typeof body === 'object' && !Buffer.isBuffer(body)) {
    answerJson(ctx, status, body, headers);
    return;
  }
  if (body !== undefined) ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.set(headers);
  ctx.status = status;
  ctx.body = body;
};

/** Calls `next` for a request that none of its routes takes. */
export type RawRouter = (ctx: EdgeContext, next: () => Promise<void>) => Promise<void>;

export const mountRawRoutes = (
  routes: readonly RawRoute[],
  options: RawRouteOptions,
): RawRouter => {
  const router = new Router({ sensitive: true, exclusive: 'specificity' });
  for (const route of routes) {
    router.register(route.path, [route.method], (routed) => {
      const ctx = routed as unknown as EdgeContext;
      ctx.state.route = route.path;
      return serve(route, ctx, options);
    });
  }
  const dispatch = router.routes();
  return async (ctx, next) => {
    await dispatch(ctx as never, next);
  };
};
