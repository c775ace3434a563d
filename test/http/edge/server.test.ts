import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { z } from 'zod';
import { reply } from '../../../src/http/edge/respond.ts';
import { bind, listen } from '../../../src/http/edge/server.ts';
import { defineRawRoute } from '../../../src/http/route/raw-route.ts';
import { defineRoute } from '../../../src/http/route/route.ts';
import { type Edge, openEdge, pingRoute, readToEnd, toy, useEdges } from '../../support/edge.ts';
import { until } from '../../support/until.ts';

/** A route that answers when the test says so. */
const gated = () => {
  const opened = Promise.withResolvers<void>();
  const gate = { entered: 0, aborted: 0, finished: 0, open: opened.resolve };
  const route = defineRoute({
    ...toy,
    path: '/v1/gated',
    responses: { 200: z.object({ done: z.literal(true) }) },
    async handle(_, { signal }) {
      gate.entered += 1;
      signal().addEventListener('abort', () => {
        gate.aborted += 1;
      });
      await opened.promise;
      gate.finished += 1;
      return { done: true as const };
    },
  });
  const handles = () => until('the handler runs', () => gate.entered === 1);
  return { gate, route, handles };
};

const GATED = 'GET /api/v1/gated HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n';
const PING = 'GET /api/v1/ping HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n';

describe('A caller’s disconnect', () => {
  useEdges();

  it('fires the signal of the handler', async () => {
    const { gate, route, handles } = gated();
    const edge = await openEdge({ routes: [route] });
    const socket = await edge.dial();
    socket.write(GATED);
    await handles();
    socket.destroy();
    await until('the signal fires', () => gate.aborted === 1);
    gate.open();
    await until('the handler ends', () => gate.finished === 1);
  });

  it('is not mistaken for the end of a response', async () => {
    const { gate, route, handles } = gated();
    const edge = await openEdge({ routes: [route] });
    const socket = await edge.dial();
    const answer = readToEnd(socket);
    socket.write(GATED);
    await handles();
    gate.open();
    await once(socket, 'data');
    socket.destroy();
    expect(await answer).to.match(/^HTTP\/1\.1 200 /);
    await edge.close();
    expect(gate.aborted).to.equal(0);
  });

  it('before a handler reads the signal is visible on it', async () => {
    const { gate, route, handles } = gated();
    const gone = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<boolean>();
    const late = {
      ...route,
      handle: async (...[, { signal }]: Parameters<typeof route.handle>) => {
        gate.entered += 1;
        await gone.promise;
        seen.resolve(signal().aborted);
        return { done: true };
      },
    };
    const edge = await openEdge({ routes: [late] });
    const socket = await edge.dial();
    socket.write(GATED);
    await handles();
    socket.destroy();
    // A whole request later the server has seen that the caller is gone.
    await edge.call('GET', '/api/v1/nothing');
    gone.resolve();
    expect(await seen.promise).to.equal(true);
  });
});

describe('Stopping', () => {
  useEdges();
  let edge: Edge;
  /** A request that is answered once its gate is open. */
  const begin = async (server: Parameters<typeof openEdge>[0] = {}) => {
    const { gate, route, handles } = gated();
    edge = await openEdge({ routes: [route], ...server });
    const running = edge.call('GET', '/api/v1/gated', { token: 'good' });
    await handles();
    return { gate, running };
  };

  it('lets requests in flight finish, takes no new connection, and closes behind them', async () => {
    const { gate, running } = await begin();
    const stopped = edge.stop();
    const refused = await edge.dial().catch((error: NodeJS.ErrnoException) => error.code);
    expect(refused).to.equal('ECONNREFUSED');
    gate.open();
    const answer = await running;
    expect([answer.status, answer.body]).to.deep.equal([200, { done: true }]);
    expect(answer.headers.connection).to.equal('close');
    await stopped;
  });

  it('answers 503 on idle connections and closes them', async () => {
    edge = await openEdge({ server: { idleGraceMs: 60_000 } });
    const socket = await edge.dial();
    socket.write(PING);
    await once(socket, 'data');
    const stopped = edge.stop();
    socket.write(PING);
    const text = await readToEnd(socket);
    expect(text)
      .to.match(/^HTTP\/1\.1 503 /)
      .and.match(/connection: close/i)
      .and.match(/ratelimit-limit: \d+/i)
      .and.include('{"error":"The service is stopping","hint":');
    await stopped;
  });

  it('keeps liveness and ends readiness', async () => {
    const liveness = { method: 'GET', limitBytes: 0, handle: () => reply(200, {}) } as const;
    edge = await openEdge({
      rawRoutes: ['/health/live', '/health/ready'].map((path) =>
        defineRawRoute({ ...liveness, path }),
      ),
      server: { idleGraceMs: 60_000 },
    });
    const statuses: string[] = [];
    const sockets = await Promise.all([edge.dial(), edge.dial()]);
    for (const socket of sockets) {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
    }
    const stopped = edge.stop();
    for (const [index, path] of ['live', 'ready'].entries()) {
      sockets[index]!.write(`GET /health/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      statuses.push((await readToEnd(sockets[index]!)).slice(9, 12));
    }
    expect(statuses).to.deep.equal(['200', '503']);
    await stopped;
  });

  it('cuts requests that do not finish in time', async () => {
    const { gate, running } = await begin({ server: { drainTimeoutMs: 50 } });
    const [ended] = await Promise.allSettled([running, edge.stop()]);
    expect(ended.status).to.equal('rejected');
    await until('the signal fires', () => gate.aborted === 1);
    gate.open();
  });

  it('ends at once without requests, and a second stop changes nothing', async () => {
    edge = await openEdge({ server: { idleGraceMs: 60_000, drainTimeoutMs: 60_000 } });
    await Promise.all([edge.stop(), edge.stop()]);
    await edge.stop();
  });
});

describe('Listening', () => {
  const SETTINGS = {
    host: '127.0.0.1',
    port: 0,
    keepAliveTimeoutMs: 1_000,
    drainTimeoutMs: 0,
    connectionsMax: 10,
    idleGraceMs: 0,
  };
  /** An application that answers this. */
  const serving = (text: string): Parameters<typeof listen>[0] => ({
    handler: (_, response) => void response.end(text),
    refuseNew: () => undefined,
    noteUnparsable: () => '',
  });
  useEdges();

  it('rejects when the address is taken', async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const failure = await openEdge({ server: { port } }).catch((error) => error.code);
    expect(failure).to.equal('EADDRINUSE');
    taken.close();
  });

  it('answers 503 on the port until it has an application', async () => {
    const server = await bind(SETTINGS);
    const get = () => fetch(`http://127.0.0.1:${server.port}/health/ready`);
    const early = await get();
    expect([early.status, early.headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(early.headers.get('x-request-id')).to.equal('starting');
    expect(await early.json()).to.include({ error: 'The service is starting' });
    server.serve(serving('served'));
    expect(await (await get()).text()).to.equal('served');
    await server.stop();
  });

  it('names its address as a URL has it', async function () {
    const server = await bind({ ...SETTINGS, host: '::1' }).catch(() => null);
    // A machine without IPv6.
    if (!server) return this.skip();
    const { status } = await fetch(`http://${server.host}:${server.port}/health/ready`);
    expect(status).to.equal(503);
    await server.stop();
  });

  it('answers bytes that are not HTTP in JSON', async () => {
    const edge = await openEdge();
    for (const [bytes, status] of [
      ['nonsense\r\n\r\n', '400'],
      [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
      ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', '400'],
    ] as const) {
      const text = await edge.exchange(bytes);
      expect(text.slice(9, 12)).to.equal(status);
      expect(text).to.match(/content-type: application\/json/i);
      expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).to.have.all.keys('error');
      const [, requestId] = /x-request-id: (\S+)/i.exec(text) ?? [];
      expect(requestId).to.match(/^request-\d+$/);
      const lines = edge.lines.filter((line) => line.includes(`"${requestId}"`));
      expect(lines, 'the log has the same id').to.have.length(1);
    }
  });

  it('answers a head or a body that does not arrive in time in JSON', async () => {
    const timeouts = { headMs: 20, requestMs: 40, checkMs: 10 };
    const edge = await openEdge({ server: { timeouts } });
    const body =
      'Authorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 9';
    for (const bytes of ['GET /he', `POST /api/v1/echo HTTP/1.1\r\n${body}\r\n\r\n{`]) {
      const text = await edge.exchange(bytes);
      const late = /^HTTP\/1\.1 408 .*x-request-id: request-\d+\r\n.*\{"error":"[^"]+"\}$/is;
      expect(text).to.match(late);
    }
  });

  it('ignores an absent Host and an unknown Expect', async () => {
    const edge = await openEdge({ routes: [pingRoute] });
    for (const head of ['', 'Host: x\r\nExpect: miracles\r\n']) {
      const answer = await edge.exchange(
        PING.replace('Host: x\r\n', `${head}Connection: close\r\n`),
      );
      expect(answer).to.match(/^HTTP\/1\.1 200 .*\{"pong":true\}$/s);
    }
  });

  it('does not wait for a response that never began when it stops', async () => {
    const patient = { ...SETTINGS, keepAliveTimeoutMs: 60_000, drainTimeoutMs: 60_000 };
    const server = await listen(serving('{}'), patient);
    const answer = await fetch(`http://127.0.0.1:${server.port}/`);
    await answer.text();
    await server.stop();
  });
});

describe('Connections', () => {
  useEdges();

  const isOpen = async (socket: Socket, head = PING): Promise<boolean> => {
    if (socket.destroyed || !socket.writable) return false;
    const answered = once(socket, 'data').then(Boolean, () => false);
    const closed = once(socket, 'close').then(() => false);
    socket.write(head);
    return Promise.race([answered, closed]);
  };
  const stranger = PING.replace('good', 'wrong');
  const dialAll = async (edge: Edge, count: number) => {
    const sockets: Socket[] = [];
    for (let index = 0; index < count; index += 1) {
      const socket = await edge.dial();
      socket.on('error', () => {});
      sockets.push(socket);
    }
    return sockets;
  };
  const opened = (sockets: Socket[], head?: string) =>
    Promise.all(sockets.map((socket) => isOpen(socket, head)));

  it('row 32: with a valid key stay open beside any number without one', async () => {
    const edge = await openEdge({ server: { connectionsPerAddressMax: 3 } });
    const [own] = await dialAll(edge, 1);
    expect(await isOpen(own!)).to.equal(true);
    const others = await dialAll(edge, 10);
    await until('the oldest are closed', () => others.filter((one) => one.destroyed).length === 7);
    expect(await isOpen(own!)).to.equal(true);
    const [late] = await dialAll(edge, 1);
    expect(await isOpen(late!), 'and others with one get in').to.equal(true);
  });

  it('with unfinished bodies count too: a new caller of that address is served', async () => {
    const hook = { method: 'POST', path: '/hook', limitBytes: 9 } as const;
    const edge = await openEdge({
      server: { connectionsPerAddressMax: 3 },
      rawRoutes: [defineRawRoute({ ...hook, handle: () => reply(200, '') })],
    });
    const sockets = await dialAll(edge, 3);
    for (const socket of sockets) {
      socket.write('POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    }
    const [late] = await dialAll(edge, 1);
    expect(await isOpen(late!)).to.equal(true);
    await until('the oldest is closed', () => sockets[0]!.destroyed);
  });

  it('of a proxy are not bounded by its address', async () => {
    const edge = await openEdge({ server: { connectionsPerAddressMax: null } });
    const sockets = await dialAll(edge, 300);
    expect(new Set(await opened(sockets, stranger))).to.deep.equal(new Set([true]));
  });

  it('are 256 of one address by default', async () => {
    const edge = await openEdge({});
    const sockets = await dialAll(edge, 257);
    await until('the oldest is closed', () => sockets[0]!.destroyed);
    expect(sockets.filter((one) => one.destroyed)).to.have.length(1);
  });

  it('are bounded in all: the oldest idle ones close, and no caller is locked out', async () => {
    const server = { connectionsMax: 5, connectionsPerAddressMax: null };
    const edge = await openEdge({ server });
    const idle = await dialAll(edge, 5);
    for (const socket of idle) expect(await isOpen(socket)).to.equal(true);
    const late = await dialAll(edge, 3);
    expect(await isOpen(late[2]!)).to.equal(true);
    const closed = () => [...idle, ...late].filter((one) => one.destroyed);
    await until('room was made', () => closed().length === 3);
    // Strangers give way before those with a right key: the first two that came late.
    expect(idle.map((one) => one.destroyed)).to.deep.equal([true, false, false, false, false]);
    expect(late.map((one) => one.destroyed)).to.deep.equal([true, true, false]);
  });
});
