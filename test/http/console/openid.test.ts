import { expect } from 'chai';
import { request } from 'undici';
import { createOpenId } from '../../../src/net/openid.ts';
import { answered } from '../../support/answered.ts';
import { CLIENT, type Issuer, startIssuer } from '../../support/issuer.ts';
import { useRealConnections } from '../../support/network.ts';
import { accept, aPerson, invite, signInWith } from '../../support/people.ts';
import { cookieOf } from '../../support/session.ts';
import { type Answer, openTenant, startWaybill, type Waybill } from '../../support/waybill.ts';

const roles = { claim: 'groups', roles: { root: 'admin', books: 'auditor' } } as const;
const CALLBACK = '/console/oidc/callback';

describe('A sign-in with OpenID Connect @long', () => {
  useRealConnections();
  let issuer: Issuer;
  let waybill: Waybill;
  let organisationId: string;
  before(async () => {
    issuer = await startIssuer();
    waybill = await startWaybill({ openId: { ...CLIENT, issuer: issuer.url, roles } });
    ({ organisationId } = await openTenant(waybill, { number: false }));
  });
  after(async () => {
    await waybill.stop();
    await issuer.close();
  });
  beforeEach(() => {
    Object.assign(issuer, { claims: {}, userInfo: {}, isAway: false, isForging: false });
  });

  const start = (headers = {}) => waybill.call('GET', '/console/oidc/start', { headers });
  const locationOf = ({ headers }: Pick<Answer, 'headers'>) => new URL(String(headers.location));
  /** Where the issuer leads the browser back to. */
  const throughIssuer = async (started: Answer): Promise<URL> => {
    const { headers, body } = await request(locationOf(started));
    await body.dump();
    return locationOf({ headers });
  };
  const back = (cookie: string, { search }: URL, headers = {}) =>
    waybill.call('GET', `${CALLBACK}${search}`, { headers: { cookie, ...headers } });
  const signIn = async (claims: object, headers = {}): Promise<Answer> => {
    issuer.claims = claims;
    const started = await answered(302, start());
    return back(cookieOf(started), await throughIssuer(started), headers);
  };
  const shown = async (answer: Answer) =>
    (await waybill.call('GET', '/console/session', { cookie: cookieOf(answer) })).body;
  const verified = (email: string) => ({ email, email_verified: true });
  const refusalOf = ({ status, body }: Answer) => [status, body.code];
  const typesOf = async (personId: string) =>
    (await waybill.events(`person-${personId}`)).map(({ type }) => type);

  it('is told of where one can', async () => {
    const { body } = await waybill.call('GET', '/console/sign-in');
    expect(body).to.deep.equal({ openId: new URL(issuer.url).host });
  });

  it('leads to the issuer with PKCE, and keeps what it needs in a cookie that is sealed', async () => {
    const started = await start();
    const { origin, pathname, searchParams } = locationOf(started);
    expect([origin, pathname]).to.deep.equal([issuer.url, '/authorize']);
    expect(searchParams.get('redirect_uri')).to.equal(`${waybill.url}/api${CALLBACK}`);
    expect(searchParams.get('code_challenge_method')).to.equal('S256');
    const cookie = String(started.headers['set-cookie']);
    for (const part of ['HttpOnly', 'SameSite=Lax', 'Max-Age=600']) expect(cookie).contains(part);
    for (const name of ['state', 'nonce']) expect(cookie).not.contains(searchParams.get(name));
  });

  it('lets in who was invited by an e-mail that the issuer verified, case ignored', async () => {
    const email = 'mia@shop.example';
    const mia = { email, name: 'Mia', role: 'agent', organisationId };
    const { id, link } = await invite(waybill, mia);
    const claims = verified('MIA@Shop.example');
    const answer = await answered(302, signIn(claims));
    expect(answer.headers.location).to.equal('/console');
    expect(await shown(answer)).to.deep.include({ kind: 'person', id, name: 'Mia', role: 'agent' });
    expect(await typesOf(id)).to.deep.equal(['PersonInvited', 'PersonJoined']);
    const started = (await waybill.log()).filter(({ type }) => type === 'SessionStarted').at(-1)!;
    expect(started.data).to.deep.include({ holder: { kind: 'person', id }, by: 'openid' });
    // The invitation is used up, and a second sign-in writes of the session alone.
    expect((await accept(waybill, link)).status).to.equal(401);
    expect((await signIn(claims)).status).to.equal(302);
    expect(await typesOf(id)).to.have.length(2);
  });

  it('takes what the token lacks from the issuer’s record of the person', async () => {
    const { id, email } = await aPerson(waybill, { role: 'viewer', organisationId });
    issuer.userInfo = verified(email);
    expect(await shown(await signIn({}))).to.deep.include({ id });
  });

  it('refuses who was not invited, with a sentence, and keeps nothing of him', async () => {
    const head = await waybill.store.head();
    const claims = verified('stranger@shop.example');
    const answer = await signIn(claims);
    expect(refusalOf(answer)).to.deep.equal([403, 'SIGN_IN_REFUSED']);
    expect(answer.body.error).to.equal('Nobody with this e-mail was invited');
    expect(await waybill.store.head()).to.equal(head);
    const page = await answered(403, signIn(claims, { accept: 'text/html,*/*' }));
    expect(page.body).to.include('<p>Nobody with this e-mail was invited</p>');
  });

  it('refuses an e-mail that the issuer has not verified', async () => {
    const { email } = await aPerson(waybill, { role: 'owner', organisationId });
    for (const claims of [{ email }, { email, email_verified: false }, {}]) {
      expect((await answered(403, signIn(claims))).body.code).to.equal('SIGN_IN_REFUSED');
    }
  });

  it('refuses who is suspended, and whose organisation is', async () => {
    const other = await openTenant(waybill, { number: false });
    const person = await aPerson(waybill, { role: 'owner', organisationId: other.organisationId });
    const claims = verified(person.email);
    await waybill.admin('POST', `/people/${person.id}/suspend`);
    const suspended = await answered(403, signIn(claims));
    expect(suspended.body.error).to.equal('This person is suspended');
    await waybill.admin('POST', `/people/${person.id}/reinstate`);
    await waybill.admin('POST', `/organisations/${other.organisationId}/suspend`, {});
    const refused = await signIn(claims);
    expect(refusalOf(refused)).to.deep.equal([403, 'ORG_SUSPENDED']);
    expect(String(refused.headers['set-cookie'])).not.to.contain('waybill_console');
  });

  it('makes an operator of whom a claim gives a role, which follows the claim', async () => {
    const claims = { ...verified('ada@operator.example'), name: 'Ada' };
    const first = await shown(await signIn({ ...claims, groups: ['x', 'books'] }));
    expect(first).to.deep.include({ name: 'Ada', role: 'auditor', organisationId: null });
    // The issuer is asked again in an hour: it may have taken the claim away.
    expect(Date.parse(first.expiresAt) - waybill.clock.now()).to.equal(3_600_000);
    const later = await shown(await signIn({ ...claims, groups: 'root' }));
    expect(later).to.deep.include({ id: first.id, role: 'admin' });
    expect(await typesOf(first.id)).to.deep.equal(['PersonMapped', 'PersonChanged']);
    const without = await signIn({ ...claims, groups: ['x'] });
    expect(refusalOf(without)).to.deep.equal([403, 'SIGN_IN_REFUSED']);
    const stored = JSON.stringify((await waybill.sealed.readAll('', 1000)).events);
    expect(stored).not.to.contain('ada@operator.example');
  });

  it('gives a person of an organisation no other role by a claim', async () => {
    const { id, email } = await aPerson(waybill, { role: 'viewer', organisationId });
    const answer = await signIn({ ...verified(email), groups: ['root'] });
    expect(await shown(answer)).to.deep.include({ id, role: 'viewer', organisationId });
  });

  it('is not ended by another browser’s answer, a late one, a second time, or a forged token', async () => {
    const { email } = await aPerson(waybill, { role: 'viewer', organisationId });
    issuer.claims = verified(email);
    const refuses = async (answer: Promise<Answer>) =>
      expect((await answered(401, answer)).headers).not.to.have.property('set-cookie');
    const [one, other] = [await start(), await start()];
    const answer = await throughIssuer(one);
    await refuses(back('', answer));
    await refuses(back(cookieOf(other), answer));
    expect((await back(cookieOf(one), answer)).status).to.equal(302);
    await refuses(back(cookieOf(one), answer));
    const late = await throughIssuer(other);
    waybill.clock.advance(10 * 60_000);
    await refuses(back(cookieOf(other), late));
    issuer.isForging = true;
    const forged = await start();
    await refuses(back(cookieOf(forged), await throughIssuer(forged)));
    const declined = new URL(`${waybill.url}?error=access_denied`);
    await refuses(back(cookieOf(forged), declined));
  });

  it('is 503 with a sentence while the issuer is away; a password works', async () => {
    const { email } = await aPerson(waybill, { role: 'viewer', organisationId });
    const started = await start();
    const answer = await throughIssuer(started);
    issuer.isAway = true;
    const late = await answered(503, back(cookieOf(started), answer));
    expect(late.headers['retry-after']).to.equal('10');
    expect(late.body.error).to.contain('use your password');
    const gone = createOpenId({ ...CLIENT, issuer: 'http://127.0.0.1:1', roles: null });
    const failed = await gone.begin('http://localhost/').catch(({ code }) => code);
    expect(failed).to.equal('service.unavailable');
    expect((await signInWith(waybill, email)).status).to.equal(201);
  });

  it('has the limit of an address: 429', async () => {
    const { email } = await aPerson(waybill, { role: 'viewer', organisationId });
    waybill.clock.advance(60_000);
    const statuses = [];
    for (let count = 0; count < 122; count += 1) {
      statuses.push((await back('', new URL(`${waybill.url}?code=x`))).status);
    }
    expect(statuses.slice(-2)).to.deep.equal([429, 429]);
    waybill.clock.advance(60_000);
    await answered(302, signIn(verified(email)));
  });

  it('is not there without an issuer', async () => {
    const plain = await startWaybill();
    try {
      const { body } = await plain.call('GET', '/console/sign-in');
      expect(body).to.deep.equal({ openId: null });
      expect((await plain.call('GET', '/console/oidc/start')).status).to.equal(404);
    } finally {
      await plain.stop();
    }
  });
});
