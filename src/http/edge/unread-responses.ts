import { clientAddress } from './address.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { EdgeContext } from './context.ts';

interface UnreadResponsesOptions {
  /** Bounds the bytes of all responses that wait on sockets. */
  budget: ByteBudget;
  /** Time without progress after which the connection ends, in milliseconds. */
  timeoutMs: number;
  trustProxyHops: number;
}

/**
 * Bounds what callers leave unread. A connection whose caller takes none of a response for
 * `timeoutMs` ends. Above the budget the account, or without one the address, with the most unread
 * bytes loses its oldest connection. A caller that reads slowly receives the whole response.
 */
export const boundUnreadResponses = ({
  budget,
  timeoutMs,
  trustProxyHops,
}: UnreadResponsesOptions) => {
  const watch = (ctx: EdgeContext): void => {
    const { socket } = ctx.req;
    if (socket.destroyed || socket.writableLength === 0) return;
    const owner = ctx.state.accountId ?? clientAddress(ctx.req, trustProxyHops);
    const share = budget.open(owner, () => socket.destroy());
    ctx.res.once('close', share.close);
    // Node destroys the socket after a time in which the kernel took no byte of a pending write.
    socket.setTimeout(timeoutMs);
    // Before Node sets the time for idle connections.
    ctx.res.prependOnceListener('finish', () => socket.setTimeout(0));
    share.take(socket.writableLength);
  };
  return (ctx: EdgeContext): void => {
    // By then the kernel has what it takes of the response at once, which is nearly always all.
    ctx.res.once('prefinish', () => watch(ctx));
  };
};
