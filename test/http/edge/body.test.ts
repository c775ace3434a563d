import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createMemoryRateLimiter } from '../../../src/http/edge/limits.ts';
import { answered } from '../../support/answered.ts';
import { aKey, openEdge, readToEnd, useEdge } from '../../support/edge.ts';
import { until } from '../../support/until.ts';

const MEGABYTE = 1_048_576;
type Headers = Record<string, string>;

/** The service's side of the connections from now on. */
const servedSockets = () => {
  const sockets: Socket[] = [];
  const note = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', note);
  return { sockets, stop: () => unsubscribe('net.server.socket', note) };
};

describe('Request bodies', () => {
  const edge = useEdge();

  const post = (body: unknown, headers: Headers = {}, token = 'good') =>
    edge.call('POST', '/api/v1/echo', { token, body, headers });

  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const fields = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"key${index}":${index}`).join(',')}}`;

  const zipped = gzipSync(Buffer.alloc(50 * MEGABYTE, 0x20));
  const notUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
  const items = (count: number) => JSON.stringify({ list: Array(count).fill(0) });
  const typed = (type: string) => ({ 'content-type': type });
  const refused: [what: string, status: number, error: RegExp, body: unknown, headers?: Headers][] =
    [
      ['a byte over 1 MB', 413, /larger/, 'x'.repeat(MEGABYTE + 1)],
      ['malformed JSON', 400, /not valid JSON/, '{"a":'],
      ['a number of lost digits', 400, /1e400.*as a text/, '{"a":1e400}'],
      ['a NUL byte', 400, /not valid JSON/, '{"a":"x\0"}'],
      ['bad UTF-8', 400, /UTF-8/, notUtf8],
      ['33 levels', 400, /32 levels/, nested(33)],
      ['500,000 brackets', 400, /32 levels/, '['.repeat(500_000)],
      ['1,001 fields in an object', 400, /1000 fields/, fields(1001)],
      ['60,000 keys', 400, /1000 fields/, fields(60_000)],
      ['a list of 300,000 items', 400, /150000 fields/, items(300_000)],
      ['a gzip bomb', 415, /compressed/, zipped, { 'content-encoding': 'gzip' }],
      ['another content type', 415, /JSON/, 'a=1', typed('application/x-www-form-urlencoded')],
      ['plain text', 415, /JSON/, '{"a":1}', typed('text/plain')],
    ];
  for (const [what, status, error, body, headers = {}] of refused) {
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
    for (const body of [`{"a":"${padding}"}`, nested(32), fields(1000), items(150_000)]) {
      expect((await post(body)).status).to.equal(200);
    }
  });

  it('reads an absent body as an empty object, with any content type', async () => {
    for (const answer of [
      await edge.call('POST', '/api/v1/echo', { token: 'good' }),
      await post('', { ...typed('text/plain'), 'content-length': '0' }),
    ]) {
      expect(answer.body).to.deep.equal({ got: {} });
    }
  });

  it('accepts structured JSON types and a charset', async () => {
    for (const type of ['application/problem+json', 'application/json; charset=utf-8']) {
      expect((await post('{"a":"é"}', typed(type))).body).to.deep.equal({ got: { a: 'é' } });
    }
  });

  it('keeps the digits of a number that no double can hold', async () => {
    const { body } = await post('{"id":12345678901234567890}');
    expect(body.got.id).to.equal('12345678901234567890');
  });

  it('ignores __proto__', async () => {
    await answered(200, post('{"__proto__":{"polluted":true},"a":{"__proto__":{"b":1}}}'));
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
  });

  it('checks the body before the rights of a valid key', async () => {
    const own = await openEdge({ keys: { suspended: aKey({ organisationSuspended: true }) } });
    for (const [body, status] of [
      ['{', 400],
      ['x'.repeat(MEGABYTE + 1), 413],
      ['{}', 403],
    ] as const) {
      await answered(status, own.call('POST', '/api/v1/echo', { token: 'suspended', body }));
    }
  });

  describe('over a bare connection', () => {
    const head = (header: string, token = 'good') =>
      `POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\n${header}\r\n\r\n`;

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
        head('Content-Length: 7\r\nConnection: close\r\nExpect: 100-continue', token);
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
      const text = await own.exchange(`${head('Content-Length: 10', 'bad')}{"a"`);
      expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 401']);
    });

    it('keeps the connection of a short body that is refused and arrives, and nothing of the request', async () => {
      const { sockets, stop } = servedSockets();
      const own = await openEdge({ unreadBodyMs: 60_000 });
      const socket = await own.dial();
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      const count = (status: number) => text.split(`HTTP/1.1 ${status}`).length - 1;
      const listeners: number[] = [];
      for (let time = 1; time <= 3; time += 1) {
        socket.write(`${head('Content-Length: 11', 'bad')}{"a"`);
        await until('the refusal', () => count(401) === time);
        socket.write(`:"bcd"}${head('Content-Length: 2')}{}`);
        await until('the next answer', () => count(200) === time);
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
      socket.resume().write(`${head('Content-Length: 70000', 'bad')}${'x'.repeat(10)}`);
      await once(socket, 'end');
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
    for (const left of ['9', '8']) {
      expect((await call()).headers['ratelimit-remaining']).to.equal(left);
    }
  });
});
