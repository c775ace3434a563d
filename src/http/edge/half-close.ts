import type { Next } from 'koa';
import type { BytePace } from './byte-pace.ts';
import type { EdgeContext } from './context.ts';
import { isLongBody, slowDown } from './read-bytes.ts';

/** How long a caller may go on sending a body that the service does not read. */
const HALF_CLOSED_MS = 2_000;

/**
 * After the response to a long body that was not read, closes only the server's side of the
 * connection and discards up to 2 s of further bytes. A full close with unread bytes would reset the
 * connection, and a caller that is still sending would lose the response.
 */
export const halfClose =
  (pace: BytePace) =>
  async (ctx: EdgeContext, next: Next): Promise<void> => {
    await next();
    const { req: request } = ctx;
    if (request.complete || !isLongBody(request)) return;
    ctx.set('Connection', 'close');
    const { socket } = request;
    // Node would discard the rest at full speed.
    request.on('data', (chunk: Buffer) => slowDown(request, pace, chunk.length));
    request.resume();
    socket.destroySoon = () => {
      socket.end();
      const timer = setTimeout(() => socket.destroy(), HALF_CLOSED_MS);
      socket.once('close', () => clearTimeout(timer));
    };
  };
