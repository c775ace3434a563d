import { expect } from 'chai';
import { answered, refusedWith } from '../../support/answered.ts';
import { accept, aPerson, invite, PASSWORD, signInWith } from '../../support/people.ts';
import { cookieOf } from '../../support/session.ts';
import { fieldErrorsOf, useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { type Json, openTenant, type Tenant } from '../../support/waybill.ts';

const HOUR_MS = 3_600_000;

describe('People @long', () => {
  const on = useWaybill();
  let tenant: Tenant;
  let organisationId: string;
  before(async () => {
    tenant = await openTenant(on.waybill, { number: false });
    organisationId = tenant.organisationId;
  });
  const as = (cookie: string, method: string, path: string, body?: Json) =>
    on.waybill.call(method, path, { cookie, ...(body && { body }) });
  const shown = (cookie: string) => as(cookie, 'GET', '/console/session');

  it('are invited with a link that works once, and sign in with e-mail and password', async () => {
    const draft = { name: 'Mia', email: 'Mia@Shop.example', role: 'agent', organisationId };
    const { link, ...person } = await invite(on.waybill, draft);
    expect(person).to.deep.include({ name: 'Mia', email: 'mia@shop.example', state: 'invited' });
    const short = await accept(on.waybill, link, 'too short');
    expect(fieldErrorsOf(short)).to.deep.equal(['password']);
    const accepted = await answered(201, accept(on.waybill, link));
    expect(accepted.body).to.deep.include({ kind: 'person', name: 'Mia', role: 'agent' });
    expect(accepted.body.accounts.map(({ id }: Json) => id)).to.deep.equal([tenant.accountId]);
    await answered(401, accept(on.waybill, link));
    await answered(201, signInWith(on.waybill, 'MIA@shop.example'));
    const wrong = signInWith(on.waybill, 'mia@shop.example', `${PASSWORD}!`);
    const unknown = await answered(401, signInWith(on.waybill, 'max@shop.example'));
    expect((await answered(401, wrong)).body).to.deep.equal(unknown.body);
  });

  it('are sealed in the log: name, e-mail and password are nowhere in clear', async () => {
    const zelda = { name: 'Zelda Quist', email: 'zelda.quist@shop.example', role: 'manager' };
    const person = await aPerson(on.waybill, { ...zelda, organisationId });
    const ugo = { name: 'Ugo Finch', email: 'ugo.finch@shop.example', role: 'viewer' };
    await as(person.cookie, 'POST', '/v1/people', ugo);
    const { events } = await on.waybill.sealed.readAll('', 1000);
    const text = JSON.stringify(events);
    for (const word of ['Zelda', 'zelda.quist', 'Ugo Finch', 'ugo.finch', 'scrypt']) {
      expect(text, word).not.to.contain(word);
    }
    const [invited] = await on.waybill.events(`person-${person.id}`);
    expect(invited!.data).to.deep.include({ name: 'Zelda Quist' });
  });

  it('have 72 hours for an invitation, and a later one takes its place', async () => {
    const { id, link } = await invite(on.waybill, { role: 'viewer', organisationId });
    const again = async () =>
      (await on.waybill.admin('POST', `/people/${id}/invitation`)).body.link;
    const later = await again();
    await answered(401, accept(on.waybill, link));
    on.waybill.clock.advance(72 * HOUR_MS);
    await answered(401, accept(on.waybill, later));
    const last = await again();
    on.waybill.clock.advance(72 * HOUR_MS - 1);
    await answered(201, accept(on.waybill, last));
  });

  it('of an organisation see its people alone, and give no role above their own', async () => {
    const other = await openTenant(on.waybill, { number: false });
    const ofOther = { role: 'viewer', organisationId: other.organisationId };
    const stranger = await invite(on.waybill, ofOther);
    const manager = await aPerson(on.waybill, { role: 'manager', organisationId });
    const owner = await aPerson(on.waybill, { role: 'owner', organisationId });
    const { body } = await as(manager.cookie, 'GET', '/v1/people');
    const ids = body.people.map(({ id }: Json) => id);
    expect(ids).to.include.members([manager.id, owner.id]).and.not.include(stranger.id);
    for (const [method, path, change] of [
      ['GET', '', undefined],
      ['PATCH', '', { role: 'agent' }],
      ['POST', '/suspend', {}],
      ['POST', '/invitation', {}],
      ['DELETE', '/sessions', undefined],
    ] as const) {
      const target = `/v1/people/${stranger.id}${path}`;
      await answered(404, as(manager.cookie, method, target, change), `${method} ${path}`);
    }
    const draft = { name: 'Boss', email: 'boss@shop.example', role: 'owner' };
    const post = (who: Json, path: string, body: Json) =>
      as(who.cookie, 'POST', `/v1/people${path}`, body);
    await refusedWith(403, 'ROLE_TOO_HIGH', post(manager, '', draft));
    await refusedWith(403, 'ROLE_TOO_HIGH', post(manager, `/${owner.id}/suspend`, {}));
    await answered(201, post(owner, '', draft));
    await answered(400, post(owner, '', { ...draft, email: 'op@shop.example', role: 'admin' }));
  });

  it('with several accounts say which is meant, and reach no others', async () => {
    const path = `/organisations/${organisationId}/accounts`;
    const { body: second } = await on.waybill.admin('POST', path, { name: 'Second' });
    const other = await openTenant(on.waybill, { number: false });
    const { cookie } = await aPerson(on.waybill, { role: 'manager', organisationId });
    const read = (account: string, by = cookie) => {
      const headers = { 'X-Waybill-Account': account };
      return on.waybill.call('GET', '/v1/credits', { cookie: by, headers });
    };
    const unsaid = await refusedWith(400, 'ACCOUNT_REQUIRED', as(cookie, 'GET', '/v1/credits'));
    expect(unsaid.headers['ratelimit-limit']).to.equal('600');
    await answered(200, read(second.id));
    await answered(404, read(other.accountId));
    const terms = { role: 'manager', organisationId, accounts: [second.id] };
    const limited = await aPerson(on.waybill, terms);
    await answered(200, as(limited.cookie, 'GET', '/v1/credits'));
    await answered(404, read(tenant.accountId, limited.cookie));
    const draft = { name: 'Lea', email: 'lea@shop.example', role: 'agent' };
    for (const [method, to, body] of [
      ['PATCH', `/${limited.id}`, { accounts: null }],
      ['POST', '', { ...draft, accounts: null }],
      ['POST', '', { ...draft, accounts: [tenant.accountId] }],
    ] as const) {
      const refused = as(limited.cookie, method, `/v1/people${to}`, body);
      await refusedWith(403, 'ROLE_TOO_HIGH', refused);
    }
    const invited = await answered(201, as(limited.cookie, 'POST', '/v1/people', draft));
    expect(invited.body.accounts).to.deep.equal([second.id]);
  });

  it('who are suspended are signed out, and in again only once reinstated', async () => {
    const { id, email, cookie } = await aPerson(on.waybill, { role: 'manager', organisationId });
    await on.waybill.admin('POST', `/people/${id}/suspend`);
    await answered(401, as(cookie, 'GET', '/v1/people'));
    expect((await shown(cookie)).body).to.equal(null);
    await answered(401, signInWith(on.waybill, email));
    await on.waybill.admin('POST', `/people/${id}/reinstate`);
    await answered(201, signInWith(on.waybill, email));
  });

  it('have a new role at once in sessions that are open', async () => {
    const { id, cookie } = await aPerson(on.waybill, { role: 'manager', organisationId });
    await answered(200, as(cookie, 'GET', '/v1/people'));
    await on.waybill.admin('PATCH', `/people/${id}`, { role: 'viewer' });
    await refusedWith(403, 'INSUFFICIENT_SCOPE', as(cookie, 'GET', '/v1/people'));
  });

  it('show their open sessions, which another may end', async () => {
    const { id, email, cookie } = await aPerson(on.waybill, { role: 'agent', organisationId });
    const second = cookieOf(await signInWith(on.waybill, email));
    const { body } = await on.waybill.admin('GET', `/people/${id}`);
    expect(body.sessions).to.have.length(2);
    await answered(200, on.waybill.admin('DELETE', `/people/${id}/sessions`));
    await untilTrue('the end of both', async () => {
      const found = await Promise.all([cookie, second].map(shown));
      return found.every(({ body: one }) => one === null);
    });
  });

  it('of the operators administer, and are named in what they do', async () => {
    const ada = { name: 'Ada', email: 'ada@operator.example' };
    const { id, cookie } = await aPerson(on.waybill, { ...ada, role: 'admin' });
    const name = { name: 'By Ada' };
    const made = await answered(201, as(cookie, 'POST', '/admin/v1/organisations', name));
    const [created] = await on.waybill.events(`organisation-${made.body.id}`);
    expect(created!.meta.by).to.deep.equal({ id });
    const { body } = await on.waybill.admin('GET', '/actions?limit=1');
    expect(body.actions[0].by).to.deep.equal({ id, ...ada });
    const path = `/admin/v1/accounts/${tenant.accountId}/credits/grant`;
    const grant = await as(cookie, 'POST', path, { amount: 5 });
    expect(grant.body.grantedBy).to.deep.include({ id, name: 'Ada' });
    await answered(401, as(cookie, 'GET', '/v1/credits'));
  });

  it('are erased when they leave: who did it is a former person, and the e-mail is free again', async () => {
    const draft = { name: 'Quentin Ash', email: 'quentin.ash@operator.example', role: 'admin' };
    const { id, cookie } = await aPerson(on.waybill, draft);
    const made = await as(cookie, 'POST', '/admin/v1/organisations', { name: 'By Quentin' });
    const reason = { reason: 'Left' };
    const asked = await answered(202, on.waybill.admin('POST', `/people/${id}/erase`, reason));
    expect((await shown(cookie)).body).to.equal(null);
    await answered(401, signInWith(on.waybill, draft.email));
    await untilTrue('the erasure', async () => {
      const { body } = await on.waybill.admin('GET', `/erasures/${asked.body.id}`);
      return body.state === 'done';
    });
    const { body: person } = await on.waybill.admin('GET', `/people/${id}`);
    expect(person).to.deep.include({ name: null, email: null, state: 'erased' });
    const actionOn = async (subject: string, type: string): Promise<Json> => {
      const { body } = await on.waybill.admin('GET', '/actions?limit=100');
      return body.actions.find((one: Json) => one.subject === subject && one.type === type);
    };
    const creation = () => actionOn(made.body.id, 'OrganisationCreated');
    const by = { id, name: 'a former person' };
    expect(await creation()).to.deep.include({ by, subjectName: 'By Quentin' });
    expect((await actionOn(id, 'PersonInvited')).subjectName).to.equal(by.name);
    const opened = JSON.stringify(await on.waybill.events(`person-${id}`));
    for (const word of ['Quentin', 'quentin.ash', 'scrypt']) expect(opened).not.to.contain(word);
    await answered(404, on.waybill.admin('POST', `/people/${id}/reinstate`));
    const again = await invite(on.waybill, { ...draft, name: 'Quentin B.' });
    expect(again).to.deep.include({ name: 'Quentin B.', state: 'invited' });
    await answered(201, accept(on.waybill, again.link));
    // A new person: what the one before did stays by a former person.
    expect(again.id).not.to.equal(id);
    const signedIn = await signInWith(on.waybill, draft.email);
    expect(signedIn.body).to.deep.include({ id: again.id, name: 'Quentin B.' });
    await answered(409, on.waybill.admin('POST', '/people', draft));
    expect((await creation()).by).to.deep.equal(by);
  });

  it('cannot be guessed for ever: 120 times a minute for one e-mail', async () => {
    const { email } = await aPerson(on.waybill, { role: 'viewer', organisationId });
    const guesses = Array.from({ length: 130 }, () => signInWith(on.waybill, email, 'a guess 123'));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([401, 429]));
    await answered(429, signInWith(on.waybill, email));
    on.waybill.clock.advance(60_000);
    await answered(201, signInWith(on.waybill, email));
  });

  it('of a suspended organisation do not sign in: 403', async () => {
    const { organisationId: of } = await openTenant(on.waybill, { number: false });
    const { email, cookie } = await aPerson(on.waybill, { role: 'owner', organisationId: of });
    await on.waybill.admin('POST', `/organisations/${of}/suspend`, {});
    await answered(403, signInWith(on.waybill, email));
    await answered(403, as(cookie, 'GET', '/v1/credits'));
  });
});
