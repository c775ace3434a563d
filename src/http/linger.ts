import type { IncomingMessage } from 'node:http';
import { setHeader } from './answer.ts';
import type { EdgeContext } from './context.ts';

/** How long a caller whose body we refuse to read may go on sending it. */
const LINGER_MS = 2_000;

/** How much of it is taken in and thrown away meanwhile. */
const LINGER_BYTES_MAX = 16 * 1_048_576;

/** An unread rest of this size is not worth a connection: Node reads and drops it. */
const DROPPED_BYTES_MAX = 65_536;

const isLongUnread = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > DROPPED_BYTES_MAX);

/**
 * When a long body was not read to its end, closes the connection behind the answer. A plain close
 * with unread bytes would reset the connection, and a caller that is still sending would lose the
 * answer; so only our side is closed, and what still comes is thrown away for a while.
 */
export const closeBehindUnread = (ctx: EdgeContext): void => {
  const { req: request } = ctx;
  if (!isLongUnread(request)) return;
  setHeader(ctx, 'Connection', 'close');
  const { socket } = request;
  socket.destroySoon = () => {
    let left = LINGER_BYTES_MAX;
    socket.end();
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) socket.destroy();
    });
    request.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
};
