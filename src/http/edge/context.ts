import type { ServerResponse } from 'node:http';
import type { ParameterizedContext } from 'koa';
import type { Claim } from '../../events/store.ts';
import type { Logger } from '../../shared/logger.ts';
import { keepTrace } from '../../shared/trace-context.ts';
import type { Administrator, AuthenticatedKey } from './auth.ts';
import { beginFile } from './connections.ts';
import { type IncomingForm, withForm } from './multipart.ts';
import type { Ticket } from './session.ts';

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
