import type { Readable } from 'node:stream';
import type { Next } from 'koa';
import type { BytePace } from './byte-pace.ts';
import type { EdgeContext } from './context.ts';
import { hasBody, isLongBody, slowDown } from './read-bytes.ts';

/** How long a caller may go on sending a body that the service does not read. */
export const UNREAD_BODY_MS = 2_000;

/**
 * Ends the connection of a body that was not read, up to `unreadBodyMs` after the response. A short body
 * that arrives until then is discarded, and its connection serves further requests. Of a long one the
 * service's side closes with the response, and further bytes are discarded meanwhile: a full close with
 * unread bytes would reset the connection, and a caller that is still sending would lose the response.
 */
export const halfClose =
  (pace: BytePace, unreadBodyMs: number) =>
  async (ctx: EdgeContext, next: Next): Promise<void> => {
    await next();
    const { req: request, res: response } = ctx;
    if (request.complete || !hasBody(request)) return;
    const { socket } = request;
    const destroyLate = (unlessClosed: Readable) => {
      const timer = setTimeout(() => socket.destroy(), unreadBodyMs);
      unlessClosed.once('close', () => clearTimeout(timer));
    };
    if (!isLongBody(request)) {
      // A request closes when all of it has arrived, or with its connection.
      response.once('finish', () => destroyLate(request));
      return;
    }
    ctx.set('Connection', 'close');
    // Node would discard the rest at full speed.
    request.on('data', (chunk: Buffer) => slowDown(request, pace, chunk.length));
    request.resume();
    socket.destroySoon = () => {
      socket.end();
      destroyLate(socket);
    };
  };
