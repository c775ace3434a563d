import { once } from 'node:events';
import { expect } from 'chai';
import { z } from 'zod';
import { type HealthCheck, healthRoutes } from '../../src/http/health.ts';
import { createMetrics, metricsRoute } from '../../src/http/metrics.ts';
import { defineRawRoute, type RawRequest } from '../../src/http/rawroute.ts';
import { defineRoute } from '../../src/http/route.ts';
import { createLogger } from '../../src/logger.ts';
import { closeEdges, openEdge, pingRoute, readToEnd } from '../support/edge.ts';

const log = createLogger({ level: 'silent' });

describe('Raw routes', () => {
  afterEach(closeEdges);
  const received: RawRequest[] = [];
  const webhook = (handle: (request: RawRequest) => object) => [
    defineRawRoute({
      method: 'POST',
      path: '/api/provider/webhook',
      limitBytes: 3 * 1_048_576,
      handle: (request) => {
        received.push(request);
        return { status: 200, body: handle(request) };
      },
    }),
    defineRawRoute({
      method: 'GET',
      path: '/api/provider/webhook',
      limitBytes: 0,
      handle: ({ query }) => ({ status: 200, body: query['hub.challenge'] ?? '' }),
    }),
  ];

  it('get the bytes as they came, whatever they are', async () => {
    const edge = await openEdge({ rawRoutes: webhook(() => ({ ok: true })) });
    const bytes = Buffer.from([0xff, 0x00, 0x7b, 0x20, 0xc3, 0xa9]);
    const answer = await edge.call('POST', '/api/provider/webhook?a=1&a=2&b=%C3%A9', {
      body: bytes,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': 'sha256=00' },
    });
    expect([answer.status, answer.body]).to.deep.equal([200, { ok: true }]);
    const request = received.at(-1)!;
    expect(request.rawBody.equals(bytes)).to.equal(true);
    expect(request.query).to.deep.equal({ a: '1', b: 'é' });
    expect(request.headers['x-hub-signature-256']).to.equal('sha256=00');
    expect(request.requestId).to.equal(answer.headers['x-request-id']);
  });

  it('answer texts as texts, outside of keys and rate limits', async () => {
    const edge = await openEdge({ rawRoutes: webhook(() => ({})) });
    for (let time = 0; time < 130; time += 1) {
      const answer = await edge.call('GET', '/api/provider/webhook?hub.challenge=42');
      expect([answer.status, answer.text]).to.deep.equal([200, '42']);
      expect(answer.headers['content-type']).to.equal('text/plain; charset=utf-8');
      expect(answer.headers).not.to.have.property('ratelimit-limit');
    }
  });

  it('take 3 MB and no more', async () => {
    const edge = await openEdge({ rawRoutes: webhook(({ rawBody }) => ({ got: rawBody.length })) });
    const post = (length: number) =>
      edge.call('POST', '/api/provider/webhook', { body: Buffer.alloc(length, 0x20) });
    expect((await post(3_145_728)).body).to.deep.equal({ got: 3_145_728 });
    const refused = await post(3_145_729);
    expect([refused.status, Object.keys(refused.body)]).to.deep.equal([413, ['error']]);
  });

  it('that fail answer 500 in JSON, and know their methods', async () => {
    const edge = await openEdge({
      rawRoutes: webhook(() => {
        throw new Error('not stored');
      }),
    });
    const failed = await edge.call('POST', '/api/provider/webhook', { body: '{}' });
    expect([failed.status, failed.body]).to.deep.equal([500, { error: 'Internal server error' }]);
    const refused = await edge.call('DELETE', '/api/provider/webhook');
    expect(refused.status).to.equal(405);
    expect(refused.headers.allow).to.equal('GET, HEAD, OPTIONS, POST');
  });

  it('do not wait for ever for a body', async () => {
    const edge = await openEdge({ rawRoutes: webhook(() => ({})), bodyTimeoutMs: 50 });
    const socket = await edge.dial();
    socket.write('POST /api/provider/webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    expect(await readToEnd(socket)).to.match(/^HTTP\/1\.1 408 /);
  });

  it('leave the connection usable when the body of an unknown path is small', async () => {
    const edge = await openEdge();
    const socket = await edge.dial();
    for (let time = 0; time < 2; time += 1) {
      socket.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello');
      const [chunk] = await once(socket, 'data');
      expect(String(chunk)).to.match(/^HTTP\/1\.1 404 /);
    }
    socket.destroy();
  });

  it('stand beside public JSON routes', async () => {
    const described = defineRoute({
      method: 'GET',
      path: '/openapi.json',
      access: 'public',
      summary: 'The description',
      tags: ['Meta'],
      responses: { 200: z.object({ openapi: z.string() }) },
      errors: [],
      handle: () => ({ openapi: '3.1.0' }),
    });
    const edge = await openEdge({ routes: [described], rawRoutes: webhook(() => ({})) });
    expect((await edge.call('GET', '/api/openapi.json')).body).to.deep.equal({ openapi: '3.1.0' });
    expect((await edge.call('POST', '/api/openapi.json')).status).to.equal(405);
  });
});

describe('Health', () => {
  afterEach(closeEdges);
  const ready = async (checks: HealthCheck[]) => {
    const edge = await openEdge({ rawRoutes: healthRoutes({ checks, log, timeoutMs: 50 }) });
    const answer = await edge.call('GET', '/health/ready');
    expect((await edge.call('GET', '/health/live')).status).to.equal(200);
    return [answer.status, answer.body];
  };
  const green: HealthCheck = { name: 'log', check: async () => ({ ok: true, detail: { lag: 3 } }) };

  it('is ready when every part is', async () => {
    expect(await ready([green])).to.deep.equal([
      200,
      { ok: true, checks: { log: { ok: true, detail: { lag: 3 } } } },
    ]);
  });

  it('is red when a part says so, fails, or does not answer', async () => {
    const checks: HealthCheck[] = [
      green,
      { name: 'views', check: async () => ({ ok: false, detail: 'halted' }) },
      { name: 'broken', check: () => Promise.reject(new Error('password=x')) },
      { name: 'silent', check: () => new Promise(() => {}) },
    ];
    expect(await ready(checks)).to.deep.equal([
      503,
      {
        ok: false,
        checks: {
          log: { ok: true, detail: { lag: 3 } },
          views: { ok: false, detail: 'halted' },
          broken: { ok: false, detail: 'the check failed' },
          silent: { ok: false, detail: 'no answer in time' },
        },
      },
    ]);
  });

  it('looks once for probes that come together', async () => {
    let looks = 0;
    let answer = () => {};
    const check = () =>
      new Promise<{ ok: boolean }>((resolve) => {
        looks += 1;
        answer = () => resolve({ ok: true });
      });
    const edge = await openEdge({
      rawRoutes: healthRoutes({ checks: [{ name: 'one', check }], log }),
    });
    const probes = Promise.all([1, 2, 3].map(() => edge.call('GET', '/health/ready')));
    while (looks === 0) await new Promise((resolve) => setImmediate(resolve));
    await edge.call('GET', '/health/live');
    answer();
    expect((await probes).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(looks).to.equal(1);
  });
});

describe('Metrics', () => {
  afterEach(closeEdges);

  it('count requests by template, method and status, and show what others hand in', async () => {
    const metrics = createMetrics();
    let lag = 7;
    metrics.gauge('projection_lag', 'Events not yet folded', ['name'], () => [
      { labels: { name: 'messages' }, value: lag },
    ]);
    const count = metrics.counter('sends_total', 'Sends', ['outcome']);
    count({ outcome: 'accepted' });
    const thing = defineRoute({
      method: 'GET',
      path: '/v1/things/:thingId',
      access: 'key',
      summary: 'A thing',
      tags: ['Test'],
      responses: { 200: z.object({}) },
      errors: [],
      handle: () => ({}),
    });
    const edge = await openEdge({
      metrics,
      routes: [thing, pingRoute],
      rawRoutes: [metricsRoute(metrics)],
    });
    for (const id of ['4917012345678', 'b']) {
      await edge.call('GET', `/api/v1/things/${id}`, { token: 'good' });
    }
    await edge.call('GET', '/api/v1/things/secret-token');
    await edge.call('PROPFIND', '/api/v1/ping', { token: 'good' });
    lag = 9;
    const { status, text, headers } = await edge.call('GET', '/metrics');
    expect(status).to.equal(200);
    expect(headers['content-type']).to.match(/^text\/plain/);
    const line = (method: string, route: string, code: number) =>
      `http_request_duration_seconds_count{method="${method}",route="${route}",status="${code}"}`;
    expect(text).to.include(`${line('GET', '/api/v1/things/:thingId', 200)} 2`);
    expect(text).to.include(`${line('GET', 'none', 401)} 1`);
    expect(text).to.include(`${line('other', 'none', 405)} 1`);
    expect(text).to.include('projection_lag{name="messages"} 9');
    expect(text).to.include('sends_total{outcome="accepted"} 1');
    expect(text).to.include('process_cpu_user_seconds_total');
    expect(text).not.to.match(/4917012345678|secret-token/);
  });
});
