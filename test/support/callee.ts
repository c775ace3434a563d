import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Called {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A URL of somebody's that is called; it answers what it is told to. */
export interface Callee {
  port: number;
  url: string;
  calls: Called[];
  /** Connections that were ever made. */
  connections(): number;
  /** Connections that stand now. */
  open(): number;
  /** From now on; by default an empty 200. */
  answer(respond: (response: ServerResponse, call: Called) => void): void;
  close(): Promise<void>;
}

export const startCallee = async (): Promise<Callee> => {
  const calls: Called[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let respond = (response: ServerResponse, _call: Called): void => void response.end();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method = '', url: path = '', headers } = request;
    const call = { method, path, headers, body };
    calls.push(call);
    respond(response, call);
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    calls,
    connections: () => connections,
    open: () => sockets.size,
    answer(next) {
      respond = next;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
