import type { ServerResponse } from 'node:http';
import type { RefusedSend } from '../../commands/sending/refusals.ts';
import { parseContact } from '../../events/contact.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
import { looksLikeNumber } from '../../shared/log-masks.ts';
import type { Logger } from '../../shared/logger.ts';
import { inTrace, keepTrace } from '../../shared/trace-context.ts';
import type { Tracing } from '../../shared/tracing.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Admitted, AnyContext, EdgeContext, IncomingForm } from './context.ts';
import { type FormLimits, withForm } from './multipart.ts';
import { type Response, refusalOf, reportError, type Send } from './respond.ts';
import { beginFile } from './server.ts';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * The caller's own id when it sent a sane one, else a fresh one. Events and log lines keep it in clear,
 * so an id with a telephone number in it is not taken.
 */
export const requestIdOf = (given: string | string[] | undefined, ids: Ids): string =>
  typeof given === 'string' && SANE.test(given) && !looksLikeNumber(given) ? given : ids.uuid();

/** For a whole form with its file, in milliseconds. */
const FORM_TIMEOUT_MS = 300_000;

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
  limits: Omit<FormLimits, 'timeoutMs'>,
  use: (form: IncomingForm) => Promise<T>,
): Promise<T> => {
  const { req: request, res: response } = ctx;
  const end = beginFile(request.socket);
  try {
    return await withForm(request, response, { ...limits, timeoutMs: FORM_TIMEOUT_MS }, use);
  } finally {
    end();
    if (!request.complete) ctx.state.headers.Connection = 'close';
  }
};

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
    readForm: (limits, use) => readForm(ctx, { ...limits, graceMs: bodyTimeoutMs }, use),
    ...(key && { key }),
    ...(administrator && { administrator }),
  };
};

interface FrameOptions {
  clock: Clock;
  ids: Ids;
  metrics: Pick<Metrics, 'observeRequest' | 'countRefusal'>;
  logger: Logger;
  /** Logs one line for each request. */
  accessLog: boolean;
  /** Absent while traces are off. */
  tracing: Tracing | undefined;
  isTraced: (path: string) => boolean;
  /** How callers below a path read an error. */
  problemAt: (path: string) => (error: unknown, requestId: string) => Response;
  send: Send;
  /** Called with each error of a request to send whose account is known. */
  onRefusal?: (error: unknown, send: RefusedSend) => void;
}

/** Does the request under a span of its own, which names the route and not the path. */
const traced = async (
  tracing: Tracing,
  ctx: EdgeContext,
  work: (ctx: EdgeContext) => Promise<void>,
): Promise<void> => {
  const callers = ctx.req.headers.traceparent;
  const span = tracing.request(ctx.method, typeof callers === 'string' ? callers : undefined);
  // A connection may still carry what an earlier request of it left.
  if (!span) return inTrace(undefined, () => work(ctx));
  try {
    await inTrace(span.traceparent, () => work(ctx));
  } finally {
    const { status } = ctx;
    const { route, accountId } = ctx.state;
    if (route !== undefined) span.rename(`${ctx.method} ${route}`);
    span.set({
      'http.route': route,
      'http.response.status_code': status,
      'waybill.account_id': accountId,
    });
    if (status >= 500) span.fail(String(status));
    span.end();
  }
};

/** The paths of sends. */
const SENDS =
  /^\/api\/(v1\/(notifications\/send(\/batch)?|messages\/send)|graph\/[^/]+\/\d+\/messages)$/;

/** The recipient that the body names; null of a batch, and where the body was not read. */
const recipientIn = ({ state }: EdgeContext): string | null => {
  const { to } = (state.admitted?.body ?? {}) as { to?: unknown };
  return typeof to === 'string' ? parseContact(to) || null : null;
};

/**
 * What every request goes through: its id and its time of arrival, its span, its pipeline or the response
 * to the error of that, and its duration by route template.
 */
export const createFrame = (
  options: FrameOptions,
  pipeline: (ctx: EdgeContext) => Promise<void>,
): ((ctx: EdgeContext) => Promise<void>) => {
  const { clock, ids, metrics, logger, accessLog, tracing, isTraced, problemAt, send, onRefusal } =
    options;
  const run = async (ctx: EdgeContext): Promise<void> => {
    const startedAt = performance.now();
    try {
      await pipeline(ctx);
    } catch (error) {
      reportError(error, ctx, logger);
      metrics.countRefusal(refusalOf(error)?.code ?? 'fault');
      const { accountId, requestId } = ctx.state;
      const isSend = ctx.method === 'POST' && SENDS.test(ctx.path);
      if (isSend && accountId !== undefined) {
        onRefusal?.(error, { accountId, requestId, to: recipientIn(ctx) });
      }
      send(ctx, problemAt(ctx.path)(error, ctx.state.requestId));
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const { method, status, state } = ctx;
    const { requestId, route = 'none', accountId } = state;
    metrics.observeRequest(method, route, status, seconds);
    if (!accessLog) return;
    const ms = Math.round(seconds * 10_000) / 10;
    logger.info({ requestId, method, route, status, ms, accountId }, 'Request');
  };
  return (ctx) => {
    const { req, state } = ctx;
    state.requestId = requestIdOf(req.headers['x-request-id'], ids);
    state.receivedAt = clock.now();
    state.headers = { 'X-Request-Id': state.requestId, 'X-Content-Type-Options': 'nosniff' };
    if (!tracing) return run(ctx);
    return isTraced(ctx.path) ? traced(tracing, ctx, run) : inTrace(undefined, () => run(ctx));
  };
};
