import { expect } from 'chai';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { sessionRoutes } from '../../../src/http/console/session.ts';
import type { RawRequest } from '../../../src/http/route/raw-route.ts';
import { answered } from '../../support/answered.ts';
import { aPerson, makeAdministrator, signInWith } from '../../support/people.ts';
import { cookieOf } from '../../support/session.ts';
import { useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  type Json,
  openTenant,
  startWaybill,
  type Waybill,
} from '../../support/waybill.ts';

const HOUR_MS = 3_600_000;
const OWN = { 'X-Waybill-Console': '1' };
const ENDED = [401, 'SESSION_ENDED'];

const signIn = (waybill: Waybill, body: Json, headers: Record<string, string> = OWN) =>
  waybill.call('POST', '/console/session', { body, headers });

const linkOf = (path: string) => ({ link: path.replace('/console#link=', '') });
/** A status and a code, as of a refusal. */
const told = ({ status, body }: Answer) => [status, body?.code];

describe('A session of the console @long', () => {
  const on = useWaybill();
  const withCookie = (cookie: string, method: string, path: string, more: Json = {}) =>
    on.waybill.call(method, path, {
      ...more,
      headers: { Cookie: cookie, ...OWN, ...more.headers },
    });
  const begin = async (credential: string) =>
    cookieOf(await answered(201, signIn(on.waybill, { credential })));
  const asRoot = () => begin(ADMIN_TOKEN);
  const statusOf = async (cookie: string, path = '/admin/v1/accounts') =>
    (await withCookie(cookie, 'GET', path)).status;
  /** A key of an account without a number. */
  const account = () => openTenant(on.waybill, { number: false });
  const started = async () =>
    (await on.waybill.log()).filter(({ type }) => type === 'SessionStarted').at(-1)!;

  it('begins with an administrator’s token, in a cookie that no script can read', async () => {
    const answer = await answered(201, signIn(on.waybill, { credential: ADMIN_TOKEN }));
    expect(answer.body).to.deep.include({ kind: 'administrator', id: 'root', role: 'admin' });
    const cookie = String(answer.headers['set-cookie']);
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Max-Age=28800']) {
      expect(cookie).to.contain(part);
    }
    expect(JSON.stringify([cookie, answer.body])).not.to.contain(ADMIN_TOKEN);
    const body = { name: 'From the console' };
    const making = withCookie(cookieOf(answer), 'POST', '/admin/v1/organisations', { body });
    const made = await answered(201, making);
    const [created] = await on.waybill.events(`organisation-${made.body.id}`);
    expect(created!.meta.by).to.deep.include({ id: 'root' });
  });

  it('is taken at another host from the cookie that no other host of its domain can put there', async () => {
    const host = { Host: 'waybill.shop.example' };
    const answer = await signIn(on.waybill, { credential: ADMIN_TOKEN }, { ...OWN, ...host });
    const set = String(answer.headers['set-cookie']);
    expect(set)
      .to.match(/^__Host-waybill_console=/)
      .and.contain('Secure')
      .and.contain('Path=/;');
    expect(set).not.to.contain('Domain');
    const read = async (cookie: string) =>
      (await withCookie(cookie, 'GET', '/admin/v1/accounts', { headers: host })).status;
    const own = cookieOf(answer);
    const planted = own.replace('__Host-', '');
    expect(await read(own)).to.equal(200);
    expect(await read(planted)).to.equal(401);
    expect(await read(`${planted}; ${own}`)).to.equal(200);
  });

  it('makes no links, with which it would outlast its end: 403', async () => {
    const { apiKey } = await account();
    for (const [cookie, path] of [
      [await asRoot(), '/admin/v1/console-links'],
      [await begin(apiKey), '/v1/console-links'],
    ] as const) {
      const { status, body } = await withCookie(cookie, 'POST', path);
      expect([status, body.path], path).to.deep.equal([403, undefined]);
    }
  });

  it('of a key for other origins works from the console', async () => {
    const { accountId } = await account();
    const terms = { name: 'Shop', allowedOrigins: ['https://shop.example'] };
    const made = await on.waybill.admin('POST', `/accounts/${accountId}/keys`, terms);
    const cookie = await begin(made.body.key);
    const how = { body: { name: 'Hours' }, headers: { Origin: on.waybill.url } };
    await answered(201, withCookie(cookie, 'POST', '/v1/bots', how));
  });

  it('is recorded with its holder', async () => {
    const { accountId, apiKey } = await account();
    const { body } = await signIn(on.waybill, { credential: apiKey });
    const { data, meta } = await started();
    expect(data).to.deep.include({ holder: { kind: 'key', id: body.id }, by: 'credential' });
    expect(meta.accountId).to.equal(accountId);
  });

  it('of an API key opens its account, and neither another one nor the administration', async () => {
    const mine = await account();
    const other = await account();
    const answer = await signIn(on.waybill, { credential: mine.apiKey });
    expect(answer.body).to.deep.include({ kind: 'key', accountId: mine.accountId });
    const cookie = cookieOf(answer);
    expect(await statusOf(cookie, '/v1/credits')).to.equal(200);
    for (const { accountId } of [other, mine]) {
      const refused = await withCookie(cookie, 'GET', `/admin/v1/accounts/${accountId}`);
      expect(told(refused)).to.deep.equal(ENDED);
    }
  });

  it('shows who is signed in, and nobody without one', async () => {
    const cookie = await asRoot();
    const { body } = await withCookie(cookie, 'GET', '/console/session');
    expect(body).to.deep.include({ kind: 'administrator', name: 'Root administrator' });
    const nobody = await on.waybill.call('GET', '/console/session');
    expect([nobody.status, nobody.body]).to.deep.equal([200, null]);
  });

  it('ends after 8 hours, used or not', async () => {
    const cookie = await asRoot();
    on.waybill.clock.advance(8 * HOUR_MS - 1);
    expect(await statusOf(cookie)).to.equal(200);
    on.waybill.clock.advance(1);
    expect(told(await withCookie(cookie, 'GET', '/admin/v1/accounts'))).to.deep.equal(ENDED);
    expect((await withCookie(cookie, 'GET', '/console/session')).body).to.equal(null);
  });

  it('ends with the administrator, and with the key', async () => {
    const auditor = await makeAdministrator(on.waybill);
    const cookie = await begin(auditor.token);
    expect(await statusOf(cookie)).to.equal(200);
    await on.waybill.admin('POST', `/administrators/${auditor.id}/revoke`);
    expect(await statusOf(cookie)).to.equal(401);

    const { apiKey } = await account();
    const answer = await signIn(on.waybill, { credential: apiKey });
    await on.waybill.admin('POST', `/keys/${answer.body.id}/revoke`);
    expect(await statusOf(cookieOf(answer), '/v1/credits')).to.equal(401);
  });

  it('ends when its holder signs out: the cookie opens nothing any more, and others do', async () => {
    const [cookie, other] = [await asRoot(), await asRoot()];
    const { headers } = await answered(200, withCookie(cookie, 'POST', '/console/session/end'));
    expect(String(headers['set-cookie'])).to.contain('Max-Age=0');
    expect(told(await withCookie(cookie, 'GET', '/admin/v1/accounts'))).to.deep.equal(ENDED);
    expect((await withCookie(cookie, 'GET', '/console/session')).body).to.equal(null);
    expect(await statusOf(other)).to.equal(200);
    // Signed out already: nothing is left to do.
    const head = await on.waybill.store.head();
    await answered(200, withCookie(cookie, 'POST', '/console/session/end'));
    expect(await on.waybill.store.head()).to.equal(head);
  });

  it('ends with all others of its holder, and with none of anybody else', async () => {
    const { apiKey, accountId } = await account();
    const sessions = [];
    for (let count = 0; count < 3; count += 1) sessions.push(await begin(apiKey));
    const root = await asRoot();
    await withCookie(sessions[0]!, 'POST', '/console/session/end-all');
    for (const cookie of sessions) expect(await statusOf(cookie, '/v1/credits')).to.equal(401);
    expect(await statusOf(root)).to.equal(200);
    const ended = (await on.waybill.log()).filter(({ type }) => type === 'SessionEnded');
    expect(ended.length).to.be.at.least(3);
    for (const { meta } of ended.slice(-3)) expect(meta.accountId).to.equal(accountId);
  });

  it('ends on every instance, and stays ended after a start', async () => {
    const { sealed, views, keys, clock } = on.waybill;
    const wraps = { wrapStore: () => sealed, wrapViews: () => views, wrapKeys: () => keys };
    const beside = () => startWaybill({ clock, ...wraps });
    const statusAt = async ({ call }: Waybill, cookie: string) => {
      const headers = { Cookie: cookie, ...OWN };
      return (await call('GET', '/admin/v1/accounts', { headers })).status;
    };
    const second = await beside();
    try {
      const cookie = await asRoot();
      expect(await statusAt(second, cookie)).to.equal(200);
      await withCookie(cookie, 'POST', '/console/session/end');
      await untilTrue(
        'the other instance to refuse the session',
        async () => (await statusAt(second, cookie)) === 401,
      );
      const third = await beside();
      const late = await statusAt(third, cookie);
      await third.stop();
      expect(late).to.equal(401);
    } finally {
      await second.stop();
    }
  });

  it('does nothing for a page of another site: 401', async () => {
    const cookie = await asRoot();
    const body = { name: 'Forged' };
    const attempts: Record<string, string>[] = [
      { ...OWN, 'Sec-Fetch-Site': 'cross-site' },
      { ...OWN, 'Sec-Fetch-Site': 'same-site' },
      { ...OWN, Origin: 'https://evil.example' },
      {},
    ];
    const head = await on.waybill.store.head();
    for (const headers of attempts) {
      const how = { body, headers: { Cookie: cookie, ...headers } };
      const about = JSON.stringify(headers);
      await answered(401, on.waybill.call('POST', '/admin/v1/organisations', how), about);
      await answered(401, signIn(on.waybill, { credential: ADMIN_TOKEN }, headers), about);
    }
    expect(await on.waybill.store.head()).to.equal(head);
  });

  it('does not stand in for a credential that was sent', async () => {
    const cookie = await asRoot();
    await answered(401, withCookie(cookie, 'GET', '/admin/v1/accounts', { token: 'wrong' }));
  });

  it('cannot be made up or changed', async () => {
    const [name, value] = (await asRoot()).split('=') as [string, string];
    const changed = `${value.slice(0, 60)}${value[60] === 'A' ? 'B' : 'A'}${value.slice(61)}`;
    for (const cookie of [`${name}=${changed}`, `${name}=e30`, `${name}=`]) {
      expect(await statusOf(cookie)).to.equal(401);
    }
  });

  it('is refused for a wrong credential, which counts against the address: 429', async () => {
    const wrong = () => signIn(on.waybill, { credential: 'wb_live_nonsense' });
    const first = await answered(401, wrong());
    expect(first.body.error).to.equal('This credential is not valid');
    const leftOf = ({ headers }: Answer) => Number(headers['ratelimit-remaining']);
    expect(leftOf(first)).to.be.greaterThan(0);
    expect(leftOf(await wrong())).to.equal(leftOf(first) - 1);
  });

  it('of a key has a window of its own, so that its pages take nothing from programs', async () => {
    const { accountId } = await account();
    const draft = { name: 'Shop', rateLimit: 1 };
    const { body: made } = await on.waybill.admin('POST', `/accounts/${accountId}/keys`, draft);
    const cookie = await begin(made.key);
    const own = await answered(200, withCookie(cookie, 'GET', '/v1/account'));
    expect(own.headers['ratelimit-limit']).to.equal('600');
    await answered(200, withCookie(cookie, 'GET', '/v1/account'));
    await answered(200, on.waybill.call('GET', '/v1/account', { token: made.key }));
    await answered(429, on.waybill.call('GET', '/v1/account', { token: made.key }));
  });

  it('row 69: is begun 120 times a minute with one credential, links included: 429', async () => {
    const { apiKey } = await account();
    const other = await account();
    const link = await on.waybill.call('POST', '/v1/console-links', { token: apiKey });
    const answers = await Promise.all(
      Array.from({ length: 125 }, () => signIn(on.waybill, { credential: apiKey })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status }) => status)).to.deep.equal(Array(5).fill(429));
    expect(Number(refused[0]!.headers['retry-after'])).to.be.within(1, 60);
    await answered(429, signIn(on.waybill, linkOf(link.body.path)));
    await begin(other.apiKey);
  });

  it('row 70: is not begun for a suspended organisation, by key or by link: 403', async () => {
    const { apiKey, organisationId } = await account();
    const link = await on.waybill.call('POST', '/v1/console-links', { token: apiKey });
    await on.waybill.admin('POST', `/organisations/${organisationId}/suspend`);
    const before = (await on.waybill.log()).length;
    for (const body of [{ credential: apiKey }, linkOf(link.body.path)]) {
      const answer = await signIn(on.waybill, body);
      expect(told(answer)).to.deep.equal([403, 'ORG_SUSPENDED']);
      expect(answer.headers['set-cookie']).to.equal(undefined);
    }
    const since = (await on.waybill.log()).slice(before).map(({ type }) => type);
    expect(since).not.to.include('SessionStarted');
  });

  it('row 70: ends with 2,500 others of its holder, of which a page has 1,000', async () => {
    const holder = { kind: 'administrator' as const, id: 'root' };
    const administrator = { id: 'root', name: 'R', email: 'r@localhost', role: 'admin' as const };
    const open = new Set(Array.from({ length: 2500 }, (_, index) => `s${index}`));
    const end = sessionRoutes({
      authenticator: {
        administratorById: async () => administrator,
        isOpen: async (id: string) => open.has(id),
        openSessions: async () => [...open].slice(-1000).map((id) => ({ id })),
      },
      sessions: { of: () => ({ id: 's0', holder, expiresAt: 1 }) },
      tenancy: { endSession: async (id: string) => void open.delete(id) },
    } as never).find(({ path }) => path.endsWith('/end-all'))!;
    await end.handle({ headers: {}, now: 0, requestId: 'r' } as unknown as RawRequest);
    expect([...open]).to.deep.equal([]);
  });

  it('is seen among those of its holder, who ends one of them alone', async () => {
    const { organisationId } = await account();
    const { email, cookie } = await aPerson(on.waybill, { role: 'agent', organisationId });
    const other = cookieOf(await signInWith(on.waybill, email));
    const list = async () => (await withCookie(cookie, 'GET', '/console/sessions')).body.sessions;
    const seen = await list();
    const shown = seen.map(({ by, isThis }: Json) => [by, isThis]);
    expect(shown).to.have.deep.members([
      ['password', false],
      ['invitation', true],
    ]);
    const { id } = seen.find(({ isThis }: Json) => !isThis);
    const end = (by: string) => withCookie(by, 'POST', `/console/sessions/${id}/end`);
    await answered(404, end(await asRoot()));
    await answered(200, end(cookie));
    expect(await list()).to.have.length(1);
    expect(await statusOf(other, '/console/sessions')).to.equal(401);
  });

  it('row 76: is begun for 15 minutes, and reads, while the log is full; not by a link', async () => {
    let isFull = false;
    const full = await startWaybill({
      wrapStore: (store) => ({
        ...store,
        async append(...given) {
          if (isFull) throw new StoreUnavailable('the disk is full');
          return store.append(...given);
        },
      }),
    });
    try {
      const { apiKey } = await openTenant(full, { number: false });
      const link = await full.call('POST', '/v1/console-links', { token: apiKey });
      await full.call('GET', '/v1/credits', { token: apiKey });
      isFull = true;
      expect((await signIn(full, linkOf(link.body.path))).status).to.equal(503);
      for (const [credential, path] of [
        [ADMIN_TOKEN, '/admin/v1/accounts'],
        [apiKey, '/v1/credits'],
      ] as const) {
        const answer = await answered(201, signIn(full, { credential }));
        expect(String(answer.headers['set-cookie'])).to.contain('Max-Age=900');
        const left = Date.parse(answer.body.expiresAt) - full.clock.now();
        expect(left).to.be.within(0, 15 * 60_000);
        const headers = { Cookie: cookieOf(answer), ...OWN };
        expect((await full.call('GET', path, { headers })).status).to.equal(200);
        full.clock.advance(15 * 60_000);
        expect((await full.call('GET', path, { headers })).status).to.equal(401);
      }
      const types = (await full.log()).map(({ type }) => type);
      expect(types).not.to.include('SessionStarted');
    } finally {
      isFull = false;
      await full.stop();
    }
  });

  it('is not begun by a body of another form: 400', async () => {
    for (const body of [{}, { credential: '' }, { credential: 'x', link: 'y' }, [1]]) {
      expect((await signIn(on.waybill, body)).status).to.equal(400);
    }
  });

  describe('by a link', () => {
    const link = async (token: string, path: string) =>
      (await on.waybill.call('POST', path, { token })).body.path as string;
    const ofRoot = () => link(ADMIN_TOKEN, '/admin/v1/console-links');

    it('has the rights of who made the link', async () => {
      const { apiKey, accountId } = await account();
      const own = await signIn(on.waybill, linkOf(await link(apiKey, '/v1/console-links')));
      expect(own.body).to.deep.include({ kind: 'key', accountId });
      const root = await signIn(on.waybill, linkOf(await ofRoot()));
      expect(root.body).to.deep.include({ id: 'root' });
    });

    it('is short enough to be copied by hand', async () => {
      expect((await ofRoot()).length).to.be.lessThan(120);
    });

    it('begins once, also for two at the same time', async () => {
      const body = linkOf(await ofRoot());
      const answers = await Promise.all([signIn(on.waybill, body), signIn(on.waybill, body)]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 401]);
      const again = await answered(401, signIn(on.waybill, body));
      expect(again.headers['set-cookie']).to.equal(undefined);
    });

    it('does not begin after 10 minutes', async () => {
      const body = linkOf(await ofRoot());
      on.waybill.clock.advance(10 * 60_000);
      expect((await signIn(on.waybill, body)).status).to.equal(401);
    });

    it('is no cookie, and a cookie is no link', async () => {
      const path = await ofRoot();
      const cookie = `waybill_console=${linkOf(path).link}`;
      expect(await statusOf(cookie)).to.equal(401);
      const value = (await asRoot()).replace('waybill_console=', '');
      expect((await signIn(on.waybill, { link: value })).status).to.equal(401);
    });
  });
});
