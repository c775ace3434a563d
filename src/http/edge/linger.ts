import { setHeader } from './answer.ts';
import type { BytePace } from './byte-pace.ts';
import type { EdgeContext } from './context.ts';
import { isLongBody, slowDown } from './read-bytes.ts';

/** How long a caller whose body we refuse to read may go on sending it. */
const LINGER_MS = 2_000;

/**
 * When a long body was not read to its end, closes the connection behind the answer. A plain close
 * with unread bytes would reset the connection, and a caller that is still sending would lose the
 * answer; so only our side is closed, and what still comes is thrown away for a while, slowly.
 */
export const closeBehindUnread = (ctx: EdgeContext, pace: BytePace): void => {
  const { req: request } = ctx;
  if (request.complete || !isLongBody(request)) return;
  setHeader(ctx, 'Connection', 'close');
  const { socket } = request;
  // From now on: Node would throw an unread rest away itself, as fast as it comes.
  request.on('data', (chunk: Buffer) => slowDown(request, pace, chunk.length));
  request.resume();
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
};
