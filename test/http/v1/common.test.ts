import { expect } from 'chai';
import { SESSION_LIMIT } from '../../../src/http/edge/limits.ts';
import { answered, bodyOf, refusedWith } from '../../support/answered.ts';
import { declaredRoutes, filledPath } from '../../support/routes.ts';
import { waysOf } from '../../support/session.ts';
import { useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { ADMIN_TOKEN, type Answer, type Json, openTenant } from '../../support/waybill.ts';

const LIMIT = 100_000;
// No key has the scopes of people.
const routes = declaredRoutes().filter(
  ({ path, access }) => path.startsWith('/v1/') && access !== 'person',
);
const paths = [...new Set(routes.map(({ path }) => path))];
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Contract 4.1: on every answer under /v1. */
const expectRateLimit = ({ headers }: Answer, limit = LIMIT) => {
  expect(headers['ratelimit-limit']).to.equal(String(limit));
  expect(Number(headers['ratelimit-remaining'])).to.be.within(0, limit - 1);
  expect(Number(headers['ratelimit-reset'])).to.be.within(0, 60);
};

describe('Every endpoint of /v1 @long', () => {
  const on = useTenant({ once: true, number: false });
  const call = (method: string, path: string, how: Json = {}): Promise<Answer> =>
    on.waybill.call(method, filledPath(path, {}), { token: on.tenant.apiKey, ...how });
  const keyWith = async (change: Json): Promise<string> => {
    const of = `/accounts/${on.tenant.accountId}/keys`;
    const terms = { name: 'k', rateLimit: LIMIT, ...change };
    return (await bodyOf(201, on.waybill.admin('POST', of, terms))).key;
  };

  it('answers in JSON, with rate-limit headers and a request id, for every status', async () => {
    for (const { method, path } of routes) {
      const answer = await call(method, path, method === 'GET' ? {} : { body: {} });
      expect(answer.status, `${method} ${path}`).to.be.below(500);
      expect(answer.headers['content-type']).to.match(/^application\/json/);
      expect(answer.headers['x-request-id']).to.be.a('string');
      expectRateLimit(answer);
      if (answer.status >= 400) expect(answer.body, path).to.have.property('error');
    }
  });

  it('is 405 with Allow for another method, and 404 Not found beside it', async () => {
    for (const path of paths) {
      const known = routes.filter((route) => matches(route.path, path)).map(({ method }) => method);
      const method = methods.find((one) => !known.includes(one))!;
      const answer = await answered(405, call(method, path), `${method} ${path}`);
      expect(answer.body).to.deep.equal({ error: 'Method not allowed' });
      for (const one of known) expect(answer.headers.allow).to.contain(one);
      expectRateLimit(answer);
      const beside = await answered(404, call('GET', `${path}/and/more`));
      expect(beside.body).to.deep.equal({ error: 'Not found' });
      expectRateLimit(beside);
    }
  });

  it('is 401 without a valid key, with the same body for every reason', async () => {
    const answers = [];
    for (const { method, path } of routes)
      answers.push(await call(method, path, { token: undefined }));
    const { apiKey } = on.tenant;
    const wrong = ['x', apiKey.slice(0, -1), `${apiKey}x`, apiKey.toUpperCase()];
    for (const token of wrong) answers.push(await call('GET', '/v1/phones', { token }));
    for (const authorization of [apiKey, `Basic ${apiKey}`, `Bearer  ${apiKey}`]) {
      const how = { token: undefined, headers: { authorization } };
      answers.push(await call('GET', '/v1/phones', how));
    }
    for (const answer of answers) {
      expect(answer.status).to.equal(401);
      expect(answer.body).to.deep.equal({ error: 'Missing or invalid API key' });
      expectRateLimit(answer, 120);
    }
  });

  it('requires its scope from a key with scopes, and from its session: 403 INSUFFICIENT_SCOPE', async () => {
    const all = [...new Set(routes.flatMap(({ scope }) => scope ?? []))];
    const groups = Map.groupBy(routes, ({ scope }) => String(scope ?? ''));
    for (const [scope, sharing] of groups) {
      if (scope === '') continue;
      const token = await keyWith({ scopes: [all.find((other) => !scope.includes(other))] });
      for (const way of await waysOf(on.waybill, token)) {
        for (const route of sharing) {
          const asked = call(route.method, route.path, { token: undefined, ...way });
          const answer = await refusedWith(403, 'INSUFFICIENT_SCOPE', asked, route.path);
          expectRateLimit(answer, way.cookie === undefined ? LIMIT : SESSION_LIMIT);
        }
      }
    }
    // The catalog is the same for everybody, an account's name and terms are no secret to its keys, a
    // quote asks for the scope of its send, and a link has the rights of its key.
    const scopeless = routes.filter(({ scope }) => scope === undefined).map(({ path }) => path);
    expect(scopeless).to.deep.equal([
      '/v1/notifications/catalog',
      '/v1/account',
      '/v1/quotes',
      '/v1/console-links',
    ]);
  });

  it('is open to a key with its scope alone, and to its session', async () => {
    const each = routes.flatMap(({ scope = [], ...route }) =>
      [scope].flat().map((one) => ({ ...route, scope: one })),
    );
    for (const { method, path, scope } of each) {
      const token = await keyWith({ scopes: [scope] });
      const statuses = [];
      for (const way of await waysOf(on.waybill, token)) {
        const how = { token: undefined, ...way, ...(method !== 'GET' && { body: {} }) };
        statuses.push((await call(method, path, how)).status);
      }
      expect(statuses[0], path).not.to.be.oneOf([401, 403]);
      expect(statuses[1], path).to.equal(statuses[0]);
    }
  });

  it('is 403 for an origin that the key does not allow, and accepts an absent origin', async () => {
    const token = await keyWith({ allowedOrigins: ['https://shop.example'] });
    const from = (origin?: string) =>
      call('GET', '/v1/phones', { token, ...(origin && { headers: { origin } }) });
    await answered(200, from());
    const allowed = await answered(200, from('https://shop.example'));
    expect(allowed.headers['access-control-allow-origin']).to.equal('https://shop.example');
    expect(allowed.headers['access-control-expose-headers']).to.contain('RateLimit-Remaining');
    const refused = await answered(403, from('https://evil.example'));
    expect(refused.body).to.have.all.keys('error');
    expect(refused.body.error).to.contain('https://evil.example').and.contain('not allowed');
    expectRateLimit(refused);
  });

  it('is 429 with error alone when the key’s window is used up', async () => {
    const token = await keyWith({ rateLimit: 3 });
    const answers = [];
    for (let count = 0; count < 5; count += 1)
      answers.push(await call('GET', '/v1/phones', { token }));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 429, 429]);
    const remaining = answers.map(({ headers }) => headers['ratelimit-remaining']);
    expect(remaining).to.deep.equal(['2', '1', '0', '0', '0']);
    const { body, headers } = answers[4]!;
    expect(body).to.have.all.keys('error');
    expect(body.error).to.match(/^Too many requests; try again in (1 second|\d+ seconds)$/);
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    expectRateLimit(answers[4]!, 3);
  });

  it('refuses broken JSON, other types and over 1 MB before anything else', async () => {
    const send = (raw: string, headers: Json = {}, token: string | undefined = on.tenant.apiKey) =>
      call('POST', '/v1/notifications/send/batch', { raw, token, headers });
    // The first use of a key is noted in the background: what else is written is what counts.
    const written = async () =>
      (await on.waybill.log()).filter(({ type }) => type !== 'ApiKeyUsed').length;
    const before_ = await written();
    const cases: [Promise<Answer>, number][] = [
      [send('{"event":'), 400],
      [send('hello', { 'content-type': 'text/plain' }), 415],
      [send(JSON.stringify({ event: 'x'.repeat(1_048_576) })), 413],
      // Without a right key the credential comes first, and the body is not read.
      [send('{'.padEnd(1_048_577), {}, 'no key'), 401],
    ];
    for (const [answering, status] of cases) {
      const answer = await answered(status, answering);
      expect(answer.body.error).to.be.a('string');
      expect(answer.headers).to.include.keys('ratelimit-limit', 'ratelimit-remaining');
    }
    expect(await written()).to.equal(before_);
    const largest = JSON.stringify({ event: '' });
    const padded = await answered(400, send(largest.padEnd(1_048_576)));
    expect(padded.body.error.fieldErrors).to.have.property('recipients');
  });

  it('is 403 ORG_SUSPENDED on all of them while the organisation is suspended', async () => {
    const other = await openTenant(on.waybill, { number: false });
    const token = other.apiKey;
    await on.waybill.admin('POST', `/organisations/${other.organisationId}/suspend`, {});
    await untilTrue('the refusal', async () => {
      return (await call('GET', '/v1/phones', { token })).status === 403;
    });
    for (const { method, path } of routes) {
      const asked = call(method, path, { token });
      const answer = await refusedWith(403, 'ORG_SUSPENDED', asked, path);
      expectRateLimit(answer);
    }
  });

  it('repeats the caller’s request id, and writes it into the events', async () => {
    const headers = { 'x-request-id': 'caller-7' };
    const answer = await call('GET', '/v1/phones', { headers });
    expect(answer.headers['x-request-id']).to.equal('caller-7');
    const how = { token: ADMIN_TOKEN, headers, body: { name: 'Traced' } };
    const made = await on.waybill.call('POST', '/admin/v1/organisations', how);
    const [created] = await on.waybill.events(`organisation-${made.body.id}`);
    expect(created!.meta.requestId).to.equal('caller-7');
  });
});

/** Whether a route takes this path, whose parameters are not filled in yet. */
const matches = (template: string, path: string): boolean => {
  const filled = filledPath(path, {});
  return new RegExp(`^${template.replace(/:\w+/g, '[^/]+')}$`).test(filled);
};
