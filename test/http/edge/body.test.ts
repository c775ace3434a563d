import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createMemoryRateLimiter } from '../../../src/http/edge/limits.ts';
import { answered } from '../../support/answered.ts';
import { aKey, closeEdges, type Edge, openEdge, readToEnd } from '../../support/edge.ts';
import { useRealConnections } from '../../support/network.ts';
import { until } from '../../support/until.ts';

const MEGABYTE = 1_048_576;

/** The service's side of the connections from now on. */
const servedSockets = () => {
  const sockets: Socket[] = [];
  const note = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', note);
  return { sockets, stop: () => unsubscribe('net.server.socket', note) };
};

describe('Request bodies', () => {
  useRealConnections();
  let edge: Edge;
  before(async () => {
    edge = await openEdge();
  });
  after(closeEdges);

  const post = (body: unknown, headers: Record<string, string> = {}, token = 'good') =>
    edge.call('POST', '/api/v1/echo', { token, body, headers });

  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const fields = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"key${index}":${index}`).join(',')}}`;

  for (const { what, body, headers, status, error } of [
    { what: 'a byte over 1 MB', body: 'x'.repeat(MEGABYTE + 1), status: 413, error: /larger/ },
    { what: 'malformed JSON', body: '{"a":', status: 400, error: /not valid JSON/ },
    {
      what: 'a number of lost digits',
      body: '{"a":1e400}',
      status: 400,
      error: /1e400.*as a text/,
    },
    { what: 'a NUL byte', body: '{"a":"x\0"}', status: 400, error: /not valid JSON/ },
    {
      what: 'bad UTF-8',
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      status: 400,
      error: /UTF-8/,
    },
    { what: '33 levels', body: nested(33), status: 400, error: /32 levels/ },
    { what: '500,000 brackets', body: '['.repeat(500_000), status: 400, error: /32 levels/ },
    { what: '1,001 fields in an object', body: fields(1001), status: 400, error: /1000 fields/ },
    { what: '60,000 keys', body: fields(60_000), status: 400, error: /1000 fields/ },
    {
      what: 'a list of 300,000 items',
      body: JSON.stringify({ list: Array(300_000).fill(0) }),
      status: 400,
      error: /150000 fields/,
    },
    {
      what: 'a gzip bomb',
      body: gzipSync(Buffer.alloc(50 * MEGABYTE, 0x20)),
      headers: { 'content-encoding': 'gzip' },
      status: 415,
      error: /compressed/,
    },
    {
      what: 'another content type',
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      status: 415,
      error: /JSON/,
    },
    {
      what: 'plain text',
      body: '{"a":1}',
      headers: { 'content-type': 'text/plain' },
      status: 415,
      error: /JSON/,
    },
  ]) {
    it(`refuses ${what} with ${status}`, async () => {
      const answer = await answered(status, post(body, headers));
      expect(answer.body).to.have.all.keys('error');
      expect(answer.body.error).to.match(error);
      expect(answer.headers['ratelimit-limit']).to.equal('1000000');
      expect(answer.headers['content-type']).to.match(/^application\/json/);
    });
  }

  it('accepts exactly 1 MB, 32 levels, 1,000 fields in an object and 150,000 items', async () => {
    const padding = 'x'.repeat(MEGABYTE - '{"a":""}'.length);
    const items = JSON.stringify({ list: Array(150_000).fill(0) });
    for (const body of [`{"a":"${padding}"}`, nested(32), fields(1000), items]) {
      expect((await post(body)).status).to.equal(200);
    }
  });

  it('reads an absent body as an empty object, with any content type', async () => {
    expect((await edge.call('POST', '/api/v1/echo', { token: 'good' })).body).to.deep.equal({
      got: {},
    });
    const typed = await post('', { 'content-type': 'text/plain', 'content-length': '0' });
    expect(typed.body).to.deep.equal({ got: {} });
  });

  it('accepts structured JSON types and a charset', async () => {
    for (const type of ['application/problem+json', 'application/json; charset=utf-8']) {
      const answer = await post('{"a":"é"}', { 'content-type': type });
      expect(answer.body).to.deep.equal({ got: { a: 'é' } });
    }
  });

  it('keeps the digits of a number that no double can hold', async () => {
    expect((await post('{"id":12345678901234567890}')).body.got.id).to.equal(
      '12345678901234567890',
    );
  });

  it('ignores __proto__', async () => {
    await answered(200, post('{"__proto__":{"polluted":true},"a":{"__proto__":{"b":1}}}'));
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
  });

  it('checks the key before it reads the body', async () => {
    for (const body of ['{', 'x'.repeat(MEGABYTE + 1)]) {
      const answer = await answered(401, post(body, {}, 'wrong'));
      expect(answer.headers['ratelimit-limit']).to.equal('120');
    }
  });

  it('checks the body before the rights of a valid key', async () => {
    const own = await openEdge({ keys: { suspended: aKey({ organisationSuspended: true }) } });
    const statuses = await Promise.all(
      ['{', 'x'.repeat(MEGABYTE + 1), '{}'].map(async (body) => {
        const answer = await own.call('POST', '/api/v1/echo', { token: 'suspended', body });
        return answer.status;
      }),
    );
    expect(statuses).to.deep.equal([400, 413, 403]);
  });

  describe('over a bare connection', () => {
    const head = (...headers: string[]) =>
      `POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n` +
      `Content-Type: application/json\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;

    for (const [what, path, authorization, status] of [
      ['a wrong key', '/api/v1/echo', 'Bearer wrong', 401],
      ['no key', '/api/v1/echo', '', 401],
      ['a key over its limit', '/api/v1/echo', 'Bearer exhausted', 429],
      ['a wrong token of an administrator', '/api/admin/v1/plans', 'Bearer wrong', 401],
      ['a path that is not there', '/api/nowhere', '', 404],
    ] as const) {
      it(`does not wait for the body of ${what}`, async () => {
        const keys = { exhausted: aKey({ rateLimit: 0 }) };
        const own = await openEdge({ keys, bodyTimeoutMs: 60_000 });
        const answer = await own.exchange(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
            'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
        );
        expect(answer).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      });
    }

    it('invites the body of a waiting caller only with a valid key', async () => {
      const ask = (token: string) =>
        `POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 7\r\nConnection: close\r\n' +
        'Expect: 100-continue\r\n\r\n';
      expect(await edge.exchange(ask('wrong'))).to.match(/^HTTP\/1\.1 401 /);
      const caller = await edge.dial();
      const answer = readToEnd(caller);
      caller.write(ask('good'));
      await once(caller, 'data');
      caller.write('{"a":1}');
      expect(await answer).to.match(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    });

    it('cuts a body without end at the limit and closes', async () => {
      const socket = await edge.dial();
      const answer = readToEnd(socket);
      socket.on('error', () => {});
      socket.write(head('Transfer-Encoding: chunked'));
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      let sent = 0;
      const pump = () => {
        while (!socket.destroyed && socket.writable && sent < 400) {
          sent += 1;
          if (!socket.write(chunk)) return;
        }
      };
      socket.on('drain', pump);
      pump();
      const text = await answer;
      socket.destroy();
      expect(text).to.match(/^HTTP\/1\.1 413 /);
      expect(text).to.match(/connection: close/i);
      expect(text).to.match(/ratelimit-remaining: \d+/i);
    });

    it('takes a caller that leaves before its body is read for no fault', async () => {
      const arrived = Promise.withResolvers<IncomingMessage>();
      const note = (message: unknown) => {
        const { request } = message as { request: IncomingMessage };
        if (request.headers['x-request-id'] === 'leaver') arrived.resolve(request);
      };
      const left = Promise.withResolvers<void>();
      const limits = createMemoryRateLimiter();
      const own = await openEdge({
        keyLimits: {
          ...limits,
          async consume(...limit) {
            await left.promise;
            return limits.consume(...limit);
          },
        },
      });
      subscribe('http.server.request.start', note);
      const socket = await own.dial();
      socket.write(head('X-Request-Id: leaver\r\nContent-Length: 10'));
      const request = await arrived.promise;
      unsubscribe('http.server.request.start', note);
      const closed = Promise.withResolvers<void>();
      request.on('close', closed.resolve);
      socket.destroy();
      await closed.promise;
      left.resolve();
      const isRefusal = (line: string) => /Request (refused|failed)/.test(line);
      await until('the log line', () => own.lines.some(isRefusal));
      const { msg, code } = JSON.parse(own.lines.find(isRefusal)!);
      expect({ msg, code }).to.deep.equal({ msg: 'Request refused', code: 'request.malformed' });
    });

    it('answers 408 when the body does not arrive', async () => {
      const own = await openEdge({ bodyTimeoutMs: 200 });
      const text = await own.exchange(`${head('Content-Length: 10')}{"a"`);
      expect(text).to.match(/^HTTP\/1\.1 408 /);
      expect(text).to.match(/ratelimit-remaining: \d+/i);
      expect(text).to.match(
        /\{"error":"The body did not arrive in time","hint":"[^"]+","docUrl":"[^"]+"\}$/,
      );
    });

    it('closes the connection of a short body that is refused and does not arrive, after one answer', async () => {
      const timeouts = { headMs: 500, requestMs: 500, checkMs: 20 };
      const own = await openEdge({ unreadBodyMs: 20, server: { timeouts } });
      const refused = head('Content-Length: 10').replace('Bearer good', 'Bearer bad');
      const text = await own.exchange(`${refused}{"a"`);
      expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 401']);
    });

    it('keeps the connection of a short body that is refused and arrives', async () => {
      const socket = await edge.dial();
      const refused = head('Content-Length: 11').replace('Bearer good', 'Bearer bad');
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      socket.write(`${refused}{"a"`);
      await until('the refusal', () => text.includes('401'));
      socket.write(`:"bcd"}${head('Content-Length: 2')}{}`);
      await until('the next answer', () => text.includes('HTTP/1.1 200'));
      socket.destroy();
    });

    it('keeps nothing of refused requests on a connection that goes on', async () => {
      const { sockets, stop } = servedSockets();
      const own = await openEdge({ unreadBodyMs: 60_000 });
      const socket = await own.dial();
      const refused = head('Content-Length: 11').replace('Bearer good', 'Bearer bad');
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      const listeners: number[] = [];
      for (let count = 1; count <= 3; count += 1) {
        socket.write(refused);
        await until('the refusal', () => text.match(/HTTP\/1\.1 401/g)?.length === count);
        socket.write(`{"a":"bcd"}${head('Content-Length: 2')}{}`);
        await until('the next answer', () => text.match(/HTTP\/1\.1 200/g)?.length === count);
        listeners.push(sockets[0]!.listenerCount('close'));
      }
      stop();
      expect(new Set(listeners).size).to.equal(1);
      socket.destroy();
    });

    it('closes the connection of a long body that is refused and arrives, where its caller does not', async () => {
      const { sockets, stop } = servedSockets();
      const own = await openEdge({ unreadBodyMs: 20 });
      const socket = connect({ port: own.port, host: '127.0.0.1', allowHalfOpen: true });
      const refused = head('Content-Length: 70000').replace('Bearer good', 'Bearer bad');
      let isOver = false;
      socket.once('end', () => {
        isOver = true;
      });
      socket.resume().write(`${refused}${'x'.repeat(10)}`);
      await until('the end of the answer', () => isOver);
      socket.write('x'.repeat(69_990));
      await until('the close', () => sockets[0]!.destroyed);
      stop();
      socket.destroy();
    });

    it('survives a disconnect in the middle of a body', async () => {
      const socket = await edge.dial();
      socket.write(`${head('Content-Length: 10')}{"a"`);
      socket.destroy();
      expect((await post({ a: 1 })).status).to.equal(200);
    });
  });

  it('counts refused requests against the key', async () => {
    const own = await openEdge({ keys: { good: aKey({ rateLimit: 10 }) } });
    const call = () => own.call('POST', '/api/v1/echo', { token: 'good', body: '{' });
    expect((await call()).headers['ratelimit-remaining']).to.equal('9');
    expect((await call()).headers['ratelimit-remaining']).to.equal('8');
  });
});
