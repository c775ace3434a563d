import { expect } from 'chai';
import { z } from 'zod';
import { type HealthCheck, healthRoutes } from '../../src/http/health.ts';
import { createMetrics, metricsRoute } from '../../src/http/metrics.ts';
import { defineRoute } from '../../src/http/route.ts';
import { createLogger } from '../../src/logger.ts';
import { closeEdges, openEdge, pingRoute } from '../support/edge.ts';
import { useRealConnections } from '../support/network.ts';

const log = createLogger({ level: 'silent' });

describe('Health', () => {
  useRealConnections();
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
  useRealConnections();
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
