import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createConnections } from '../../src/http/edge/server.ts';

export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** A connection that takes everything at once; the caller's end of it is this object. */
const createConnection = (onEnd: (text: string) => void): Socket => {
  let text = '';
  const connection = new Duplex({
    read() {},
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  const end = () => onEnd(text);
  return Object.assign(connection, {
    remoteAddress: '127.0.0.1',
    setTimeout: () => connection,
    destroySoon: end,
  }) as unknown as Socket;
};

const parse = (text: string): Reply => {
  const split = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, split).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
  });
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    text: text.slice(split + 4),
  };
};

/**
 * One request over a connection that is not a socket, so that no part of it waits for the kernel.
 * `hangUp` closes the caller's end; its answer is then undefined.
 */
export const exchange = (
  handler: RequestListener,
  {
    method,
    url,
    headers,
    body,
  }: { method: string; url: string; headers: Record<string, string>; body: Buffer },
): { answer: Promise<Reply | undefined>; hangUp: () => void } => {
  const { promise: answer, resolve } = Promise.withResolvers<Reply | undefined>();
  const connection = createConnection((text) => resolve(parse(text)));
  const request = new IncomingMessage(connection);
  const lengths = body.length > 0 ? { 'content-length': String(body.length) } : {};
  Object.assign(request, { method, url, headers: { ...headers, ...lengths }, complete: true });
  if (body.length > 0) request.push(body);
  request.push(null);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.sendDate = false;
  response.assignSocket(connection);
  response.on('finish', () => {
    response.detachSocket(connection);
    response.emit('close');
    connection.destroySoon();
  });
  // As the server does it, whose bounds of connections are not the subject here.
  const connections = createConnections({ perAddressMax: null, totalMax: 1 }, { handler });
  connections.add(connection, '127.0.0.1');
  connections.serve(request, response);
  return {
    answer,
    hangUp() {
      if (response.writableFinished) return;
      resolve(undefined);
      request.emit('aborted');
      connection.destroy();
      response.destroy();
    },
  };
};
