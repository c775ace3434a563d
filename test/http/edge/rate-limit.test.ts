import { expect } from 'chai';
import { createMemoryRateLimiter } from '../../../src/http/edge/limits.ts';
import { aKey, closeEdges, openEdge } from '../../support/edge.ts';
import { useRealConnections } from '../../support/network.ts';

const keys = {
  good: aKey(),
  suspended: aKey({ keyId: 'key_suspended', organisationSuspended: true }),
};

describe('Rate limits', () => {
  useRealConnections();
  afterEach(closeEdges);

  it('let exactly 120 of 200 parallel requests pass', async () => {
    const edge = await openEdge({ keys: { good: aKey({ rateLimit: 120 }) } });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => edge.call('GET', '/api/v1/ping', { token: 'good' })),
    );
    const passed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([passed.length, refused.length]).to.deep.equal([120, 80]);
    for (const { body, headers } of refused) {
      expect(body).to.have.all.keys('error');
      expect(headers['retry-after']).to.equal(headers['ratelimit-reset']);
      expect(headers['ratelimit-remaining']).to.equal('0');
    }
    const remaining = passed.map(({ headers }) => Number(headers['ratelimit-remaining']));
    expect(new Set(remaining).size).to.equal(120);
  });

  it('count requests without a valid key by address', async () => {
    const edge = await openEdge();
    const statuses = await Promise.all(
      Array.from({ length: 130 }, (_, index) =>
        edge
          .call('GET', '/api/v1/ping', index % 2 ? {} : { token: `guess${index}` })
          .then(({ status }) => status),
      ),
    );
    expect(statuses.filter((status) => status === 401)).to.have.length(120);
    expect(statuses.filter((status) => status === 429)).to.have.length(10);
    expect((await edge.call('GET', '/api/v1/ping', { token: 'good' })).status).to.equal(200);
  });

  it('are shown on every response of any status', async () => {
    const edge = await openEdge({ keys });
    const expected: [number, Promise<{ status: number; headers: object }>][] = [
      [200, edge.call('GET', '/api/v1/ping', { token: 'good' })],
      [204, edge.call('OPTIONS', '/api/v1/ping', { token: 'good' })],
      [400, edge.call('POST', '/api/v1/echo', { token: 'good', body: '[' })],
      [400, edge.call('POST', '/api/v1/echo', { token: 'good', body: [] })],
      [401, edge.call('GET', '/api/v1/ping')],
      [403, edge.call('GET', '/api/v1/ping', { token: 'suspended' })],
      [404, edge.call('GET', '/api/v1/nowhere', { token: 'good' })],
      [404, edge.call('GET', '/api/v1', { token: 'good' })],
      [405, edge.call('DELETE', '/api/v1/ping', { token: 'good' })],
      [401, edge.call('POST', '/api/v1/echo', { body: 'x'.repeat(1_048_577) })],
      [413, edge.call('POST', '/api/v1/echo', { token: 'good', body: 'x'.repeat(1_048_577) })],
      [
        415,
        edge.call('POST', '/api/v1/echo', {
          token: 'good',
          body: 'x',
          headers: { 'content-type': 'a/b' },
        }),
      ],
      [500, edge.call('GET', '/api/v1/ping', { token: 'broken' })],
    ];
    for (const [status, answer] of expected) {
      const { headers, status: got } = await answer;
      expect(got).to.equal(status);
      for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
        expect(headers, `${status}`).to.have.property(name).that.matches(/^\d+$/);
      }
    }
  });

  it('forget the oldest buckets above a bound', async () => {
    const limiter = createMemoryRateLimiter({ bucketsMax: 2 });
    for (const bucket of ['a', 'b', 'c']) await limiter.consume(bucket, 5);
    expect((await limiter.peek('a', 5)).remaining).to.equal(5);
    expect((await limiter.peek('c', 5)).remaining).to.equal(4);
  });
});
