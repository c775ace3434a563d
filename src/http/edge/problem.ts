import type { Next } from 'koa';
import { StoreUnavailable } from '../../events/store.ts';
import { ListsBusy, ListTooSlow } from '../../projections/engine/lists.ts';
import { NotReached } from '../../projections/engine/reader.ts';
import { AppError, type ErrorCode } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import type { EdgeContext } from './context.ts';

/** An error as the caller sees it. */
export interface Problem {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, string>;
}

/** What the libraries under us throw, in our words. */
const LIBRARY_ERRORS: Record<string, [ErrorCode, string]> = {
  'entity.too.large': ['request.too_large', 'The request body is larger than allowed'],
  'request.aborted': ['request.malformed', 'The request was aborted'],
  'request.size.invalid': ['request.malformed', 'The request body has not the announced length'],
};

const unavailable = (message: string, retryAfterSeconds: number, cause: unknown) =>
  new AppError('service.unavailable', message, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
    cause,
  });

/** A refusal, if the error is one; undefined for a fault. */
export const refusalOf = (error: unknown): AppError | undefined => {
  if (error instanceof AppError) return error;
  if (error instanceof ListTooSlow) {
    const advice = 'This list took too long to read: ask for fewer rows or a narrower filter';
    return unavailable(advice, error.retryAfterSeconds, error);
  }
  if (error instanceof ListsBusy) {
    return unavailable('Too many lists are being read at once', error.retryAfterSeconds, error);
  }
  if (error instanceof StoreUnavailable) {
    return unavailable('The service cannot store this now', error.retryAfterSeconds, error);
  }
  if (error instanceof NotReached) {
    return unavailable('The service is catching up with its log', 1, error);
  }
  const type = (error as { type?: unknown } | null | undefined)?.type;
  const known = typeof type === 'string' ? LIBRARY_ERRORS[type] : undefined;
  return known && new AppError(known[0], known[1], { cause: error });
};

export const problemOf = (error: unknown): Problem => {
  const refusal = refusalOf(error);
  if (!refusal) return { status: 500, body: { error: 'Internal server error' }, headers: {} };
  const { details, publicCode } = refusal;
  return {
    status: refusal.status,
    body: {
      error: details.validation ?? refusal.message,
      ...(publicCode !== undefined && { code: publicCode }),
      ...details.body,
    },
    headers: details.headers ?? {},
  };
};

/** Serialises here and not in Koa, so that `ownErrors` reports a body that cannot be serialised. */
export const answerJson = (
  ctx: EdgeContext,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  const text = JSON.stringify(body);
  ctx.set(headers);
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.status = status;
  ctx.body = text;
};

/** The provider's own code for its no, where that is what the refusal passes on. */
const providerCodeOf = ({ details }: AppError): unknown =>
  (details.body?.details as { providerCode?: unknown } | undefined)?.providerCode ?? undefined;

const report = (error: unknown, ctx: EdgeContext, log: Logger): void => {
  const { requestId, route, accountId } = ctx.state;
  const where = { requestId, method: ctx.method, route, accountId };
  const refusal = refusalOf(error);
  if (!refusal) {
    log.error({ ...where, err: error }, 'Request failed unexpectedly');
    return;
  }
  const { code, status } = refusal;
  const refused = { ...where, code, providerCode: providerCodeOf(refusal) };
  if (code === 'key.lookup_failed') log.error({ ...refused, err: error }, 'Key lookup failed');
  else if (status >= 500 && code !== 'request.no_room') {
    log.warn({ ...refused, err: error }, 'Request failed');
  } else log.debug(refused, 'Request refused');
};

/** Answers every error of the middleware after it. Headers that were set before the error stay. */
export const ownErrors =
  (log: Logger) =>
  async (ctx: EdgeContext, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const { status, body, headers } = problemOf(error);
      report(error, ctx, log);
      answerJson(ctx, status, body, headers);
    }
  };
