import type { Next } from 'koa';
import { inTrace } from '../../shared/trace-context.ts';
import type { Tracing } from '../../shared/tracing.ts';
import type { EdgeContext } from './context.ts';

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
