import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { createApi, route } from '../../src/cli/api/api.ts';
import { CliError } from '../../src/cli/program/failure.ts';
import { TOKEN } from './support.ts';

/** What a call meets at a server that does no more than `onSocket`. */
const failureAt = async (
  onSocket: (socket: Socket) => void,
  timeoutMs = 100,
): Promise<CliError> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const api = createApi({
    url: `http://127.0.0.1:${port}/api`,
    below: '/admin/v1',
    token: TOKEN,
    clientName: 'test',
  });
  try {
    await api.call('POST', '/plans', { body: {}, idempotencyKey: 'key-1', timeoutMs });
    throw new Error('It got an answer');
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  } finally {
    await api.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
};

describe('the API client of waybill', () => {
  it('gives up on a service that does not answer', async () => {
    const { message } = await failureAt(() => {});
    expect(message).to.match(/^No answer from http:\S+\/api: no answer in time\n/);
    expect(message).to.match(/repeat it with --idempotency-key key-1$/);
  });

  it('gives up on an answer that does not end', async () => {
    const { message } = await failureAt((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a"');
    });
    expect(message).to.include('no answer in time');
  });

  it('reports a broken connection, and how to repeat the call', async () => {
    // Not the time ends it.
    const { message } = await failureAt(
      (socket) => socket.once('data', () => socket.destroy()),
      600_000,
    );
    expect(message).to.include('the connection broke before the answer was complete');
    expect(message).to.include('--idempotency-key key-1');
  });

  it('keeps every part of a path in its segment', () => {
    expect(route`/keys/${'a/b?c#d'}/revoke`).to.equal('/keys/a%2Fb%3Fc%23d/revoke');
    for (const part of ['', '.', '..']) {
      expect(() => route`/keys/${part}`).to.throw(CliError, 'cannot be an id');
    }
  });
});
