import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
import { eraseContact } from '../../support/privacy/erase.ts';
import { customerWrites, notified, notify, useTenant } from '../../support/surface.ts';
import { type Json, providerAccepts, statusPayload } from '../../support/waybill.ts';

const CONTACT = '919812345678';
const OTHER = '4915112345678';

describe('A contact that is erased @long', () => {
  const on = useTenant({ templates: ['order_shipped'] });
  const get = (path: string) => bodyOf(200, on.call('GET', path));
  const erase = () => eraseContact(on.waybill, CONTACT, on.tenant.accountId);
  /** A message in each direction, and a status. */
  const talk = async (): Promise<{ sent: string; received: string }> => {
    const { messageId: sent } = (await notified(on.waybill, on.tenant)).body;
    await on.waybill.webhook(statusPayload(on.tenant, { id: sent, status: 'delivered' }));
    const received = await customerWrites(on.waybill, on.tenant);
    await on.waybill.settled();
    return { sent, received };
  };
  const exporting = (id: string, accountId = on.tenant.accountId) =>
    on.waybill.admin('GET', `/contacts/${id}/export?accountId=${accountId}`);
  const exported = (id = CONTACT) => bodyOf(200, exporting(id));

  it('is gone from histories, and the books stay', async () => {
    const { sent } = await talk();
    const balance = await get('/v1/credits');
    const { found } = await erase();
    expect(found).to.include({ messages: 2, conversations: 1, runs: 0, deadLetters: 0 });
    // The charge, the record of the message with its id, and the inbound message.
    expect(found.events).to.equal(3);
    const [inbound, outbound] = (await get('/v1/messages')).messages;
    const nameless = { erased: true, id: null, metaMessageId: null, text: null, content: null };
    expect(inbound).to.include({ ...nameless, senderWaId: null, contactName: null });
    expect(outbound).to.include({ ...nameless, recipientWaId: null });
    expect(outbound).to.include({ status: 'delivered', event: 'order_shipped' });
    const transactions = balance.transactions.map((row: Json) =>
      row.messageId === sent ? { ...row, messageId: null } : row,
    );
    expect(await get('/v1/credits')).to.deep.equal({ ...balance, transactions });
  });

  it('is exported with the stored answers of requests, which count in what was found', async () => {
    const headers = { 'idempotency-key': 'k' };
    const { ids } = providerAccepts(on.tenant, 3);
    const send = () => notify(on.waybill, on.tenant, {}, headers);
    const { body: single } = await send();
    await send();
    const recipients = [OTHER, CONTACT].map((to) => ({ to: `+${to}` }));
    const both = { event: 'order_shipped', recipients };
    await on.call('POST', '/v1/notifications/send/batch', both, headers);
    await on.waybill.settled();
    const [own] = (await exported()).accounts;
    const [batch, answer, ...others] = own.answers;
    expect(others).to.deep.equal([]);
    expect(answer).to.deep.include({ status: 200, body: single });
    expect(single.messageId).to.equal(ids[0]);
    expect(batch.body.results.map(({ to }: Json) => to)).to.deep.equal([`+${CONTACT}`]);
    expect(JSON.stringify(own)).not.to.include(OTHER);
    // Two charges, two records of messages and two answers.
    expect((await erase()).found).to.include({ messages: 2, events: 6 });
    const [other] = (await exported(OTHER)).accounts;
    // What it shared with the erased contact is erased.
    expect(other.answers).to.deep.equal([]);
  });

  it('is exported whole before, and as nothing after', async () => {
    const { sent, received } = await talk();
    const all = await exported();
    expect(all.contact).to.equal(CONTACT);
    const [own] = all.accounts;
    expect(own.accountId).to.equal(on.tenant.accountId);
    expect(own.messages.map(({ id }: Json) => id)).to.deep.equal([received, sent]);
    expect(own.messages[0]).to.include({ senderWaId: CONTACT, text: 'Hello' });
    expect(own.conversations).to.have.length(1);
    expect(await exported(`+${CONTACT}`)).to.deep.equal(all);
    await erase();
    expect(await exported()).to.deep.equal({ contact: CONTACT, accounts: [] });
    await answered(404, exporting(CONTACT, 'acc_none'));
  });
});
