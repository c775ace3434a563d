import { expect } from 'chai';
import { z } from 'zod';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { defineRoute, type JsonRoute } from '../../../src/http/route/route.ts';
import { ViewsUnavailable } from '../../../src/projections/views.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { aKey, closeEdges, openEdge, pingRoute, toy } from '../../support/edge.ts';
import { useRealConnections } from '../../support/network.ts';

const failing = (fail: () => unknown): JsonRoute =>
  defineRoute({
    ...toy,
    path: '/v1/fail/:what',
    responses: { 200: z.looseObject({}) },
    errors: ['account.conflict', 'provider.refused'],
    handle: async () => fail() as Record<string, unknown>,
  });

const call = async (fail: () => unknown) => {
  const edge = await openEdge({ routes: [failing(fail)] });
  const answer = await edge.call('GET', '/api/v1/fail/x?token=hush', {
    token: 'good',
    headers: { origin: 'https://shop.example', 'x-request-id': 'mine-1' },
  });
  return { ...answer, body: answer.body, lines: edge.lines.map((line) => JSON.parse(line)) };
};

describe('Errors', () => {
  useRealConnections();
  afterEach(closeEdges);

  it('that are refusals show text, code, details and headers', async () => {
    const answer = await call(() => {
      throw new AppError('provider.refused', 'The provider said no', {
        event: 'order_shipped',
        template: null,
        providerCode: 131026,
        providerMessage: 'Message undeliverable',
        retryAfterSeconds: 1.5,
      });
    });
    expect(answer.status).to.equal(502);
    expect(answer.body).to.deep.equal({
      error: 'The provider said no',
      code: 'SEND_FAILED',
      details: {
        event: 'order_shipped',
        template: null,
        providerCode: 131026,
        providerMessage: 'Message undeliverable',
      },
    });
    expect(answer.headers['retry-after']).to.equal('2');
  });

  it('tell a log that cannot be written from read models that cannot be read', async () => {
    const told = [];
    for (const away of [new StoreUnavailable('hush'), new ViewsUnavailable('hush')]) {
      const { status, body } = await call(() => {
        throw away;
      });
      told.push([status, body.error]);
    }
    expect(told).to.deep.equal([
      [503, 'The service cannot store this now'],
      [503, 'The read models cannot be read now'],
    ]);
  });

  it('that are faults show no details, and keep earlier headers', async () => {
    for (const fault of [
      new Error('secret detail'),
      Object.assign(new Error('secret detail'), { status: 418, expose: true }),
      'secret detail',
      null,
      undefined,
    ]) {
      const answer = await call(() => {
        throw fault;
      });
      expect(answer.status).to.equal(500);
      expect(answer.text).to.equal('{"error":"Internal server error"}');
      expect(answer.headers['content-type']).to.match(/^application\/json/);
      expect(answer.headers['ratelimit-limit']).to.equal('1000000');
      expect(answer.headers['x-request-id']).to.equal('mine-1');
      expect(answer.headers['access-control-allow-origin']).to.equal('https://shop.example');
    }
  });

  it('that are faults are logged with the request id and without the query', async () => {
    const { lines } = await call(() => {
      throw new Error('secret detail');
    });
    const line = lines.find(({ level }) => level === 'error');
    expect(line).to.include({ requestId: 'mine-1', method: 'GET', route: '/api/v1/fail/:what' });
    expect(line.err).to.include({ message: 'secret detail', type: 'Error' });
    expect(line.err.stack).to.include('problem.test.ts');
    expect(JSON.stringify(lines)).not.to.include('hush');
  });

  it('that are refusals are logged with account and code, without a stack', async () => {
    const words = { providerCode: 131026, providerMessage: 'Message undeliverable' };
    const refusals = [
      [new AppError('provider.refused', 'No', { ...words, template: null }), 'warn', 131026],
      [
        new AppError('service.unavailable', 'Not now', { cause: new Error('x') }),
        'warn',
        undefined,
      ],
      [new StoreUnavailable('the log is away'), 'warn', undefined],
      [new AppError('account.conflict', 'Too little'), 'debug', undefined],
    ] as const;
    for (const [refusal, level, providerCode] of refusals) {
      const { lines } = await call(() => {
        throw refusal;
      });
      const line = lines.find(({ msg }) => /^Request (failed|refused)$/.test(msg));
      const { accountId } = aKey();
      expect([line.level, line.accountId, line.providerCode], refusal.message).to.deep.equal([
        level,
        accountId,
        providerCode,
      ]);
      expect(line.code).to.be.a('string');
      expect(JSON.stringify(lines)).to.not.include('problem.test.ts');
    }
  });

  it('include a body that cannot be serialised', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const body of [circular, { big: 1n }]) {
      const answer = await call(() => body);
      expect(answer.status).to.equal(500);
      expect(answer.body).to.deep.equal({ error: 'Internal server error' });
    }
  });

  it('never name the libraries of the service', async () => {
    const { headers } = await call(() => {
      throw new Error('x');
    });
    expect(headers).not.to.have.any.keys('x-powered-by', 'server');
  });
});

describe('Request ids', () => {
  useRealConnections();
  afterEach(closeEdges);

  it('are the caller’s when valid, else new', async () => {
    const edge = await openEdge();
    const idFor = async (given: string) => {
      const headers = { 'x-request-id': given };
      return (await edge.call('GET', '/health/none', { headers })).headers['x-request-id'];
    };
    expect(await idFor('order.42_a-B')).to.equal('order.42_a-B');
    expect(await idFor('x'.repeat(128))).to.equal('x'.repeat(128));
    const hash = '0af7651916cd43dd8448eb211c80319c';
    for (const id of ['2026-11-22.7', '12345678-1234-4321-8765-123456789012', `00-${hash}-01`]) {
      expect(await idFor(id)).to.equal(id);
    }
    const numbers = ['4917012345678', 'order-4917012345678', 'US.13491208655302741918', '1234567'];
    for (const bad of ['', 'a b', 'ümlaut', 'a/b', 'x'.repeat(129), ...numbers]) {
      expect(await idFor(Buffer.from(bad).toString('latin1'))).to.match(/^request-\d+$/);
    }
  });

  it('are on every response, and known to handlers', async () => {
    const told = defineRoute({
      ...toy,
      path: '/v1/id',
      responses: { 200: z.object({ id: z.string(), now: z.int() }) },
      handle(_, { requestId, now, log }) {
        log().info('handled');
        return { id: requestId, now };
      },
    });
    const edge = await openEdge({
      routes: [told, pingRoute],
      keys: { good: aKey() },
      clock: { now: () => 1_234 },
    });
    const answer = await edge.call('GET', '/api/v1/id', { token: 'good' });
    expect(answer.body).to.deep.equal({ id: answer.headers['x-request-id'], now: 1_234 });
    const logged = edge.lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'handled');
    expect(logged.requestId).to.equal(answer.headers['x-request-id']);
    for (const path of ['/', '/api/v1/ping', '/api/admin/v1/x', '/metrics']) {
      expect((await edge.call('GET', path)).headers['x-request-id'], path).to.match(/^request-/);
    }
  });
});
