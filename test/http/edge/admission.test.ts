import { expect } from 'chai';
import { z } from 'zod';
import { defineRoute } from '../../../src/http/route/route.ts';
import { answered } from '../../support/answered.ts';
import {
  aKey,
  type Edge,
  openEdge,
  pingRoute,
  toy,
  useEdge,
  useEdges,
} from '../../support/edge.ts';

const scopedRoute = defineRoute({
  ...toy,
  method: 'POST',
  path: '/v1/scoped',
  scope: 'bots:write',
  request: { body: z.object({ name: z.string() }) },
  responses: { 200: z.object({ accountId: z.string() }) },
  handle: (_, { key }) => ({ accountId: key.accountId }),
});

describe('Admission by key', () => {
  useEdges();
  let edge: Edge;
  beforeEach(async () => {
    edge = await openEdge({ routes: [pingRoute, scopedRoute] });
  });

  it('answers every invalid credential alike', async () => {
    // A request without a token is told where it goes; what is wrong with a token, nobody is told.
    const without = ['Bearer', 'Bearer ', 'good', 'Basic good', 'Bearer good x'];
    const hintFor = async (headers: Record<string, string>) => {
      const { status, text } = await edge.call('GET', '/api/v1/ping', { headers });
      const { hint, ...rest } = JSON.parse(text);
      const said = { error: 'Missing or invalid API key', docUrl: '/docs/errors#key.invalid' };
      expect([status, rest]).to.deep.equal([401, said]);
      return hint;
    };
    const told = await hintFor({});
    expect(told).to.include('Authorization: Bearer');
    for (const authorization of without) {
      expect(await hintFor({ authorization }), authorization).to.equal(told);
    }
    const wrong = await hintFor({ authorization: 'Bearer wrong' });
    expect(wrong).to.include('unknown, inactive, expired or revoked');
  });

  it('reads the scheme in any case', async () => {
    const headers = { authorization: 'bEARER good' };
    expect((await edge.call('GET', '/api/v1/ping', { headers })).status).to.equal(200);
  });

  it('answers 500 when the look-up fails, and does not count it against the address', async () => {
    for (let time = 0; time < 3; time += 1) {
      const answer = await answered(500, edge.call('GET', '/api/v1/ping', { token: 'broken' }));
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
    const suspended = { organisationSuspended: true, rateLimit: 1, scopes: [] };
    const own = await openEdge({
      routes: [pingRoute, scopedRoute],
      keys: {
        all: aKey({ allowedOrigins: [], ...suspended }),
        noOrigin: aKey(suspended),
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
    const gate = Promise.withResolvers<void>();
    const slow = defineRoute({
      ...toy,
      path: '/v1/slow',
      responses: { 200: z.object({}) },
      handle: async () => {
        await gate.promise;
        return {};
      },
    });
    const own = await openEdge({ routes: [slow, pingRoute], inFlightPerKeyMax: 3 });
    let refused = 0;
    const running = Array.from({ length: 5 }, async () => {
      const answer = await own.call('GET', '/api/v1/slow', { token: 'good' });
      if (answer.status === 503) refused += 1;
      if (refused === 2) gate.resolve();
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
  const edge = useEdge();

  it('answers 500 when the look-up fails', async () => {
    const answer = await answered(
      500,
      edge.call('GET', '/api/admin/v1/things', { token: 'broken' }),
    );
    expect(answer.body).to.deep.equal({ error: 'Authentication lookup failed' });
  });

  it('limits failures by address, together with those of the product', async () => {
    const own = await openEdge({ routes: [pingRoute] });
    const get = (path: string, how = {}) => own.call('GET', path, how);
    const guesses = Array.from({ length: 40 }, (_, index) => ({ token: `guess${index}` }));
    const first = await Promise.all([
      ...guesses.map((guess) => get('/api/admin/v1/things', guess)),
      ...guesses.map((guess) => get('/api/v1/ping', guess)),
      ...guesses.map(() => get('/api/v1/ping')),
    ]);
    expect(new Set(first.map(({ status }) => status))).to.deep.equal(new Set([401]));
    const late = await answered(429, get('/api/admin/v1/things', { token: 'guess' }));
    expect(late.body).to.have.all.keys('error');
    expect(Number(late.headers['retry-after'])).to.be.within(1, 60);
    expect((await get('/api/v1/ping')).status).to.equal(429);
    expect((await get('/api/v1/ping', { token: 'guess' })).status).to.equal(429);
    expect((await get('/api/admin/v1/things', { token: 'root' })).status).to.equal(404);
    expect((await get('/api/v1/ping', { token: 'good' })).status).to.equal(200);
  });
});
