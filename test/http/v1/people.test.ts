import { expect } from 'chai';
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
    const { link, ...person } = await invite(on.waybill, {
      name: 'Mia',
      email: 'Mia@Shop.example',
      role: 'agent',
      organisationId,
    });
    expect(person).to.deep.include({ name: 'Mia', email: 'mia@shop.example', state: 'invited' });
    const short = await accept(on.waybill, link, 'too short');
    expect([short.status, fieldErrorsOf(short)]).to.deep.equal([400, ['password']]);
    const accepted = await accept(on.waybill, link);
    expect(accepted.status).to.equal(201);
    expect(accepted.body).to.deep.include({ kind: 'person', name: 'Mia', role: 'agent' });
    expect(accepted.body.accounts.map(({ id }: Json) => id)).to.deep.equal([tenant.accountId]);
    expect((await accept(on.waybill, link)).status).to.equal(401);
    expect((await signInWith(on.waybill, 'MIA@shop.example')).status).to.equal(201);
    const wrong = await signInWith(on.waybill, 'mia@shop.example', `${PASSWORD}!`);
    const unknown = await signInWith(on.waybill, 'max@shop.example');
    expect([wrong.status, unknown.status]).to.deep.equal([401, 401]);
    expect(wrong.body).to.deep.equal(unknown.body);
  });

  it('are sealed in the log: name, e-mail and password are nowhere in clear', async () => {
    const person = await aPerson(on.waybill, {
      name: 'Zelda Quist',
      email: 'zelda.quist@shop.example',
      role: 'manager',
      organisationId,
    });
    await as(person.cookie, 'POST', '/v1/people', {
      name: 'Ugo Finch',
      email: 'ugo.finch@shop.example',
      role: 'viewer',
    });
    const events = await on.waybill.sealed.readAll('', 1000);
    const text = JSON.stringify(events.events);
    for (const word of ['Zelda', 'zelda.quist', 'Ugo Finch', 'ugo.finch', 'scrypt']) {
      expect(text, word).not.to.contain(word);
    }
    const [invited] = await on.waybill.events(`person-${person.id}`);
    expect(invited!.data).to.deep.include({ name: 'Zelda Quist' });
  });

  it('have 72 hours for an invitation, and a later one takes its place', async () => {
    const { id, link } = await invite(on.waybill, { role: 'viewer', organisationId });
    const { body: later } = await on.waybill.admin('POST', `/people/${id}/invitation`);
    expect((await accept(on.waybill, link)).status).to.equal(401);
    on.waybill.clock.advance(72 * HOUR_MS);
    expect((await accept(on.waybill, later.link)).status).to.equal(401);
    const { body: last } = await on.waybill.admin('POST', `/people/${id}/invitation`);
    on.waybill.clock.advance(72 * HOUR_MS - 1);
    expect((await accept(on.waybill, last.link)).status).to.equal(201);
  });

  it('of an organisation see its people alone, and give no role above their own', async () => {
    const other = await openTenant(on.waybill, { number: false });
    const stranger = await invite(on.waybill, {
      role: 'viewer',
      organisationId: other.organisationId,
    });
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
      const { status } = await as(
        manager.cookie,
        method,
        `/v1/people/${stranger.id}${path}`,
        change,
      );
      expect(status, `${method} ${path}`).to.equal(404);
    }
    const draft = { name: 'Boss', email: 'boss@shop.example', role: 'owner' };
    const tooHigh = await as(manager.cookie, 'POST', '/v1/people', draft);
    expect([tooHigh.status, tooHigh.body.code]).to.deep.equal([403, 'ROLE_TOO_HIGH']);
    const taken = await as(manager.cookie, 'POST', `/v1/people/${owner.id}/suspend`, {});
    expect([taken.status, taken.body.code]).to.deep.equal([403, 'ROLE_TOO_HIGH']);
    expect((await as(owner.cookie, 'POST', '/v1/people', draft)).status).to.equal(201);
    const operator = { ...draft, email: 'op@shop.example', role: 'admin' };
    expect((await as(owner.cookie, 'POST', '/v1/people', operator)).status).to.equal(400);
  });

  it('with several accounts say which is meant, and reach no others', async () => {
    const path = `/organisations/${organisationId}/accounts`;
    const { body: second } = await on.waybill.admin('POST', path, { name: 'Second' });
    const other = await openTenant(on.waybill, { number: false });
    const { cookie } = await aPerson(on.waybill, { role: 'manager', organisationId });
    const read = (account?: string) =>
      on.waybill.call('GET', '/v1/credits', {
        cookie,
        ...(account && { headers: { 'X-Waybill-Account': account } }),
      });
    const unsaid = await read();
    expect([unsaid.status, unsaid.body.code]).to.deep.equal([400, 'ACCOUNT_REQUIRED']);
    expect(unsaid.headers['ratelimit-limit']).to.equal('600');
    expect((await read(second.id)).status).to.equal(200);
    expect((await read(other.accountId)).status).to.equal(404);
    const limited = await aPerson(on.waybill, {
      role: 'manager',
      organisationId,
      accounts: [second.id],
    });
    expect((await as(limited.cookie, 'GET', '/v1/credits')).status).to.equal(200);
    const asked = { cookie: limited.cookie, headers: { 'X-Waybill-Account': tenant.accountId } };
    expect((await on.waybill.call('GET', '/v1/credits', asked)).status).to.equal(404);
    const draft = { name: 'Lea', email: 'lea@shop.example', role: 'agent' };
    for (const [method, to, body] of [
      ['PATCH', `/${limited.id}`, { accounts: null }],
      ['POST', '', { ...draft, accounts: null }],
      ['POST', '', { ...draft, accounts: [tenant.accountId] }],
    ] as const) {
      const refused = await as(limited.cookie, method, `/v1/people${to}`, body);
      expect([refused.status, refused.body.code]).to.deep.equal([403, 'ROLE_TOO_HIGH']);
    }
    const invited = await as(limited.cookie, 'POST', '/v1/people', draft);
    expect([invited.status, invited.body.accounts]).to.deep.equal([201, [second.id]]);
  });

  it('who are suspended are signed out, and in again only once reinstated', async () => {
    const { id, email, cookie } = await aPerson(on.waybill, { role: 'manager', organisationId });
    await on.waybill.admin('POST', `/people/${id}/suspend`);
    expect((await as(cookie, 'GET', '/v1/people')).status).to.equal(401);
    expect((await shown(cookie)).body).to.equal(null);
    expect((await signInWith(on.waybill, email)).status).to.equal(401);
    await on.waybill.admin('POST', `/people/${id}/reinstate`);
    expect((await signInWith(on.waybill, email)).status).to.equal(201);
  });

  it('have a new role at once in sessions that are open', async () => {
    const { id, cookie } = await aPerson(on.waybill, { role: 'manager', organisationId });
    expect((await as(cookie, 'GET', '/v1/people')).status).to.equal(200);
    await on.waybill.admin('PATCH', `/people/${id}`, { role: 'viewer' });
    const refused = await as(cookie, 'GET', '/v1/people');
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
  });

  it('show their open sessions, which another may end', async () => {
    const { id, email, cookie } = await aPerson(on.waybill, { role: 'agent', organisationId });
    const second = cookieOf(await signInWith(on.waybill, email));
    const { body } = await on.waybill.admin('GET', `/people/${id}`);
    expect(body.sessions).to.have.length(2);
    expect((await on.waybill.admin('DELETE', `/people/${id}/sessions`)).status).to.equal(200);
    await untilTrue('the end of both', async () => {
      const found = await Promise.all([cookie, second].map(shown));
      return found.every(({ body: one }) => one === null);
    });
  });

  it('of the operators administer, and are named in what they do', async () => {
    const { id, cookie } = await aPerson(on.waybill, {
      name: 'Ada',
      email: 'ada@operator.example',
      role: 'admin',
    });
    const made = await as(cookie, 'POST', '/admin/v1/organisations', { name: 'By Ada' });
    expect(made.status).to.equal(201);
    const [created] = await on.waybill.events(`organisation-${made.body.id}`);
    expect(created!.meta.by).to.deep.equal({ id });
    const { body } = await on.waybill.admin('GET', '/actions?limit=1');
    expect(body.actions[0].by).to.deep.equal({ id, name: 'Ada', email: 'ada@operator.example' });
    const grant = await as(cookie, 'POST', `/admin/v1/accounts/${tenant.accountId}/credits/grant`, {
      amount: 5,
    });
    expect(grant.body.grantedBy).to.deep.include({ id, name: 'Ada' });
    expect((await as(cookie, 'GET', '/v1/credits')).status).to.equal(401);
  });

  it('are erased when they leave: who did it is a former person, and the e-mail is free again', async () => {
    const draft = { name: 'Quentin Ash', email: 'quentin.ash@operator.example', role: 'admin' };
    const { id, cookie } = await aPerson(on.waybill, draft);
    const made = await as(cookie, 'POST', '/admin/v1/organisations', { name: 'By Quentin' });
    const asked = await on.waybill.admin('POST', `/people/${id}/erase`, { reason: 'Left' });
    expect(asked.status).to.equal(202);
    expect((await shown(cookie)).body).to.equal(null);
    expect((await signInWith(on.waybill, draft.email)).status).to.equal(401);
    await untilTrue('the erasure', async () => {
      const { body } = await on.waybill.admin('GET', `/erasures/${asked.body.id}`);
      return body.state === 'done';
    });
    const { body: person } = await on.waybill.admin('GET', `/people/${id}`);
    expect(person).to.deep.include({ name: null, email: null, state: 'erased' });
    const { body } = await on.waybill.admin('GET', '/actions?limit=100');
    const action = body.actions.find(({ subject }: Json) => subject === made.body.id);
    expect(action.by).to.deep.equal({ id, name: 'a former person' });
    expect(action.subjectName).to.equal('By Quentin');
    const invited = body.actions.find(
      ({ type, subject }: Json) => type === 'PersonInvited' && subject === id,
    );
    expect(invited.subjectName).to.equal('a former person');
    const opened = JSON.stringify(await on.waybill.events(`person-${id}`));
    for (const word of ['Quentin', 'quentin.ash', 'scrypt']) expect(opened).not.to.contain(word);
    expect((await on.waybill.admin('POST', `/people/${id}/reinstate`)).status).to.equal(404);
    const again = await invite(on.waybill, { ...draft, name: 'Quentin B.' });
    expect(again).to.deep.include({ name: 'Quentin B.', state: 'invited' });
    expect((await accept(on.waybill, again.link)).status).to.equal(201);
    // A new person: what the one before did stays by a former person.
    expect(again.id).not.to.equal(id);
    const signedIn = await signInWith(on.waybill, draft.email);
    expect(signedIn.body).to.deep.include({ id: again.id, name: 'Quentin B.' });
    const twice = await on.waybill.admin('POST', '/people', draft);
    expect(twice.status).to.equal(409);
    const { body: later } = await on.waybill.admin('GET', '/actions?limit=100');
    const same = later.actions.find(({ subject }: Json) => subject === made.body.id);
    expect(same.by).to.deep.equal({ id, name: 'a former person' });
  });

  it('cannot be guessed for ever: 120 times a minute for one e-mail', async () => {
    const { email } = await aPerson(on.waybill, { role: 'viewer', organisationId });
    const guesses = Array.from({ length: 130 }, () => signInWith(on.waybill, email, 'a guess 123'));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([401, 429]));
    const right = await signInWith(on.waybill, email);
    expect(right.status).to.equal(429);
    on.waybill.clock.advance(60_000);
    expect((await signInWith(on.waybill, email)).status).to.equal(201);
  });

  it('of a suspended organisation do not sign in: 403', async () => {
    const other = await openTenant(on.waybill, { number: false });
    const { email, cookie } = await aPerson(on.waybill, {
      role: 'owner',
      organisationId: other.organisationId,
    });
    await on.waybill.admin('POST', `/organisations/${other.organisationId}/suspend`, {});
    expect((await signInWith(on.waybill, email)).status).to.equal(403);
    expect((await as(cookie, 'GET', '/v1/credits')).status).to.equal(403);
  });
});
