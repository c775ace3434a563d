import { expect } from 'chai';
import { z } from 'zod';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { defineRoute, type JsonRoute } from '../../../src/http/route/route.ts';
import { ViewsUnavailable } from '../../../src/projections/views.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { answered } from '../../support/answered.ts';
import { aKey, openEdge, pingRoute, toy, useEdges } from '../../support/edge.ts';

const WORDS = { providerCode: 131026, providerMessage: 'Message undeliverable' };

const failing = (fail: () => unknown): JsonRoute =>
  defineRoute({
    ...toy,
    path: '/v1/fail/:what',
    responses: { 200: z.looseObject({}) },
    errors: ['account.conflict', 'provider.refused'],
    handle: async () => fail() as Record<string, unknown>,
  });

const thrown = (error: unknown) => () => {
  throw error;
};

const call = async (fail: () => unknown) => {
  const edge = await openEdge({ routes: [failing(fail)] });
  const answer = await edge.call('GET', '/api/v1/fail/x?token=hush', {
    token: 'good',
    headers: { origin: 'https://shop.example', 'x-request-id': 'mine-1' },
  });
  return { ...answer, body: answer.body, lines: edge.lines.map((line) => JSON.parse(line)) };
};

describe('Errors', () => {
  useEdges();

  it('that are refusals show text, code, details and headers', async () => {
    const details = { event: 'order_shipped', template: null, ...WORDS };
    const told = { ...details, retryAfterSeconds: 1.5 };
    const answer = await answered(
      502,
      call(thrown(new AppError('provider.refused', 'It said no', told))),
    );
    expect(answer.body).to.deep.equal({ error: 'It said no', code: 'SEND_FAILED', details });
    expect(answer.headers['retry-after']).to.equal('2');
  });

  it('tell a log that cannot be written from read models that cannot be read', async () => {
    for (const [away, error] of [
      [new StoreUnavailable('hush'), 'The service cannot store this now'],
      [new ViewsUnavailable('hush'), 'The read models cannot be read now'],
    ] as const) {
      const { status, body } = await call(thrown(away));
      expect([status, body.error]).to.deep.equal([503, error]);
    }
  });

  it('that are faults show no details, and keep earlier headers', async () => {
    for (const fault of [
      new Error('secret detail'),
      Object.assign(new Error('secret detail'), { status: 418, expose: true }),
      'secret detail',
      null,
      undefined,
    ]) {
      const answer = await answered(500, call(thrown(fault)));
      expect(answer.text).to.equal('{"error":"Internal server error"}');
      expect(answer.headers['content-type']).to.match(/^application\/json/);
      expect(answer.headers).to.include({
        'ratelimit-limit': '1000000',
        'x-request-id': 'mine-1',
        'access-control-allow-origin': 'https://shop.example',
      });
    }
  });

  it('that are faults are logged with the request id and without the query', async () => {
    const { lines } = await call(thrown(new Error('secret detail')));
    const line = lines.find(({ level }) => level === 'error');
    expect(line).to.include({ requestId: 'mine-1', method: 'GET', route: '/api/v1/fail/:what' });
    expect(line.err).to.include({ message: 'secret detail', type: 'Error' });
    expect(line.err.stack).to.include('problem.test.ts');
    expect(JSON.stringify(lines)).not.to.include('hush');
  });

  it('that are refusals are logged with account and code, without a stack', async () => {
    const cause = new Error('x');
    const { accountId } = aKey();
    for (const [refusal, ...expected] of [
      [new AppError('provider.refused', 'No', { ...WORDS, template: null }), 'warn', 131026],
      [new AppError('service.unavailable', 'Not now', { cause }), 'warn', undefined],
      [new StoreUnavailable('the log is away'), 'warn', undefined],
      [new AppError('account.conflict', 'Too little'), 'debug', undefined],
    ] as const) {
      const { lines } = await call(thrown(refusal));
      const line = lines.find(({ msg }) => /^Request (failed|refused)$/.test(msg));
      expect([line.level, line.providerCode], refusal.message).to.deep.equal(expected);
      expect(line.accountId).to.equal(accountId);
      expect(line.code).to.be.a('string');
      expect(JSON.stringify(lines)).to.not.include('problem.test.ts');
    }
  });

  it('include a body that cannot be serialised', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const body of [circular, { big: 1n }]) {
      const answer = await answered(
        500,
        call(() => body),
      );
      expect(answer.body).to.deep.equal({ error: 'Internal server error' });
    }
  });

  it('never name the libraries of the service', async () => {
    const { headers } = await call(thrown(new Error('x')));
    expect(headers).not.to.have.any.keys('x-powered-by', 'server');
  });
});

describe('Request ids', () => {
  useEdges();

  it('are the caller’s when valid, else new', async () => {
    const edge = await openEdge();
    const idFor = async (given: string) => {
      const headers = { 'x-request-id': given };
      return (await edge.call('GET', '/health/none', { headers })).headers['x-request-id'];
    };
    const hashed = '00-0af7651916cd43dd8448eb211c80319c-01';
    const own = ['order.42_a-B', 'x'.repeat(128), '2026-11-22.7', hashed];
    for (const id of [...own, '12345678-1234-4321-8765-123456789012']) {
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
    const edge = await openEdge({ routes: [told, pingRoute], clock: { now: () => 1_234 } });
    const answer = await edge.call('GET', '/api/v1/id', { token: 'good' });
    expect(answer.body).to.deep.equal({ id: answer.headers['x-request-id'], now: 1_234 });
    const logged = edge.lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'handled');
    expect(logged.requestId).to.equal(answer.headers['x-request-id']);
    for (const path of ['/', '/api/v1/ping', '/api/admin/v1/x', '/metrics']) {
      expect((await edge.call('GET', path)).headers['x-request-id'], path).to.match(/^request-/);
    }
  });
});
