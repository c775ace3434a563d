import { expect } from 'chai';
import { z } from 'zod';
import { defineRoute } from '../../../src/http/route/route.ts';
import {
  aKey,
  anAdministrator,
  closeEdges,
  type Edge,
  openEdge,
  pingRoute,
  toy,
} from '../../support/edge.ts';
import { useRealConnections } from '../../support/network.ts';

const scopedRoute = defineRoute({
  ...toy,
  method: 'POST',
  path: '/v1/scoped',
  scope: 'bots:write',
  request: { body: z.object({ name: z.string() }) },
  responses: { 200: z.object({ accountId: z.string() }) },
  handle: (_, { key }) => ({ accountId: key.accountId }),
});

const adminRoute = (method: 'GET' | 'POST', path: string, access: 'administrator' | 'auditor') =>
  defineRoute({
    ...toy,
    method,
    path,
    access,
    responses: { 200: z.object({ by: z.string() }) },
    handle: (_, { administrator }) => ({ by: administrator.name }),
  });

const keys = {
  good: aKey(),
  shop: aKey({ keyId: 'key_shop', allowedOrigins: ['https://shop.example'] }),
  suspended: aKey({ keyId: 'key_suspended', organisationSuspended: true }),
  exhausted: aKey({ keyId: 'key_exhausted', rateLimit: 1 }),
  bots: aKey({ keyId: 'key_bots', scopes: ['bots:read', 'bots:write'] }),
  reader: aKey({ keyId: 'key_reader', scopes: ['bots:read'] }),
};

describe('Admission by key', () => {
  useRealConnections();
  let edge: Edge;
  beforeEach(async () => {
    edge = await openEdge({ keys, routes: [pingRoute, scopedRoute] });
  });
  afterEach(closeEdges);

  it('answers every invalid credential alike', async () => {
    const answers = await Promise.all(
      [undefined, 'Bearer', 'Bearer ', 'Bearer wrong', 'good', 'Basic good', 'Bearer good x'].map(
        (authorization) =>
          edge.call('GET', '/api/v1/ping', {
            headers: authorization === undefined ? {} : { authorization },
          }),
      ),
    );
    const hints = answers.map(({ status, text }) => {
      const { error, hint, ...rest } = JSON.parse(text);
      expect([status, error]).to.deep.equal([401, 'Missing or invalid API key']);
      expect(rest).to.deep.equal({ docUrl: '/docs/errors#key.invalid' });
      return hint;
    });
    // A request without a token is told where it goes; what is wrong with a token, nobody is told.
    const [without, , , wrong] = hints;
    expect(without).to.include('Authorization: Bearer');
    expect(hints).to.deep.equal([without, without, without, wrong, without, without, without]);
    expect(wrong).to.include('unknown, inactive, expired or revoked');
  });

  it('reads the scheme in any case', async () => {
    const answer = await edge.call('GET', '/api/v1/ping', {
      headers: { authorization: 'bEARER good' },
    });
    expect(answer.status).to.equal(200);
  });

  it('answers 500 when the look-up fails, and does not count it against the address', async () => {
    for (let time = 0; time < 3; time += 1) {
      const answer = await edge.call('GET', '/api/v1/ping', { token: 'broken' });
      expect(answer.status).to.equal(500);
      expect(answer.body).to.deep.equal({ error: 'Authentication lookup failed' });
      expect(answer.headers['ratelimit-remaining']).to.equal('120');
    }
    expect(edge.lines.join('')).to.include('the store is down');
  });

  it('row 66: answers 503 while the store of the keys is away, and counts nothing', async () => {
    for (const path of ['/api/v1/ping', '/api/admin/v1/things']) {
      const { status, body, headers } = await edge.call('GET', path, { token: 'away' });
      expect([status, body.error]).to.deep.equal([503, 'The read models cannot be read now']);
      expect([headers['retry-after'], headers['ratelimit-remaining']]).to.deep.equal(['2', '120']);
    }
  });

  it('checks in the order of the contract', async () => {
    const own = await openEdge({
      routes: [pingRoute, scopedRoute],
      keys: {
        all: aKey({
          allowedOrigins: [],
          organisationSuspended: true,
          rateLimit: 1,
          scopes: [],
        }),
        noOrigin: aKey({ organisationSuspended: true, rateLimit: 1, scopes: [] }),
        notSuspended: aKey({ rateLimit: 1, scopes: [] }),
        unlimited: aKey({ keyId: 'key_2', scopes: [] }),
        scoped: aKey({ keyId: 'key_3' }),
      },
    });
    const call = async (token: string, body: unknown = {}, path = '/api/v1/scoped') => {
      const headers = { origin: 'https://a.example' };
      const answer = await own.call('POST', path, { token, body, headers });
      return `${answer.status} ${answer.body.code ?? ''}`.trim();
    };
    expect(await call('all', '{')).to.equal('400');
    expect(await call('broken')).to.equal('500');
    expect(await call('unknown')).to.equal('401');
    expect(await call('all')).to.equal('403');
    expect(await call('noOrigin')).to.equal('403 ORG_SUSPENDED');
    expect(await call('notSuspended', {}, '/api/v1/nowhere')).to.equal('429');
    expect(await call('unlimited')).to.equal('403 INSUFFICIENT_SCOPE');
    expect(await call('unlimited', {}, '/api/v1/nowhere')).to.equal('404');
    expect(await call('unlimited', {}, '/api/v1/ping')).to.equal('405');
    expect(await call('scoped')).to.equal('400');
  });

  it('bounds the concurrent requests of one key', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = defineRoute({
      ...toy,
      path: '/v1/slow',
      responses: { 200: z.object({}) },
      handle: async () => {
        await gate;
        return {};
      },
    });
    const own = await openEdge({ keys, routes: [slow, pingRoute], inFlightPerKeyMax: 3 });
    let refused = 0;
    const running = Array.from({ length: 5 }, async () => {
      const answer = await own.call('GET', '/api/v1/slow', { token: 'good' });
      if (answer.status === 503) refused += 1;
      if (refused === 2) release();
      return answer;
    });
    const answers = await Promise.all(running);
    const busy = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(3);
    expect(busy).to.have.length(2);
    expect(busy[0]?.headers['retry-after']).to.equal('1');
    expect((await own.call('GET', '/api/v1/ping', { token: 'good' })).status).to.equal(200);
  });
});

describe('Admission of administrators', () => {
  useRealConnections();
  let edge: Edge;
  before(async () => {
    edge = await openEdge({
      administrators: {
        root: anAdministrator(),
        auditor: anAdministrator({ name: 'Otto', role: 'auditor' }),
      },
      routes: [
        pingRoute,
        adminRoute('GET', '/admin/v1/things', 'administrator'),
        adminRoute('POST', '/admin/v1/things', 'administrator'),
        adminRoute('POST', '/admin/v1/things/verify', 'auditor'),
      ],
    });
  });
  after(closeEdges);

  it('answers 500 when the look-up fails', async () => {
    const answer = await edge.call('GET', '/api/admin/v1/things', { token: 'broken' });
    expect(answer.status).to.equal(500);
    expect(answer.body).to.deep.equal({ error: 'Authentication lookup failed' });
  });

  it('limits failures by address, together with those of the product', async () => {
    const own = await openEdge({ routes: [pingRoute] });
    const fail = () => own.call('GET', '/api/admin/v1/things', { token: 'guess' });
    const first = await Promise.all(Array.from({ length: 120 }, fail));
    expect(new Set(first.map(({ status }) => status))).to.deep.equal(new Set([401]));
    const late = await fail();
    expect(late.status).to.equal(429);
    expect(late.body).to.have.all.keys('error');
    expect(Number(late.headers['retry-after'])).to.be.within(1, 60);
    expect((await own.call('GET', '/api/v1/ping')).status).to.equal(429);
    expect((await own.call('GET', '/api/admin/v1/things', { token: 'root' })).status).to.equal(404);
  });
});
