import type { IncomingHttpHeaders } from 'node:http';
import { isRefusal } from '../../shared/errors.ts';
import { clientAddress } from '../edge/address.ts';
import type { Admission } from '../edge/admission.ts';
import { isLongBody, readBytes } from '../edge/body.ts';
import type { EdgeContext } from '../edge/context.ts';
import type { ByteBudget, BytePace } from '../edge/limits.ts';
import type { Response, Send } from '../edge/respond.ts';
import { vouchFor } from '../edge/server.ts';

/** A request before its body is read. */
interface RawHead {
  headers: IncomingHttpHeaders;
  /** The first value of each name. */
  query: Readonly<Record<string, string | undefined>>;
  params: Readonly<Record<string, string>>;
  /** Of the client, as it counts for limits. */
  address: string;
  requestId: string;
  /** Time of arrival, in milliseconds since 1970. */
  now: number;
  /**
   * Whether the caller is an operator: an administrator, a caller on this machine, or any caller on
   * the port for operators. Throws for an invalid token.
   */
  isOperator(): Promise<boolean>;
}

export interface RawRequest extends RawHead {
  /** The received bytes, over which signatures are computed. */
  rawBody: Buffer;
}

/** A route without keys, rate limits and JSON: pages, probes, and the provider's webhook. */
export interface RawRoute {
  body: 'raw';
  access: 'open';
  method: 'GET' | 'POST';
  /** The whole path. */
  path: string;
  /** The longest body, in bytes; 0 for none. */
  limitBytes: number;
  /** Throws for a request that its head alone refuses; the body is then not read. */
  checkHead?(head: RawHead): void;
  /** Throws unless the request proves its sender. */
  authenticate?(request: RawRequest): void | Promise<void>;
  handle(request: RawRequest): Response | Promise<Response>;
}

export const defineRawRoute = (route: Omit<RawRoute, 'body' | 'access'>): RawRoute => ({
  ...route,
  body: 'raw',
  access: 'open',
});

/** Refusals of a wrong secret: they count as a wrong key does. */
const guesses = ['webhook.signature', 'webhook.token', 'session.invalid', 'session.link'] as const;

const firstValues = (query: EdgeContext['query']): RawRequest['query'] =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );

export interface RawRouteOptions {
  admission: Pick<Admission, 'guess' | 'isOperator' | 'isOverLimit'>;
  /** Bounds the memory for bodies of unauthenticated callers. */
  budget: ByteBudget;
  /** Slows long bodies from an address over its limit of wrong secrets. */
  pace: BytePace;
  bodyTimeoutMs: number;
  trustProxyHops: number;
  send: Send;
}

/** Reads and authenticates the request. */
const admit = async (
  { limitBytes, checkHead, authenticate }: RawRoute,
  ctx: EdgeContext,
  { admission, budget, pace, bodyTimeoutMs: timeoutMs, trustProxyHops }: RawRouteOptions,
): Promise<RawRequest> => {
  const { req, res: response } = ctx;
  const address = clientAddress(req, trustProxyHops);
  const head: RawHead = {
    address,
    headers: req.headers,
    query: firstValues(ctx.query),
    params: ctx.params,
    requestId: ctx.state.requestId,
    now: ctx.state.receivedAt,
    isOperator: () => admission.isOperator(ctx),
  };
  checkHead?.(head);
  const isSlow = isLongBody(req) && (await admission.isOverLimit(ctx));
  const reading = { response, limitBytes, timeoutMs, budget, address };
  const rawBody = await readBytes(req, { ...reading, pace: isSlow ? pace : undefined });
  const request = { ...head, rawBody };
  await authenticate?.(request);
  if (authenticate) vouchFor(req.socket);
  return request;
};

/** Runs a raw route: admits the request by its head and its bytes, then calls the handler. */
export const serveRaw = (route: RawRoute, options: RawRouteOptions) => async (ctx: EdgeContext) => {
  ctx.state.route = route.path;
  try {
    const request = await admit(route, ctx, options);
    options.send(ctx, await route.handle(request));
  } catch (error) {
    if (!isRefusal(error, ...guesses)) throw error;
    throw await options.admission.guess(ctx, error);
  }
};
