import { expect } from 'chai';
import { createMemoryRateLimiter } from '../../../src/http/edge/limits.ts';
import { aKey, openEdge, useEdges } from '../../support/edge.ts';

describe('Rate limits', () => {
  useEdges();

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

  it('are shown on every response of any status', async () => {
    const suspended = aKey({ keyId: 'key_2', organisationSuspended: true });
    const edge = await openEdge({ keys: { good: aKey(), suspended } });
    const headers = { 'content-type': 'a/b' };
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
      [415, edge.call('POST', '/api/v1/echo', { token: 'good', body: 'x', headers })],
      [500, edge.call('GET', '/api/v1/ping', { token: 'broken' })],
    ];
    for (const [status, answer] of expected) {
      const told = await answer;
      expect(told.status).to.equal(status);
      for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
        expect(told.headers, `${status}`).to.have.property(name).that.matches(/^\d+$/);
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
