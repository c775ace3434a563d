import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a caller whose body we refuse to read may go on sending it. */
const LINGER_MS = 2_000;

/**
 * Answers a request whose body was not read to its end, and closes the connection behind it. A
 * plain close with unread bytes would reset the connection, and a caller that is still sending
 * would lose the answer; so our side is closed, and what still comes is thrown away for a while.
 */
export const closeAfterAnswer = (request: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('Connection', 'close');
  const { socket } = request;
  socket.destroySoon = () => {
    socket.end();
    request.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
};
