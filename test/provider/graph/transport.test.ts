import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createTransport, type HttpCall } from '../../../src/provider/graph/transport.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { startServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const MEGABYTE = 1_048_576;
const LONG_MS = 60_000;

describe('the connections to the provider', () => {
  useRealConnections();
  let origin: string;
  let closed = 0;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  const clock = { now: () => performance.now() };
  const listening = inEachTest(() => startServer((request, response) => handle(request, response)));
  beforeEach(() => {
    closed = 0;
    origin = listening.url;
    listening.server.on('connection', (socket) => socket.on('close', () => (closed += 1)));
  });

  const exchange = async (change: Partial<HttpCall> = {}, withinMs = LONG_MS) => {
    const transport = createTransport({ origin, timeoutMs: LONG_MS, connections: 1, clock });
    const call: HttpCall = { method: 'POST', path: '/x', token: 'token', ...change };
    const done = await transport.exchange(call, clock.now() + withinMs);
    return { done, close: () => transport.close() };
  };

  it('carry the token, and a body with its content type', async () => {
    const seen: unknown[] = [];
    handle = async ({ method, url, headers }, response) => {
      const { authorization, 'content-type': type } = headers;
      seen.push({ method, url, authorization, type });
      response.end();
    };
    await (await exchange({ body: '{}' })).close();
    await (await exchange({ method: 'GET' })).close();
    const authorization = 'Bearer token';
    expect(seen).to.deep.equal([
      { method: 'POST', url: '/x', authorization, type: 'application/json' },
      { method: 'GET', url: '/x', authorization, type: undefined },
    ]);
  });

  it('know the time that the last answer told, and how many calls had none since', async () => {
    let date: string | undefined = 'Fri, 27 Nov 2026 00:00:00 GMT';
    handle = (_, response) => {
      response.sendDate = false;
      if (date !== undefined) response.setHeader('date', date);
      response.end('{}');
    };
    const transport = createTransport({ origin, timeoutMs: LONG_MS, connections: 1, clock });
    const ask = () =>
      transport.exchange({ method: 'GET', path: '/x', token: 'token' }, clock.now() + LONG_MS);
    const heard = () => transport.heard();
    expect(heard().time).to.equal(undefined);
    await ask();
    const told = heard().time!;
    expect(told).to.be.within(Date.parse(date), Date.parse(date) + LONG_MS);
    expect(heard().time).to.be.at.least(told);
    for (const none of [undefined, 'yesterday']) {
      date = none;
      await ask();
      expect(heard().time).to.equal(undefined);
    }
    const answer = handle;
    handle = (request) => request.destroy();
    for (const count of [1, 2]) {
      await ask();
      expect(heard().missed).to.deep.equal({ count, reason: 'UND_ERR_SOCKET' });
    }
    handle = answer;
    await ask();
    expect(heard().missed).to.equal(undefined);
    await transport.close();
  });

  it('leave no timer behind', async () => {
    handle = (_, response) => response.end('{}');
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
    const before = timers();
    for (let call = 0; call < 30; call += 1) await (await exchange()).close();
    expect(timers() - before).to.be.below(20);
  });

  it('receive an answer of 1 MB whole, in any pieces', async () => {
    handle = (_, response) => {
      response.writeHead(201);
      response.write('ä'.repeat(MEGABYTE / 4));
      response.end('b'.repeat(MEGABYTE / 2));
    };
    const { done, close } = await exchange();
    if (done.kind !== 'answer') throw new Error(done.kind);
    expect([done.status, Buffer.byteLength(done.text)]).to.deep.equal([201, MEGABYTE]);
    expect(done.text).to.match(/^ä+b+$/);
    await close();
  });

  it('end after one byte more, with the status and no text', async () => {
    handle = (_, response) => {
      response.writeHead(400);
      response.write('b'.repeat(MEGABYTE + 1));
    };
    const { done, close } = await exchange();
    expect(done).to.deep.equal({ kind: 'answer', status: 400, text: '' });
    await until('the connection is closed', () => closed === 1);
    await close();
  });

  it('end at the time limit', async () => {
    handle = () => undefined;
    const { done, close } = await exchange({}, 300);
    expect(done).to.deep.equal({ kind: 'broken', reason: 'no answer in time' });
    await until('the connection is closed', () => closed === 1);
    await close();
  });
});
