import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startServer } from './server.ts';

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
  let connections = 0;
  let open = 0;
  let respond = (response: ServerResponse, _call: Called): void => void response.end();
  const { server, port, url, close } = await startServer(async (request, response) => {
    const body = await text(request);
    const { method = '', url: path = '', headers } = request;
    const call = { method, path, headers, body };
    calls.push(call);
    respond(response, call);
  });
  server.on('connection', (socket) => {
    connections += 1;
    open += 1;
    socket.on('close', () => {
      open -= 1;
    });
    socket.on('error', () => undefined);
  });
  return {
    port,
    url,
    calls,
    connections: () => connections,
    open: () => open,
    answer(next) {
      respond = next;
    },
    close,
  };
};
