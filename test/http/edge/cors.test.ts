import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { aKey, useEdge } from '../../support/edge.ts';

const PAGE = 'https://shop.example';

describe('Calls from browsers', () => {
  const edge = useEdge({
    keys: { good: aKey(), shop: aKey({ keyId: 'key_2', allowedOrigins: [PAGE] }) },
  });

  const ping = (origin: string) =>
    edge.call('GET', '/api/v1/ping', { token: 'shop', headers: { origin } });
  const preflight = (path: string, origin = PAGE) =>
    edge.call('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });

  it('are allowed by a preflight that carries no key', async () => {
    for (const path of ['/api/v1/echo', '/api/v1/nowhere']) {
      const { status, text, headers } = await preflight(path);
      expect([status, text]).to.deep.equal([204, '']);
      expect(headers['access-control-allow-origin']).to.equal(PAGE);
      expect(headers['access-control-allow-methods']).to.include('POST');
      for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key']) {
        expect(headers['access-control-allow-headers']).to.include(name);
      }
      expect(headers.vary).to.equal('Origin');
      expect(headers['ratelimit-limit']).to.equal('120');
    }
  });

  it('do not spend the address limit on preflights', async () => {
    await Promise.all(Array.from({ length: 150 }, () => preflight('/api/v1/echo')));
    expect((await preflight('/api/v1/echo')).headers['ratelimit-remaining']).to.equal('120');
  });

  it('may read the headers that the service adds', async () => {
    const { headers } = await ping(PAGE);
    expect(headers['access-control-allow-origin']).to.equal(PAGE);
    expect(headers.vary).to.equal('Origin');
    const shown = headers['access-control-expose-headers']!.split(', ');
    const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After'];
    const cost = ['X-Message-Category', 'X-Message-Price', 'X-Credits-Charged'];
    const balances = ['X-Credits-Remaining', 'X-Wallet-Balance'];
    const requests = ['X-Request-Id', 'Idempotency-Replayed'];
    expect(shown).to.include.members([...limits, ...cost, ...balances, ...requests]);
  });

  it('may read errors, too', async () => {
    for (const [token, path, status] of [
      ['shop', '/api/v1/nowhere', 404],
      ['wrong', '/api/v1/ping', 401],
    ] as const) {
      const call = edge.call('GET', path, { token, headers: { origin: PAGE } });
      const answer = await answered(status, call);
      expect(answer.headers['access-control-allow-origin']).to.equal(PAGE);
    }
  });

  it('may read nothing from an origin that the key does not allow', async () => {
    const answer = await answered(403, ping('https://evil.example'));
    expect(answer.headers).not.to.have.property('access-control-allow-origin');
  });

  it('do not concern servers, which send no origin', async () => {
    const { headers } = await edge.call('GET', '/api/v1/ping', { token: 'good' });
    expect(headers).not.to.have.property('access-control-allow-origin');
    expect(headers.vary).to.equal('Origin');
  });

  it('do not concern the administration', async () => {
    const answer = await preflight('/api/admin/v1/organisations');
    expect(answer.status).to.equal(401);
    expect(answer.headers).not.to.have.property('access-control-allow-origin');
  });
});
