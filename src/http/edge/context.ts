import type { ServerResponse } from 'node:http';
import type { ParameterizedContext } from 'koa';
import type { Claim } from '../../events/store.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Administrator, AuthenticatedKey } from './auth.ts';

/** What the frame found out about a request before any route sees it. */
export interface Admitted {
  body: unknown;
  bodyBytes: Buffer;
  key?: AuthenticatedKey;
  administrator?: Administrator;
}

/** What the frame knows of a request from its first moment. */
export interface EdgeState {
  requestId: string;
  /** Wall clock when the request came, in milliseconds since 1970. */
  receivedAt: number;
  /** Template of the route that took the request; undefined while none has. */
  route?: string;
  admitted?: Admitted;
  /** Whose key the request came with, also where it is refused. */
  accountId?: string;
}

/** Koa's context as the frame uses it. Handlers never see it. */
export type EdgeContext = ParameterizedContext<EdgeState>;

/** What a handler is told about its request beside its input. */
export interface RequestContext {
  readonly requestId: string;
  /** When the request came, in milliseconds since 1970. */
  readonly now: number;
  /** Fires when the caller goes away before the answer was written. */
  readonly signal: AbortSignal;
  /** Writes lines that carry the request id. */
  readonly log: Logger;
  /** The body as it came, for fingerprints; empty when there was none. */
  readonly bodyBytes: Buffer;
  /** Under which the commands act, where the request came with an `Idempotency-Key`. */
  readonly claim?: Claim;
}

export interface KeyContext extends RequestContext {
  readonly key: AuthenticatedKey;
}

export interface AdministratorContext extends RequestContext {
  readonly administrator: Administrator;
}

/**
 * The response's `close` without its `finish` is the caller's disconnect; the request's `close`
 * also comes when its body was merely read.
 */
export const disconnectSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  const settle = () => {
    if (!response.writableFinished) controller.abort(new Error('The caller disconnected'));
  };
  if (response.closed) settle();
  else response.once('close', settle);
  return controller.signal;
};

export type AnyContext = RequestContext & Partial<KeyContext & AdministratorContext>;

/** What few handlers ask for is made when it is first asked for. */
class LateContext implements RequestContext {
  readonly requestId: string;
  readonly now: number;
  readonly bodyBytes: Buffer;
  readonly key: AuthenticatedKey | undefined;
  readonly administrator: Administrator | undefined;
  private readonly made: {
    response: ServerResponse;
    logger: Logger;
    signal?: AbortSignal;
    log?: Logger;
  };

  constructor(ctx: EdgeContext, { bodyBytes, key, administrator }: Admitted, logger: Logger) {
    const { requestId, receivedAt } = ctx.state;
    this.requestId = requestId;
    this.now = receivedAt;
    this.bodyBytes = bodyBytes;
    this.key = key;
    this.administrator = administrator;
    this.made = { response: ctx.res, logger };
  }

  get signal(): AbortSignal {
    this.made.signal ??= disconnectSignal(this.made.response);
    return this.made.signal;
  }

  get log(): Logger {
    this.made.log ??= this.made.logger.child({ requestId: this.requestId });
    return this.made.log;
  }
}

export const createRequestContext = (
  ctx: EdgeContext,
  admitted: Admitted,
  logger: Logger,
): AnyContext => new LateContext(ctx, admitted, logger) as AnyContext;
