import { Readable } from 'node:stream';
import type { Next } from 'koa';
import type { ByteBudget } from './bytes.ts';
import { createPatience } from './bytes.ts';
import type { EdgeContext } from './request.ts';
import { clientAddress } from './request.ts';

/** The most bytes of one stream that wait in the response and on its socket. */
const STREAM_BYTES = 256 * 1024;

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
  const shareOf = ({ req, state }: EdgeContext) =>
    budget.open(state.accountId ?? clientAddress(req, trustProxyHops), () => req.socket.destroy());
  const watch = (ctx: EdgeContext): void => {
    const { socket } = ctx.req;
    if (socket.destroyed || socket.writableLength === 0) return;
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
  return async (ctx: EdgeContext, next: Next): Promise<void> => {
    // By then the kernel has what it takes of the response at once, which is nearly always all.
    ctx.res.once('prefinish', () => watch(ctx));
    await next();
    if (ctx.body instanceof Readable) boundStream(ctx, ctx.body);
  };
};
