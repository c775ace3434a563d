import { Readable } from 'node:stream';
import { PROVIDER_UNREACHABLE } from '../../events/account.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { ListsBusy, ListTooSlow } from '../../projections/engine/lists.ts';
import { NotReached } from '../../projections/engine/reader.ts';
import { ViewsUnavailable } from '../../projections/views.ts';
import { providerHint } from '../../provider/rules/errors.ts';
import { DamagedFile } from '../../shared/damaged-file.ts';
import { type ErrorRecord, errorTable } from '../../shared/error-table.ts';
import { AppError, type ErrorCode, isRefusal } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { clientAddress } from './address.ts';
import { hasBody, leaveUnread } from './body.ts';
import type { EdgeContext } from './context.ts';
import { type ByteBudget, type BytePace, createPatience } from './limits.ts';

const RESPONSE = Symbol('response');

/** A response with a status and headers of its own, whose names are as `Content-Type`. */
export interface Response<Body = unknown> {
  readonly [RESPONSE]: true;
  readonly status: number;
  readonly body: Body;
  readonly headers: Record<string, string>;
}

export const reply = <Body>(
  status: number,
  body: Body,
  headers: Record<string, string> = {},
): Response<Body> => ({ [RESPONSE]: true, status, body, headers });

/** A handler's result: a plain body has the route's success status. */
export const asResponse = (result: unknown, plainStatus: number): Response =>
  typeof result === 'object' && result !== null && RESPONSE in result
    ? (result as Response)
    : reply(plainStatus, result);

/** Every error that a caller can meet. */
export const errorCodes = Object.keys(errorTable) as readonly ErrorCode[];

export const recordOf = (code: ErrorCode): ErrorRecord<object> => errorTable[code];

const PAGE = '/docs/errors';

/** What to do after an error, and where more is said of it. */
interface Advice {
  hint: string;
  docUrl: string;
}

/** The name of an error on the page of errors: the public code, if it has one. */
export const anchorOf = (code: ErrorCode): string => recordOf(code).code ?? code;

/** Undefined where the body must be `error` alone. */
const adviceOn = ({ code, details }: AppError): Advice | undefined => {
  const { hint } = recordOf(code);
  if (hint === null) return undefined;
  return { hint: details.hint ?? hint, docUrl: `${PAGE}#${anchorOf(code)}` };
};

/** What to do about an error of the provider; undefined for a code without advice. */
export const adviceOnProvider = (code: number): Advice | undefined => {
  const hint = providerHint(code);
  return hint === undefined ? undefined : { hint, docUrl: `${PAGE}#${code}` };
};

const recordsByCode = new Map(
  errorCodes.map((code) => [anchorOf(code), recordOf(code)] as const).reverse(),
);

/** What a public code of ours, with a code of the provider, means and asks for. */
export const adviceOnFailure = (failed: string, providerCode: number | null) => {
  const code = failed === PROVIDER_UNREACHABLE ? 'SEND_FAILED' : failed;
  const record = recordsByCode.get(code);
  const ours = {
    title: record?.means ?? null,
    hint: record?.hint ?? null,
    docUrl: record ? `${PAGE}#${code}` : null,
  };
  return { ...ours, ...(providerCode !== null && adviceOnProvider(providerCode)) };
};

/** The provider's refusal with what to do about its code. */
const withProviderAdvice = (details: object): object => {
  const { providerCode } = details as { providerCode?: number | null };
  return typeof providerCode === 'number'
    ? { ...details, ...adviceOnProvider(providerCode) }
    : details;
};

export const responseOf = (error: AppError): Response<Record<string, unknown>> => {
  const { status, code, detailsIn, challenges, closes } = recordOf(error.code);
  const { retryAfterSeconds, cause: _, hint: __, ...details } = error.details;
  const hasDetails = Object.keys(details).length > 0;
  const body = {
    error: error.message,
    ...(code !== undefined && { code }),
    ...(detailsIn && hasDetails ? { [detailsIn]: withProviderAdvice(details) } : details),
    ...adviceOn(error),
  };
  return reply(status, body, {
    ...(challenges && { 'WWW-Authenticate': 'Bearer' }),
    ...(closes && { Connection: 'close' }),
    ...(retryAfterSeconds !== undefined && {
      'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))),
    }),
  });
};

const wordsOf = (error: StoreUnavailable): string => {
  if (error instanceof ListTooSlow) {
    return 'This list took too long to read: ask for fewer rows or a narrower filter';
  }
  if (error instanceof ListsBusy) return 'Too many lists are being read at once';
  if (error instanceof NotReached) return 'The service is catching up with its log';
  if (error instanceof ViewsUnavailable) return 'The read models cannot be read now';
  return 'The service cannot store this now';
};

/** The refusal for what cannot be known or stored now; undefined for any other error. */
export const unavailabilityOf = (error: unknown): AppError | undefined => {
  if (error instanceof DamagedFile) {
    const hint = error.remedy.replace(/^./, (letter) => letter.toUpperCase());
    const sentence = 'A data file of the service is damaged';
    return new AppError('service.unavailable', sentence, { hint, cause: error });
  }
  if (!(error instanceof StoreUnavailable)) return undefined;
  const { retryAfterSeconds } = error;
  return new AppError('service.unavailable', wordsOf(error), { retryAfterSeconds, cause: error });
};

/** A refusal, if the error is one; undefined for a fault. */
export const refusalOf = (error: unknown): AppError | undefined =>
  isRefusal(error) ? error : unavailabilityOf(error);

/** An error as the caller sees it. */
export const problemOf = (error: unknown): Response<Record<string, unknown>> => {
  const refusal = refusalOf(error);
  return refusal ? responseOf(refusal) : reply(500, { error: 'Internal server error' });
};

/** Logs an error that a caller caused or met. */
export const reportError = (error: unknown, ctx: EdgeContext, log: Logger): void => {
  const { requestId, route, accountId } = ctx.state;
  const where = { requestId, method: ctx.method, route, accountId };
  const refusal = refusalOf(error);
  if (!refusal) {
    log.error({ ...where, err: error }, 'Request failed unexpectedly');
    return;
  }
  const { code, details } = refusal;
  const isOfProvider = 'providerMessage' in details;
  const providerCode = isOfProvider ? (details.providerCode ?? undefined) : undefined;
  const reason = 'code' in details ? details.code : undefined;
  const refused = { ...where, code, reason, providerCode };
  if (code === 'key.lookup_failed') log.error({ ...refused, err: error }, 'Key lookup failed');
  else if (recordOf(code).status >= 500 && code !== 'request.no_room') {
    // The provider may repeat what it was sent, so its code must do.
    log.warn({ ...refused, ...(!isOfProvider && { err: error }) }, 'Request failed');
  } else log.debug(refused, 'Request refused');
};

/** The most bytes of one stream that wait in the response and on its socket. */
const STREAM_BYTES = 256 * 1024;

interface SenderOptions {
  /** Bounds the bytes of all responses that wait on sockets. */
  budget: ByteBudget;
  /** Time without progress after which the connection ends, in milliseconds. */
  timeoutMs: number;
  trustProxyHops: number;
  /** Bounds the bytes of bodies that are not read. */
  pace: BytePace;
  /** How long a caller may go on sending a body that is not read, in milliseconds. */
  unreadBodyMs: number;
}

export type Send = (ctx: EdgeContext, response: Response) => void;

/** The steps of the edge and the pipeline of a stream listen to the same response. */
const LISTENERS_MAX = 20;

/**
 * Writes responses: texts, bytes and streams as they are, any other body as JSON. Bounds what callers
 * leave unread. A connection whose caller takes none of a response for `timeoutMs` ends. Above the budget
 * the account, or without one the address, with the most unread bytes loses its oldest connection. A
 * caller that reads slowly receives the whole response.
 */
export const createSender = (options: SenderOptions): Send => {
  const { budget, timeoutMs, trustProxyHops, pace, unreadBodyMs } = options;
  const shareOf = ({ req, state }: EdgeContext) =>
    budget.open(state.accountId ?? clientAddress(req, trustProxyHops), () => req.socket.destroy());
  const watch = (ctx: EdgeContext): void => {
    const { socket } = ctx.req;
    const share = shareOf(ctx);
    ctx.res.once('close', share.close);
    // Node destroys the socket after a time in which the kernel took no byte of a pending write.
    socket.setTimeout(timeoutMs);
    // Before Node sets the time for idle connections.
    ctx.res.prependOnceListener('finish', () => socket.setTimeout(0));
    share.take(socket.writableLength);
  };
  /**
   * Counts what a stream may leave on the socket, and ends the connection of a caller who takes nothing
   * for `timeoutMs`, or too little over a longer time. Time in which the stream has nothing is not counted.
   */
  const boundStream = (ctx: EdgeContext, content: Readable): void => {
    const { socket } = ctx.req;
    const share = shareOf(ctx);
    const patience = createPatience(timeoutMs, () => socket.destroy());
    let sent = socket.bytesWritten;
    content.on('pause', patience.start);
    ctx.res.on('drain', () => {
      patience.stop();
      patience.earn(socket.bytesWritten - sent);
      sent = socket.bytesWritten;
    });
    ctx.res.once('close', () => {
      patience.stop();
      share.close();
    });
    share.take(STREAM_BYTES);
  };
  const send: Send = (ctx, { status, body, headers }) => {
    const { req: request, res: response, state } = ctx;
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const isRaw = isText || body === undefined || body instanceof Readable;
    // Fails before anything is written, so that a fault of the body becomes a response too.
    const content = isRaw ? body : JSON.stringify(body);
    if (!request.complete && hasBody(request)) leaveUnread(ctx, pace, unreadBodyMs);
    if (content instanceof Readable) {
      ctx.set(Object.assign(state.headers, headers));
      ctx.status = status;
      ctx.body = content;
      response.setMaxListeners(LISTENERS_MAX);
      boundStream(ctx, content);
      return;
    }
    // Koa would set the status and each header on its own, which costs some percent of the rate of sends.
    ctx.respond = false;
    if (!ctx.writable) {
      response.end();
      return;
    }
    const all = { ...state.headers };
    if (content !== undefined) {
      all['Content-Type'] = isText
        ? 'text/plain; charset=utf-8'
        : 'application/json; charset=utf-8';
      all['Content-Length'] = String(Buffer.byteLength(content));
    }
    response.writeHead(status, Object.assign(all, headers)).end(content);
    // By now the kernel has what it takes of the response at once, which is nearly always all.
    if (request.socket.writableLength > 0 && !request.socket.destroyed) watch(ctx);
  };
  return send;
};
