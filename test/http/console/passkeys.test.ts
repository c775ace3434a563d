import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { accept, aPerson, invite } from '../../support/people.ts';
import { cookieOf } from '../../support/session.ts';
import { useWaybill } from '../../support/surface.ts';
import { ADMIN_TOKEN, type Json, openTenant } from '../../support/waybill.ts';

const MINUTE_MS = 60_000;
const OWN = { 'x-waybill-console': '1' };

describe('Passkeys @long', () => {
  const on = useWaybill();
  let organisationId: string;
  before(async () => {
    ({ organisationId } = await openTenant(on.waybill, { number: false }));
  });
  const post = (path: string, body: Json, cookie?: string) =>
    on.waybill.call('POST', `/console${path}`, { body, cookie, headers: OWN });
  const device = (origin = on.waybill.url) => createAuthenticator(origin);
  const signIn = async (one: ReturnType<typeof device>) => {
    const { body } = await post('/session/challenge', {});
    return post('/session', { passkey: one.get(body) });
  };
  /** A person who accepted the invitation with a passkey. */
  const withPasskey = async (draft: Json = { role: 'agent', organisationId }) => {
    const { id, link, email } = await invite(on.waybill, draft);
    const one = device();
    const { body: options } = await post('/passkeys/challenge', { link });
    const answer = await post('/invitations/accept', { link, passkey: one.create(options) });
    return { id, link, email, one, options, answer };
  };

  it('take an invitation, once, and sign in', async () => {
    const { id, link, email, one, options, answer } = await withPasskey();
    expect((await answered(201, answer)).body.id).to.equal(id);
    expect(options.user.name).to.equal(email);
    expect((await accept(on.waybill, link)).status).to.equal(401);
    expect((await answered(201, signIn(one))).body.id).to.equal(id);
    const stored = JSON.stringify((await on.waybill.sealed.readAll('', 1000)).events);
    const [, added] = await on.waybill.events(`person-${id}`);
    const { credentialId, publicKey } = (added!.data as Json).passkey;
    for (const secret of [credentialId, publicKey, email]) expect(stored).not.to.contain(secret);
    const started = (await on.waybill.log()).filter(({ type }) => type === 'SessionStarted');
    expect(started.at(-1)!.data).to.deep.include({ by: 'passkey' });
  });

  it('sign in once with one answer, and in time', async () => {
    const { one } = await withPasskey();
    const { body } = await post('/session/challenge', {});
    const answer = { passkey: one.get(body) };
    const both = await Promise.all([post('/session', answer), post('/session', answer)]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([201, 401]);
    const { body: late } = await post('/session/challenge', {});
    on.waybill.clock.advance(5 * MINUTE_MS);
    expect((await post('/session', { passkey: one.get(late) })).status).to.equal(401);
  });

  it('sign nobody in for another page, with another challenge, or of a key that is unknown', async () => {
    const { one, options, answer } = await withPasskey();
    const strange = device();
    strange.create({ ...options, challenge: 'x' });
    const { body } = await post('/session/challenge', {});
    const forged = strange.get(body);
    const elsewhere = one.get(body);
    const data = JSON.parse(Buffer.from(elsewhere.response.clientDataJSON, 'base64url').toString());
    const evil = JSON.stringify({ ...data, origin: 'https://evil.example' });
    elsewhere.response.clientDataJSON = Buffer.from(evil).toString('base64url');
    for (const passkey of [
      forged,
      { ...forged, id: one.get(body).id },
      elsewhere,
      one.get({ challenge: 'bm8' }),
      // A challenge to make a key is none to sign in with.
      one.get(options),
    ]) {
      const refused = await answered(401, post('/session', { passkey }));
      expect(refused.headers).not.to.have.property('set-cookie');
    }
    expect(answer.status).to.equal(201);
  });

  it('are added and removed by their person, soon after a sign-in', async () => {
    const { id, cookie } = await aPerson(on.waybill, { role: 'viewer', organisationId });
    const one = device();
    const { body: options } = await post('/passkeys/challenge', {}, cookie);
    const added = { name: 'Laptop', passkey: one.create(options) };
    await answered(201, post('/passkeys', added, cookie));
    await answered(409, post('/passkeys', added, cookie));
    const { body } = await on.waybill.call('GET', '/console/passkeys', { cookie });
    expect(body.passkeys.map(({ name }: Json) => name)).to.deep.equal(['Laptop']);
    expect((await signIn(one)).body.id).to.equal(id);
    const [{ id: passkeyId }] = body.passkeys;
    const other = await aPerson(on.waybill, { role: 'owner', organisationId });
    const path = `/passkeys/${passkeyId}/remove`;
    await answered(404, post(path, {}, other.cookie));
    await answered(200, post(path, {}, cookie));
    await answered(401, signIn(one));
    on.waybill.clock.advance(15 * MINUTE_MS + 1);
    for (const [to, sent] of [
      ['/passkeys/challenge', {}],
      ['/passkeys', added],
    ] as const) {
      const late = await post(to, sent, cookie);
      expect([late.status, late.body.code]).to.deep.equal([403, 'SIGN_IN_AGAIN']);
    }
  });

  it('are changed 120 times a minute: 429', async () => {
    const { cookie } = await aPerson(on.waybill, { role: 'viewer', organisationId });
    const remove = () => post('/passkeys/pky_none/remove', {}, cookie);
    const answers = await Promise.all(Array.from({ length: 125 }, remove));
    const refused = answers.filter(({ status }) => status !== 404);
    expect(new Set(refused.map(({ status }) => status))).to.deep.equal(new Set([429]));
    on.waybill.clock.advance(MINUTE_MS);
    expect((await remove()).status).to.equal(404);
  });

  it('are made for their own person alone', async () => {
    const mia = await aPerson(on.waybill, { role: 'viewer', organisationId });
    const max = await aPerson(on.waybill, { role: 'owner', organisationId });
    const { body: options } = await post('/passkeys/challenge', {}, mia.cookie);
    const passkey = device().create(options);
    expect((await post('/passkeys', { name: 'x', passkey }, max.cookie)).status).to.equal(401);
  });

  it('of a suspended person do not sign in', async () => {
    const { id, one } = await withPasskey();
    await on.waybill.admin('POST', `/people/${id}/suspend`);
    expect((await signIn(one)).status).to.equal(401);
    await on.waybill.admin('POST', `/people/${id}/reinstate`);
    expect((await signIn(one)).status).to.equal(201);
  });

  it('are of people alone, and of the console’s page', async () => {
    const root = cookieOf(await post('/session', { credential: ADMIN_TOKEN }));
    const refused = await post('/passkeys/challenge', {}, root);
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'PERSON_REQUIRED']);
    expect((await post('/passkeys/challenge', {})).status).to.equal(401);
    const path = '/console/session/challenge';
    expect((await on.waybill.call('POST', path, { body: {} })).status).to.equal(401);
  });
});
