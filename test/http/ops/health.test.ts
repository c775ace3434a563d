import { expect } from 'chai';
import { createLook, type HealthCheck, healthRoutes } from '../../../src/http/ops/health.ts';
import { createMetrics, metricsRoute } from '../../../src/http/ops/metrics.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { answered } from '../../support/answered.ts';
import {
  anAdministrator,
  type CallOptions,
  type Edge,
  openEdge,
  pingRoute,
  thingRoute,
  useEdges,
} from '../../support/edge.ts';

const log = createLogger({ level: 'silent' });

describe('Health', () => {
  useEdges();
  const ready = async (checks: HealthCheck[], timeoutMs = 60_000) => {
    const rawRoutes = healthRoutes(createLook({ checks, log, timeoutMs }));
    const edge = await openEdge({ rawRoutes });
    const answer = await edge.call('GET', '/health/ready');
    expect((await edge.call('GET', '/health/live')).status).to.equal(200);
    return [answer.status, answer.body];
  };
  const GREEN = { ok: true, detail: { lag: 3 } };
  const green: HealthCheck = { name: 'log', check: async () => GREEN };

  it('is ready when every part is', async () => {
    expect(await ready([green])).to.deep.equal([200, { ok: true, checks: { log: GREEN } }]);
  });

  it('is 503 when a part reports a failure, throws, or does not answer', async () => {
    const checks: HealthCheck[] = [
      green,
      { name: 'views', check: async () => ({ ok: false, detail: 'halted' }) },
      { name: 'broken', check: () => Promise.reject(new Error('password=x')) },
      { name: 'silent', check: () => new Promise(() => {}) },
    ];
    expect(await ready(checks, 50)).to.deep.equal([
      503,
      {
        ok: false,
        checks: {
          log: GREEN,
          views: { ok: false, detail: 'halted' },
          broken: { ok: false, detail: 'the check failed' },
          silent: { ok: false, detail: 'no answer in time' },
        },
      },
    ]);
  });

  it('is 200 when what fails takes no instance out of service, and shows it', async () => {
    const off = { ok: false };
    const clock: HealthCheck = { name: 'clock', isAdvisory: true, check: async () => off };
    const shown = { ok: true, checks: { clock: off, log: GREEN } };
    expect(await ready([clock, green])).to.deep.equal([200, shown]);
  });

  it('has a line in the log for each change of a part', async () => {
    const lines: unknown[] = [];
    const note = (level: string) => (fields: object, text: string) => {
      lines.push([level, fields, text]);
    };
    const said = { info: note('info'), warn: note('warn') } as never;
    let now = 0;
    let views = { ok: true, detail: 'halted' };
    const checks: HealthCheck[] = [green, { name: 'views', check: async () => views }];
    const look = createLook({ checks, log: said, monotonicMs: () => now });
    for (const ok of [true, false, false, true, true]) {
      now += 2_000;
      views = { ...views, ok };
      await look();
      // The look is over, too.
      await new Promise(setImmediate);
    }
    expect(lines).to.deep.equal([
      ['warn', { part: 'views', detail: 'halted' }, 'A part does not work'],
      ['info', { part: 'views' }, 'A part works again'],
    ]);
  });

  describe('is shown', () => {
    const broken: HealthCheck = { name: 'views', check: async () => ({ ok: false, detail: 'x' }) };
    const rawRoutes = healthRoutes(createLook({ checks: [broken], log }));
    const stranger = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    const keysOf = async (edge: Edge, how: CallOptions) => {
      const { status, body } = await edge.call('GET', '/health/ready', how);
      return [status, Object.keys(body)];
    };

    it('to every caller as a status alone', async () => {
      const edge = await openEdge({ rawRoutes });
      expect(await keysOf(edge, stranger)).to.deep.equal([503, ['ok']]);
      const live = await edge.call('GET', '/health/live', stranger);
      expect([live.status, live.body]).to.deep.equal([200, { ok: true }]);
    });

    it('in parts to administrators and auditors, and to callers on this machine', async () => {
      const [root, otto] = [anAdministrator(), anAdministrator({ role: 'auditor' })];
      const edge = await openEdge({ rawRoutes, administrators: { root, otto } });
      for (const how of [{}, { ...stranger, token: 'root' }, { ...stranger, token: 'otto' }]) {
        expect(await keysOf(edge, how)).to.deep.equal([503, ['ok', 'checks']]);
      }
    });

    it('not in parts to a proxy on this machine, for any of its callers', async () => {
      for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
        const edge = await openEdge({ rawRoutes });
        const seen = await keysOf(edge, { headers: { [name]: '127.0.0.1' } });
        expect(seen, name).to.deep.equal([503, ['ok']]);
      }
      const behindProxy = await openEdge({ rawRoutes, trustProxyHops: 1 });
      expect(await keysOf(behindProxy, {})).to.deep.equal([503, ['ok']]);
    });

    it('in parts to every caller on the port for operators, which serves nothing else', async () => {
      const edge = await openEdge({ rawRoutes, onlyOperators: true });
      expect(await keysOf(edge, stranger)).to.deep.equal([503, ['ok', 'checks']]);
      expect((await edge.call('GET', '/api/v1/ping', { token: 'good' })).status).to.equal(404);
      await answered(404, edge.call('GET', '/api/admin/v1/plans', { token: 'root' }));
    });

    it('to no caller with a wrong token, which counts against its address', async () => {
      const edge = await openEdge({ rawRoutes });
      const guess = () => edge.call('GET', '/health/ready', { token: 'guess' });
      const guesses = await Promise.all(Array.from({ length: 120 }, guess));
      expect(new Set(guesses.map(({ status }) => status))).to.deep.equal(new Set([401]));
      expect((await guess()).status).to.equal(429);
      expect(await keysOf(edge, stranger)).to.deep.equal([503, ['ok']]);
      expect(await keysOf(edge, { token: 'root' })).to.deep.equal([503, ['ok', 'checks']]);
    });
  });

  it('is checked once a second for any number of callers', async () => {
    let looks = 0;
    let now = 0;
    const check = async () => {
      looks += 1;
      return { ok: true };
    };
    const look = createLook({ checks: [{ name: 'one', check }], log, monotonicMs: () => now });
    for (const [at, expected] of [
      [0, 1],
      [999, 1],
      [1_000, 2],
    ] as const) {
      now = at;
      await Promise.all(Array.from({ length: 20 }, look));
      expect(looks).to.equal(expected);
    }
  });
});

describe('Metrics', () => {
  useEdges();

  it('count requests by template, method and status, and show the readings of the service', async () => {
    const metrics = createMetrics();
    let lag = 7;
    metrics.gauge('projection_lag', 'Events not yet folded', ['name'], () => [
      { labels: { name: 'messages' }, value: lag },
    ]);
    const known = [{ outcome: 'accepted' }, { outcome: 'refused' }];
    const count = metrics.counter('sends_total', 'Sends', ['outcome'], known);
    count({ outcome: 'accepted' });
    const rawRoutes = [metricsRoute(metrics)];
    const edge = await openEdge({ metrics, routes: [thingRoute, pingRoute], rawRoutes });
    for (const id of ['4917012345678', 'b']) {
      await edge.call('GET', `/api/v1/things/${id}`, { token: 'good' });
    }
    await edge.call('GET', '/api/v1/things/secret-token');
    await edge.call('PROPFIND', '/api/v1/ping', { token: 'good' });
    lag = 9;
    const { text, headers } = await answered(200, edge.call('GET', '/metrics'));
    expect(headers['content-type']).to.match(/^text\/plain/);
    const line = (method: string, route: string, code: number) =>
      `http_request_duration_seconds_count{method="${method}",route="${route}",status="${code}"}`;
    expect(text).to.include(`${line('GET', '/api/v1/things/:thingId', 200)} 2`);
    expect(text).to.include(`${line('GET', 'none', 401)} 1`);
    expect(text).to.include(`${line('other', 'none', 405)} 1`);
    expect(text).to.include('projection_lag{name="messages"} 9');
    expect(text).to.include('sends_total{outcome="accepted"} 1');
    expect(text, 'before the first').to.include('sends_total{outcome="refused"} 0');
    expect(text).to.include('process_cpu_user_seconds_total');
    expect(text).not.to.match(/4917012345678|secret-token/);
  });

  it('keep 200 sets of labels of a counter, and count further ones as other', async () => {
    const metrics = createMetrics({ ofProcess: false });
    const count = metrics.counter('things_total', 'Things', ['kind', 'place']);
    for (let number = 0; number < 203; number += 1) count({ kind: `${number}`, place: 'a' });
    count({ kind: '0', place: 'a' });
    const text = await metrics.text();
    expect(text.match(/^things_total\{/gm)).to.have.length(201);
    expect(text).to.include('things_total{kind="0",place="a"} 2');
    expect(text).to.include('things_total{kind="other",place="other"} 3');
    expect(await metrics.text(), 'a scrape counts nothing').to.equal(text);
  });

  it('are shown to operators only', async () => {
    const metrics = createMetrics({ ofProcess: false });
    const rawRoutes = [metricsRoute(metrics)];
    const edge = await openEdge({ metrics, rawRoutes });
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const scrape = (how = {}) => edge.call('GET', '/metrics', { headers, ...how });
    const stranger = await answered(401, scrape());
    expect(stranger.body).to.have.all.keys('error');
    expect(stranger.headers['www-authenticate']).to.equal('Bearer');
    await answered(401, scrape({ token: 'good' }));
    await answered(200, scrape({ token: 'root' }));
    await answered(200, scrape({ headers: {} }));
    const ops = await openEdge({ metrics, rawRoutes, onlyOperators: true });
    await answered(200, ops.call('GET', '/metrics', { headers }));
  });

  it('are serialised once a second for any number of callers', async () => {
    const metrics = createMetrics({ ofProcess: false });
    let reads = 0;
    let now = 0;
    metrics.gauge('reads', 'Reads', [], () => {
      reads += 1;
      return [{ value: reads }];
    });
    const edge = await openEdge({ metrics, rawRoutes: [metricsRoute(metrics, () => now)] });
    const ask = async () => (await edge.call('GET', '/metrics')).text;
    const texts = await Promise.all(Array.from({ length: 20 }, ask));
    now = 999;
    texts.push(await ask());
    expect(new Set(texts).size).to.equal(1);
    expect(reads).to.equal(1);
    now = 1_000;
    expect(await ask()).to.include('reads 2');
  });
});
