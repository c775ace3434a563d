import { expect } from 'chai';
import { answered, bodyOf, refusedWith } from '../../support/answered.ts';
import { aPerson, invite } from '../../support/people.ts';
import { eraseContact } from '../../support/privacy/erase.ts';
import { conversationOf, customerWrites, threadOf, useTenant } from '../../support/surface.ts';
import { type Json, openTenant, type Tenant } from '../../support/waybill.ts';

const FIRST = '919812345678';
const SECOND = '447700900123';

describe('Care of conversations @long', () => {
  const on = useTenant({ once: true });
  let mia: Json;
  let max: Json;
  const paths: Record<string, string> = {};

  before(async () => {
    const { organisationId } = on.tenant;
    mia = await aPerson(on.waybill, { name: 'Mia', role: 'agent', organisationId });
    max = await aPerson(on.waybill, { name: 'Max', role: 'agent', organisationId });
    for (const from of [FIRST, SECOND]) {
      await customerWrites(on.waybill, on.tenant, { from });
      const id = await conversationOf(on.waybill, on.tenant, from);
      paths[from] = `/v1/conversations/${encodeURIComponent(id)}`;
    }
  });

  const as = (cookie: string, method: string, path: string, body?: Json) =>
    on.waybill.call(method, path, { cookie, ...(body && { body }) });
  const list = async (query: string, { cookie } = mia): Promise<Json[]> =>
    (await bodyOf(200, as(cookie, 'GET', `/v1/conversations?${query}`))).conversations;
  const ofContact = async (waId: string, who = mia): Promise<Json> =>
    (await list('', who)).find(({ contact }) => contact?.waId === waId);
  const sealedLog = async () => JSON.stringify((await on.waybill.sealed.readAll('', 1000)).events);
  const numbers = async (query: string, who = mia) =>
    (await list(query, who)).map(({ contact }) => contact.waId);
  const assign = (who: Json, personId: string | null, from = FIRST) =>
    as(who.cookie, 'POST', `${paths[from]}/assign`, { personId });

  it('assigns one to a person, whose name all see', async () => {
    await answered(200, assign(mia, mia.id));
    const { assigned } = await ofContact(FIRST);
    expect(assigned).to.deep.equal({ id: mia.id, name: 'Mia', email: mia.email });
    expect(await numbers('assigned=me')).to.deep.equal([FIRST]);
    expect(await numbers('assigned=me', max)).to.deep.equal([]);
    expect(await numbers(`assigned=${mia.id}`, max)).to.deep.equal([FIRST]);
    expect(await numbers('assigned=none')).to.deep.equal([SECOND]);
    const thread = await threadOf(on.waybill, on.tenant, FIRST);
    const before = (await on.waybill.events(thread)).length;
    await assign(mia, mia.id);
    expect((await on.waybill.events(thread)).length).to.equal(before);
    await assign(max, null);
    expect(await numbers('assigned=me')).to.deep.equal([]);
  });

  it('assigns none to a stranger, to one without the account, or to a suspended person', async () => {
    const other = await openTenant(on.waybill, { number: false });
    const agentOf = ({ organisationId }: Tenant) =>
      aPerson(on.waybill, { role: 'agent', organisationId });
    const stranger = await agentOf(other);
    const gone = await agentOf(on.tenant);
    await on.waybill.admin('POST', `/people/${gone.id}/suspend`);
    for (const id of [stranger.id, gone.id, 'per_nobody']) {
      await answered(404, assign(mia, id), id);
    }
    await answered(404, assign(stranger, stranger.id));
  });

  it('lists what waits: where the customer has the last word', async () => {
    expect(await numbers('waiting=true')).to.have.members([FIRST, SECOND]);
    expect(await numbers('waiting=false')).to.deep.equal([]);
  });

  it('labels one, and finds it by a whole label', async () => {
    const labels = ['VIP', 'Refund', 'VIP'];
    await answered(200, as(mia.cookie, 'POST', `${paths[SECOND]}/labels`, { labels }));
    expect(await numbers('label=vip')).to.deep.equal([SECOND]);
    expect(await numbers('label=VI')).to.deep.equal([]);
    const [second] = await list('label=refund');
    expect(second.labels).to.deep.equal(['VIP', 'Refund']);
    await customerWrites(on.waybill, on.tenant, { from: SECOND });
    expect(await numbers('label=vip')).to.deep.equal([SECOND]);
    await as(mia.cookie, 'POST', `${paths[SECOND]}/labels`, { labels: [] });
    expect(await numbers('label=vip')).to.deep.equal([]);
  });

  it('notes what the others should know, with who noted it', async () => {
    const noting = as(mia.cookie, 'POST', `${paths[FIRST]}/notes`, { text: 'Called back' });
    const made = await answered(201, noting);
    expect(made.body.by).to.deep.include({ id: mia.id, name: 'Mia' });
    const { body } = await as(max.cookie, 'GET', `${paths[FIRST]}/notes`);
    expect(body.notes.map(({ text }: Json) => text)).to.deep.equal(['Called back']);
    expect(await sealedLog()).not.to.contain('Called back');
  });

  it('names who took one from the bots', async () => {
    await as(mia.cookie, 'POST', `${paths[FIRST]}/handoff`, { minutes: 60 });
    const { handoff } = await ofContact(FIRST);
    expect(handoff.person).to.deep.include({ id: mia.id, name: 'Mia' });
    await as(mia.cookie, 'DELETE', `${paths[FIRST]}/handoff`);
  });

  it('keeps quick replies of the account, sealed in the log', async () => {
    const add = (name: string, text = 'We are here from 9 to 18.') =>
      as(mia.cookie, 'POST', '/v1/quick-replies', { name, text });
    const made = await answered(201, add('Hours'));
    expect((await add('hours')).status).to.equal(409);
    const { id } = made.body;
    const path = `/v1/quick-replies/${id}`;
    const changed = await as(max.cookie, 'PATCH', path, { text: 'Closed today.' });
    expect(changed.body).to.deep.include({ name: 'Hours', text: 'Closed today.' });
    const renamed = await as(max.cookie, 'PATCH', path, { name: 'Times' });
    expect(renamed.body).to.deep.include({ name: 'Times', text: 'Closed today.' });
    const { body } = await as(max.cookie, 'GET', '/v1/quick-replies');
    expect(body.quickReplies).to.deep.equal([renamed.body]);
    expect(await sealedLog())
      .not.to.contain('here from 9')
      .and.not.to.contain('Closed today');
    await as(mia.cookie, 'DELETE', path);
    expect((await as(mia.cookie, 'GET', '/v1/quick-replies')).body.quickReplies).to.deep.equal([]);
  });

  it('loses labels and notes with the data of the customer', async () => {
    await as(mia.cookie, 'POST', `${paths[FIRST]}/labels`, { labels: ['angry'] });
    await as(mia.cookie, 'POST', `${paths[FIRST]}/notes`, { text: 'Zelda, of course' });
    await eraseContact(on.waybill, FIRST);
    const { body } = await as(mia.cookie, 'GET', `${paths[FIRST]}/notes`);
    expect(body.notes).to.have.length(2);
    for (const note of body.notes) expect(note).to.include({ text: null, erased: true });
    expect(await numbers('label=angry')).to.deep.equal([]);
    const again = as(mia.cookie, 'POST', `${paths[FIRST]}/notes`, { text: 'More' });
    await refusedWith(410, 'ERASED', again);
  });

  it('gives one to a colleague: agents know those who may take it, by name alone', async () => {
    const { organisationId } = on.tenant;
    const path = `/organisations/${organisationId}/accounts`;
    const elsewhere = await on.waybill.admin('POST', path, { name: 'Elsewhere' });
    const whole = { accounts: [on.tenant.accountId], organisationId };
    const ravi = await aPerson(on.waybill, { ...whole, name: 'Ravi', role: 'manager' });
    const asAgent = { ...whole, role: 'agent' };
    const nia = await aPerson(on.waybill, { ...asAgent, name: 'Nia' });
    const gone = await aPerson(on.waybill, { ...asAgent, name: 'Gone' });
    await on.waybill.admin('POST', `/people/${gone.id}/suspend`);
    await invite(on.waybill, { ...asAgent, name: 'Not yet' });
    for (const role of ['developer', 'viewer']) await aPerson(on.waybill, { ...whole, role });
    const accounts = [elsewhere.body.id];
    await aPerson(on.waybill, { organisationId, accounts, role: 'agent' });
    const answer = await answered(200, as(nia.cookie, 'GET', '/v1/assignees'));
    const known = answer.body.assignees.filter(({ id }: Json) => ![mia.id, max.id].includes(id));
    expect(known).to.deep.equal([
      { id: nia.id, name: 'Nia' },
      { id: ravi.id, name: 'Ravi' },
    ]);
    await answered(200, assign(nia, ravi.id, SECOND));
    const ofSecond = () => ofContact(SECOND, nia);
    const { assigned, assignedBy } = await ofSecond();
    expect([assigned.name, assignedBy.name]).to.deep.equal(['Ravi', 'Nia']);
    const { body } = await on.waybill.admin('GET', '/actions?limit=1');
    const [{ type, by, subject }] = body.actions;
    expect([type, by.name, subject]).to.deep.equal(['ConversationAssigned', 'Nia', ravi.id]);
    // It stays with him, whoever gave it, whatever the customer writes.
    await customerWrites(on.waybill, on.tenant, { from: SECOND });
    expect((await ofSecond()).assignedBy.name).to.equal('Nia');
    await assign(ravi, null, SECOND);
    await assign(ravi, ravi.id, SECOND);
    expect((await ofSecond()).assignedBy).to.equal(null);
  });
});
