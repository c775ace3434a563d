import type { Next } from 'koa';
import { AppError, isRefusal } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Metrics } from '../ops/metrics.ts';
import { type Response, reply, send } from '../route/response.ts';
import { recordOf, responseOf } from './error-responses.ts';
import type { EdgeContext } from './request.ts';
import { unavailabilityOf } from './unavailable.ts';

/** What the libraries under us throw, in our words. */
const LIBRARY_ERRORS: Record<string, ['request.too_large' | 'request.malformed', string]> = {
  'entity.too.large': ['request.too_large', 'The request body is larger than allowed'],
  'request.aborted': ['request.malformed', 'The request was aborted'],
  'stream.not.readable': ['request.malformed', 'The request was aborted'],
  'request.size.invalid': ['request.malformed', 'The request body has not the announced length'],
};

/** A refusal, if the error is one; undefined for a fault. */
export const refusalOf = (error: unknown): AppError | undefined => {
  if (isRefusal(error)) return error;
  const unavailable = unavailabilityOf(error);
  if (unavailable) return unavailable;
  const type = (error as { type?: unknown } | null | undefined)?.type;
  const known = typeof type === 'string' ? LIBRARY_ERRORS[type] : undefined;
  return known && new AppError(known[0], known[1], { cause: error });
};

/** An error as the caller sees it. */
export const problemOf = (error: unknown): Response<Record<string, unknown>> => {
  const refusal = refusalOf(error);
  return refusal ? responseOf(refusal) : reply(500, { error: 'Internal server error' });
};

const report = (error: unknown, ctx: EdgeContext, log: Logger): void => {
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
  const refused = { ...where, code, providerCode };
  if (code === 'key.lookup_failed') log.error({ ...refused, err: error }, 'Key lookup failed');
  else if (recordOf(code).status >= 500 && code !== 'request.no_room') {
    // The provider may repeat what it was sent, so its code must do.
    log.warn({ ...refused, ...(!isOfProvider && { err: error }) }, 'Request failed');
  } else log.debug(refused, 'Request refused');
};

/** Answers and counts every error of the middleware after it. Headers that were set before the error stay. */
export const ownErrors =
  (log: Logger, metrics: Pick<Metrics, 'countRefusal'>) =>
  async (ctx: EdgeContext, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      report(error, ctx, log);
      metrics.countRefusal(refusalOf(error)?.code ?? 'fault');
      send(ctx, problemOf(error));
    }
  };
