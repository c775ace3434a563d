import type { IncomingMessage, ServerResponse } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Next, ParameterizedContext } from 'koa';
import type { Claim } from '../../events/store.ts';
import type { Ids } from '../../shared/clock.ts';
import { looksLikeNumber } from '../../shared/log-masks.ts';
import type { Logger } from '../../shared/logger.ts';
import { inTrace, keepTrace } from '../../shared/trace-context.ts';
import type { Tracing } from '../../shared/tracing.ts';
import type { Administrator, AuthenticatedKey } from './auth.ts';
import { beginFile } from './connections.ts';
import { type IncomingForm, withForm } from './multipart.ts';
import type { Ticket } from './session.ts';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * The caller's own id when it sent a sane one, else a fresh one. Events and log lines keep it in clear,
 * so an id with a telephone number in it is not taken.
 */
export const requestIdOf = (given: string | string[] | undefined, ids: Ids): string =>
  typeof given === 'string' && SANE.test(given) && !looksLikeNumber(given) ? given : ids.uuid();

const withoutPort = (text: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/** The key under which an address counts: the IPv4 address, or the /64 of an IPv6 address. */
export const groupOf = (text: string): string | undefined => {
  const address = withoutPort(text.trim());
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const [a, b, c, d] = (parsed as ipaddr.IPv6).parts;
  return `${[a, b, c, d].map((part) => part?.toString(16)).join(':')}::/64`;
};

/**
 * The client's address, for counting. Each trusted proxy appends one entry to `X-Forwarded-For`;
 * earlier entries come from the caller and are ignored.
 */
export const clientAddress = (request: IncomingMessage, trustProxyHops: number): string => {
  const remote = groupOf(request.socket.remoteAddress ?? '') ?? 'unknown';
  if (trustProxyHops === 0) return remote;
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined) return remote;
  const hops = String(forwarded).split(',').slice(-trustProxyHops);
  return groupOf(hops[0]!) ?? remote;
};

/** A proxy adds at least one of these headers. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'via'];

/** Whether the caller runs on this machine and is not a proxy. */
export const isLocalCaller = (request: IncomingMessage, trustProxyHops: number): boolean => {
  const remote = request.socket.remoteAddress ?? '';
  if (trustProxyHops > 0 || !ipaddr.isValid(remote)) return false;
  if (PROXY_HEADERS.some((name) => request.headers[name] !== undefined)) return false;
  return ipaddr.process(remote).range() === 'loopback';
};

/** For a whole form with its file, in milliseconds. */
const FORM_TIMEOUT_MS = 300_000;

/** A request that its pipeline admitted. */
export interface Admitted {
  body: unknown;
  bodyBytes: Buffer;
  key?: AuthenticatedKey;
  administrator?: Administrator;
}

/** The administrator as events record them: without the role. */
export const actorOf = ({ id, email, name }: Administrator) => ({ id, email, name });

/** State of a request, set by the middleware. */
export interface EdgeState {
  requestId: string;
  /** Wall-clock time of arrival, in milliseconds since 1970. */
  receivedAt: number;
  /** Path template of the matched route; absent until the router has matched one. */
  route?: string;
  admitted?: Admitted;
  /** The account of the key, also of a refused request. */
  accountId?: string;
  /** The session of the console that stands in for a credential. */
  session?: Ticket;
}

/** Koa's context with the state of the edge. Handlers never see it. */
export type EdgeContext = ParameterizedContext<EdgeState>;

/** The request as a handler sees it, beside its input. */
export interface RequestContext {
  readonly requestId: string;
  /** Time of arrival, in milliseconds since 1970. */
  readonly now: number;
  /** The session of the console, of a request without a credential. */
  readonly session?: Ticket;
  /** A signal that fires when the caller disconnects before the response is written. */
  signal(): AbortSignal;
  /** Resolves when the response is over: whether it was written before the caller disconnected. */
  written(): Promise<boolean>;
  /** A logger whose lines carry the request id. */
  log(): Logger;
  /** The bytes of the body, for fingerprints; empty without a body. */
  readonly bodyBytes: Buffer;
  /** Reads the form of a route with `upload` up to its file, and lets `use` read the file. */
  readForm<T>(bytesMax: number, use: (form: IncomingForm) => Promise<T>): Promise<T>;
  /** The claim of the request's `Idempotency-Key`, which commands must carry. */
  readonly claim?: Claim;
}

export interface KeyContext extends RequestContext {
  readonly key: AuthenticatedKey;
}

export interface AdministratorContext extends RequestContext {
  readonly administrator: Administrator;
}

/**
 * A response that closes without `finish` means that the caller disconnected. The request's own
 * `close` does not: it also fires once the body has been read.
 */
const disconnectSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  const settle = () => {
    if (!response.writableFinished) controller.abort(new Error('The caller disconnected'));
  };
  if (response.closed) settle();
  else response.once('close', keepTrace(settle));
  return controller.signal;
};

/** Resolves when the response is over; the refund of a disconnect has begun by then. */
const isWritten = (response: ServerResponse): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = () => resolve(response.writableFinished);
    if (response.closed || response.writableFinished) settle();
    else response.once('finish', settle).once('close', settle);
  });

/** Reads a form, which may take longer than any other request. */
const readForm = async <T>(
  ctx: EdgeContext,
  limits: { bytesMax: number; graceMs: number },
  use: (form: IncomingForm) => Promise<T>,
): Promise<T> => {
  const { req: request, res: response } = ctx;
  const end = beginFile(request.socket);
  try {
    return await withForm(request, response, { ...limits, timeoutMs: FORM_TIMEOUT_MS }, use);
  } finally {
    end();
    if (!request.complete && !response.headersSent) ctx.set('Connection', 'close');
  }
};

export type AnyContext = RequestContext & Partial<KeyContext & AdministratorContext>;

export const createRequestContext = (
  ctx: EdgeContext,
  { bodyBytes, key, administrator }: Admitted,
  { logger, bodyTimeoutMs }: { logger: Logger; bodyTimeoutMs: number },
): AnyContext => {
  const { requestId, receivedAt, session } = ctx.state;
  // Functions, and no getters: an object with getters of its own keeps its request in memory until
  // the next full collection.
  return {
    requestId,
    now: receivedAt,
    ...(session && { session }),
    signal: () => disconnectSignal(ctx.res),
    written: () => isWritten(ctx.res),
    log: () => logger.child({ requestId }),
    bodyBytes,
    readForm: (bytesMax, use) => readForm(ctx, { bytesMax, graceMs: bodyTimeoutMs }, use),
    ...(key && { key }),
    ...(administrator && { administrator }),
  };
};

/** Gives a request a span, under which its work goes. The span names the route and not the path. */
export const traceRequest =
  (tracing: Tracing, isTraced: (path: string) => boolean) =>
  async (ctx: EdgeContext, next: Next): Promise<void> => {
    const callers = ctx.req.headers.traceparent;
    const span = isTraced(ctx.path)
      ? tracing.request(ctx.method, typeof callers === 'string' ? callers : undefined)
      : undefined;
    // A connection may still carry what an earlier request of it left.
    if (!span) return inTrace(undefined, next);
    try {
      await inTrace(span.traceparent, next);
    } finally {
      const { route, accountId } = ctx.state;
      if (route !== undefined) span.rename(`${ctx.method} ${route}`);
      span.set({
        'http.route': route,
        'http.response.status_code': ctx.status,
        'waybill.account_id': accountId,
      });
      if (ctx.status >= 500) span.fail(String(ctx.status));
      span.end();
    }
  };
