import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import nock from 'nock';
import { fixedClock } from '../../support/ambient.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { eraseContact } from '../../support/privacy/erase.ts';
import { testServers } from '../../support/servers.ts';
import { customerWrites, notified, useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  type Json,
  onlyLoopback,
  openTenant,
  orderShipped,
  providerAccepts,
  startWaybill,
  statusPayload,
  type Tenant,
  type Waybill,
} from '../../support/waybill.ts';

const OTHER = '4915112345678';
let contacts = 0;

describe('A contact that is erased @long', () => {
  const on = useWaybill();
  let tenant: Tenant;
  let contact: string;
  let secrets: readonly string[];
  beforeEach(async () => {
    contacts += 1;
    contact = `9198123${40_000 + contacts}`;
    secrets = [contact, `Asha Quillfeather ${contacts}`, `where is my lampshade ${contacts}`];
    tenant = await openTenant(on.waybill, { templates: ['order_shipped'] });
  });
  const admin = (method: string, path: string, body?: Json) => on.waybill.admin(method, path, body);
  const get = async (path: string) =>
    (await on.waybill.call('GET', path, { token: tenant.apiKey })).body;
  const send = async (to: string): Promise<string> =>
    (await notified(on.waybill, tenant, { to: `+${to}` })).body.messageId;
  /** A message in each direction, and a status. */
  const talk = async (): Promise<{ sent: string; received: string }> => {
    const sent = await send(contact);
    const delivered = { id: sent, status: 'delivered', recipient: contact };
    await on.waybill.webhook(statusPayload(tenant, delivered));
    const [from, name, body] = secrets as [string, string, string];
    const received = await customerWrites(on.waybill, tenant, { from, name, body });
    await on.waybill.settled();
    return { sent, received };
  };
  const messages = async (): Promise<Json[]> => (await get('/v1/messages')).messages;
  const exported = async (id = contact): Promise<Json> =>
    (await admin('GET', `/contacts/${id}/export?accountId=${tenant.accountId}`)).body;
  /** Where the files of the service hold any of these texts. */
  const foundIn = (texts: readonly string[]): string[] =>
    readdirSync(on.waybill.directory).flatMap((file) => {
      const bytes = readFileSync(join(on.waybill.directory, file), 'latin1');
      return texts.filter((text) => bytes.includes(text)).map((text) => `${file}: ${text}`);
    });

  it('is gone from histories, conversations, filters and files, and the books stay', async () => {
    const { sent, received } = await talk();
    const kept = await send(OTHER);
    await on.waybill.settled();
    // On servers they lie in no file.
    if (!testServers()) {
      expect(foundIn(secrets), 'in the read models before').to.not.deep.equal([]);
    }
    const balance = await get('/v1/credits');
    const before = await messages();
    expect(before.map(({ id }) => id).sort()).to.deep.equal([sent, received, kept].sort());
    const { id: thread } = (await get('/v1/conversations')).conversations.find(
      ({ lastMessage }: Json) => lastMessage.id === received,
    );

    const { found } = await eraseContact(on.waybill, contact);
    expect(found).to.include({ messages: 2, conversations: 1, runs: 0, deadLetters: 0 });
    // The charge, the record of the message with its id, and the inbound message.
    expect(found.events).to.equal(3);

    const after = await messages();
    const of = (direction: string) =>
      after.find((one) => one.erased && one.direction === direction)!;
    const nameless = { id: null, metaMessageId: null, text: null, content: null };
    expect(of('outbound')).to.include({ ...nameless, recipientWaId: null });
    expect(of('outbound')).to.include({ status: 'delivered', event: 'order_shipped' });
    expect(of('inbound')).to.include({ ...nameless, senderWaId: null, contactName: null });
    expect(after.find(({ id }) => id === kept)).to.deep.equal(before.find(({ id }) => id === kept));
    expect(JSON.stringify(after)).to.not.include(contact);
    expect((await get(`/v1/messages?contact=${contact}`)).messages).to.deep.equal([]);
    const { conversations } = await get('/v1/conversations');
    const shown = conversations.find(({ id }: Json) => id === thread);
    expect(shown).to.include({ erased: true });
    expect(shown.lastMessage).to.include({ id: null, text: null });
    const transactions = balance.transactions.map((row: Json) =>
      row.messageId === sent ? { ...row, messageId: null } : row,
    );
    expect(await get('/v1/credits')).to.deep.equal({ ...balance, transactions });
    expect(foundIn(secrets)).to.deep.equal([]);
    const { body: verdict } = await admin('POST', '/ledger/verify', {});
    expect(verdict).to.include({ ok: true, problemCount: 0 });
  });

  it('is exported with the stored answers of requests, which count in what was found', async () => {
    const headers = { 'idempotency-key': 'k' };
    const ask = (path: string, body: Json) =>
      on.waybill.call('POST', path, { token: tenant.apiKey, body, headers });
    const { ids } = providerAccepts(tenant, 3);
    const send = () => ask('/v1/notifications/send', orderShipped({ to: `+${contact}` }));
    const { body: single } = await send();
    await send();
    const recipients = [`+${OTHER}`, `+${contact}`].map((to) => ({ to }));
    await ask('/v1/notifications/send/batch', { event: 'order_shipped', recipients });
    await on.waybill.settled();
    const [own] = (await exported()).accounts;
    const [batch, answer, ...others] = own.answers;
    expect(others).to.deep.equal([]);
    expect(answer).to.deep.include({ status: 200, body: single });
    expect(single.messageId).to.equal(ids[0]);
    expect(batch.body.results.map(({ to }: Json) => to)).to.deep.equal([`+${contact}`]);
    expect(JSON.stringify(own)).not.to.include(OTHER);
    const { found } = await eraseContact(on.waybill, contact);
    // Two charges, two records of messages and two answers.
    expect(found).to.include({ messages: 2, events: 6 });
    const [other] = (await exported(OTHER)).accounts;
    // What it shared with the erased contact is erased.
    expect(other.answers).to.deep.equal([]);
  });

  it('is exported whole before, and as nothing after', async () => {
    const { sent, received } = await talk();
    const all = await exported();
    expect(all.contact).to.equal(contact);
    const [own] = all.accounts;
    expect(own.accountId).to.equal(tenant.accountId);
    expect(own.messages.map(({ id }: Json) => id)).to.deep.equal([received, sent]);
    expect(own.messages[0]).to.include({ senderWaId: contact, text: secrets[2] });
    expect(own.conversations).to.have.length(1);
    expect(await exported(`+${contact}`)).to.deep.equal(all);
    await eraseContact(on.waybill, contact);
    expect(await exported()).to.deep.equal({ contact, accounts: [] });
    const nobody = await admin('GET', `/contacts/${contact}/export?accountId=acc_none`);
    expect(nobody.status).to.equal(404);
  });
});

describe('The months that an account does not keep @long', () => {
  before(onlyLoopback);
  after(() => nock.cleanAll());

  it('go when the service starts and finds them due, and no others', async () => {
    const folder = temporaryFolder();
    const clock = fixedClock();
    const first = await startWaybill({ directory: folder.path, clock });
    const tenant = await openTenant(first);
    const months = { contentRetentionMonths: 1 };
    await first.admin('PATCH', `/accounts/${tenant.accountId}/retention`, months);
    const write = (waybill: Waybill, body: string) => customerWrites(waybill, tenant, { body });
    await write(first, 'of November');
    clock.advance(12 * 24 * 3_600_000);
    await write(first, 'of December');
    await first.settled();
    await first.stop();

    clock.advance(31 * 24 * 3_600_000);
    const second = await startWaybill({ directory: folder.path, clock });
    const textsOf = async () => {
      const { body } = await second.call('GET', '/v1/messages', { token: tenant.apiKey });
      return body.messages.toReversed().map((one: Json) => [one.text, one.erased ?? false]);
    };
    await untilTrue('November has gone', async () => (await textsOf())[0]![1]);
    expect(await textsOf()).to.deep.equal([
      [null, true],
      ['of December', false],
    ]);
    const told = await second.events('destroyedkeys-all');
    expect(told.map(({ type, data }) => ({ type, data }))).to.deep.equal([
      { type: 'MonthsExpired', data: { accountId: tenant.accountId, through: '2026-11' } },
    ]);
    await second.stop();
    folder.remove();
  });
});
