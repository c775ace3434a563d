import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
import {
  conversationOf,
  customerWrites,
  messagesPayload,
  notified,
  useTenant,
} from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { type Json, providerAccepts, statusPayload } from '../../support/waybill.ts';

const CONTACT = '919812345678';
const isoOf = (time: number) => new Date(time).toISOString();

describe('Message history @long', () => {
  const on = useTenant({ templates: ['order_shipped', 'order_delivered'] });

  const get = (path: string) => bodyOf(200, on.call('GET', path));
  const list = (query = '') => get(`/v1/messages${query}`);
  const idsOf = ({ messages }: Json): string[] => messages.map(({ id }: Json) => id);
  const notify = async (change: Json = {}): Promise<string> =>
    (await notified(on.waybill, on.tenant, change)).body.messageId;
  const reply = async (change: Json = {}): Promise<string> => {
    providerAccepts(on.tenant);
    const text = { to: CONTACT, type: 'text', text: { body: 'Sure' }, ...change };
    return (await bodyOf(200, on.call('POST', '/v1/messages/send', text))).messageId;
  };
  const writes = (message: Json = {}) => customerWrites(on.waybill, on.tenant, message);

  it('shows an outbound message with every field', async () => {
    const id = await notify();
    const { messages, nextCursor } = await list();
    expect(nextCursor).to.equal(null);
    const [{ content, ...message }] = messages;
    const now = isoOf(on.waybill.clock.now());
    expect(message).to.deep.equal({
      id,
      metaMessageId: id,
      conversationId: await conversationOf(on.waybill, on.tenant),
      phoneNumberId: on.tenant.phoneNumberId,
      direction: 'outbound',
      recipientWaId: CONTACT,
      senderWaId: null,
      contactUserId: null,
      contactName: null,
      messageType: 'template',
      status: 'sent',
      statusTimestamp: now,
      event: 'order_shipped',
      templateName: 'order_shipped',
      text: message.text,
      contextMessageId: null,
      category: 'UTILITY',
      price: '0.00168',
      currency: 'USD',
      creditsCharged: 1,
      clientReference: null,
      source: 'notification',
      chargeId: message.chargeId,
      refunded: false,
      errorCode: null,
      errorMessage: null,
      createdAt: now,
    });
    expect(message.text).to.contain('A-77').and.contain('AWB1');
    expect(content).to.be.an('object');
    const [row] = (await get('/v1/credits')).transactions;
    expect(JSON.parse(row.metadata).chargeId).to.equal(message.chargeId);
  });

  it('shows a refunded message at no cost', async () => {
    const id = await notify();
    const kept = await notify();
    await on.waybill.webhook(statusPayload(on.tenant, { id, status: 'failed' }));
    const rows = async () => (await get('/v1/credits')).transactions;
    await untilTrue('the refund', async () => (await rows()).length === 4);
    const [newest, older] = (await list()).messages;
    const paid = { refunded: false, price: '0.00168', creditsCharged: 1 };
    expect(newest).to.include({ id: kept, ...paid });
    expect(older).to.include({ id, refunded: true, price: '0.0000', creditsCharged: 0 });
    expect((await rows())[0]).to.include({ type: 'REFUND', cause: 'delivery_failed' });
  });

  it('shows an inbound message with its sender and its content verbatim', async () => {
    const rest = { context: { from: '15550100001', id: 'wamid.ASKED' } };
    const id = await writes({ body: 'Where is it?', name: 'Mia', rest });
    const [message] = (await list()).messages;
    expect(message).to.deep.include({
      id,
      metaMessageId: id,
      conversationId: await conversationOf(on.waybill, on.tenant),
      direction: 'inbound',
      senderWaId: CONTACT,
      recipientWaId: '15550100001',
      contactName: 'Mia',
      messageType: 'text',
      text: 'Where is it?',
      contextMessageId: 'wamid.ASKED',
      status: null,
      statusTimestamp: null,
      event: null,
      category: null,
      price: null,
      creditsCharged: null,
      source: null,
    });
    expect(message.content).to.deep.equal({
      id,
      from: CONTACT,
      timestamp: String(Math.floor(on.waybill.clock.now() / 1000)),
      type: 'text',
      text: { body: 'Where is it?' },
      ...rest,
    });
  });

  it('carries delivery state in bulk, with the reason of a failure', async () => {
    const [first, second] = [await notify(), await notify()];
    const errors = [{ code: 131026, title: 'Message undeliverable' }];
    await on.waybill.webhook(statusPayload(on.tenant, { id: first, status: 'read' }));
    await on.waybill.webhook(statusPayload(on.tenant, { id: second, status: 'failed', errors }));
    const [newest, older] = (await list()).messages;
    const reason = { errorCode: '131026', errorMessage: 'Message undeliverable' };
    expect(newest).to.include({ id: second, status: 'failed', ...reason });
    expect(older).to.include({ id: first, status: 'read', errorCode: null, errorMessage: null });
  });

  it('shows the reference of a notification, and of each recipient of a batch', async () => {
    const told = await notify({ clientReference: 'order 7' });
    providerAccepts(on.tenant, 2);
    const references = ['order 8', 'order 9'];
    const recipients = references.map((clientReference) => ({ to: CONTACT, clientReference }));
    const batch = { event: 'order_shipped', recipients };
    const { results } = await bodyOf(200, on.call('POST', '/v1/notifications/send/batch', batch));
    const ids = [told, ...results.map(({ messageId }: Json) => messageId)];
    for (const [at, clientReference] of ['order 7', ...references].entries()) {
      const { messages } = await list(`?clientReference=${clientReference}`);
      expect(messages).to.have.length(1);
      expect(messages[0]).to.include({ id: ids[at], clientReference });
    }
  });

  it('shows both directions, newest first, and the caller’s last message at once', async () => {
    const inbound = await writes();
    const outbound = await reply();
    const told = await notify();
    expect(idsOf(await list())).to.deep.equal([told, outbound, inbound]);
  });

  it('filters, alone and together', async () => {
    const inbound = await writes();
    const answer = await reply({ clientReference: 'ticket 9' });
    const shipped = await notify();
    const delivered = await notify({ event: 'order_delivered', to: '+447700900123' });
    await on.waybill.webhook(statusPayload(on.tenant, { id: shipped, status: 'delivered' }));
    const all = [delivered, shipped, answer, inbound];
    const conversationId = await conversationOf(on.waybill, on.tenant, '447700900123');
    const filters: [Json, string[]][] = [
      [{ phoneNumberId: on.tenant.phoneNumberId }, all],
      [{ phoneNumberId: '1' }, []],
      [{ direction: 'inbound' }, [inbound]],
      [{ direction: 'outbound' }, [delivered, shipped, answer]],
      [{ contact: CONTACT }, [shipped, answer, inbound]],
      [{ contact: `+${CONTACT}` }, [shipped, answer, inbound]],
      [{ conversationId }, [delivered]],
      [{ status: 'delivered' }, [shipped]],
      [{ status: 'sent' }, [delivered, answer]],
      [{ messageType: 'text' }, [answer, inbound]],
      [{ messageType: 'text', direction: 'outbound' }, [answer]],
      [{ event: 'order_delivered' }, [delivered]],
      [{ clientReference: 'ticket 9' }, [answer]],
      [{ clientReference: 'ticket' }, []],
    ];
    for (const [filter, expected] of filters) {
      const found = await list(`?${new URLSearchParams(filter)}`);
      expect(idsOf(found), JSON.stringify(filter)).to.deep.equal(expected);
    }
    // A plus that was not escaped arrives as a space.
    expect(idsOf(await list(`?contact=+${CONTACT}`))).to.have.length(3);
  });

  it('accepts times of any precision and offset', async () => {
    on.waybill.clock.advance(1000 - (on.waybill.clock.now() % 1000));
    const before = await notify();
    on.waybill.clock.advance(60_000);
    const at = on.waybill.clock.now();
    const after = await notify();
    const offset = isoOf(at + 2 * 3_600_000).replace('Z', '+02:00');
    for (const time of [isoOf(at), isoOf(at).replace('.000Z', 'Z'), offset]) {
      const query = (name: string) => `?${new URLSearchParams({ [name]: time })}`;
      expect(idsOf(await list(query('since'))), time).to.deep.equal([after]);
      expect(idsOf(await list(query('until'))), time).to.deep.equal([before]);
    }
  });

  it('pages, stable while new messages arrive', async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.unshift(await notify());
    const first = await list('?limit=2');
    expect(idsOf(first)).to.deep.equal(ids.slice(0, 2));
    await notify();
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect(idsOf(second)).to.deep.equal(ids.slice(2, 4));
    const third = await list(`?limit=2&cursor=${second.nextCursor}`);
    expect(idsOf(third)).to.deep.equal(ids.slice(4));
    expect(third.nextCursor).to.equal(null);
  });

  const timeline = (id: string) => get(`/v1/messages/${id}/timeline`);

  it('lists every event of a message in its timeline, in order, with its time', async () => {
    const sentAt = isoOf(on.waybill.clock.now());
    const id = await notify();
    on.waybill.clock.advance(5000);
    await on.waybill.webhook(statusPayload(on.tenant, { id, status: 'sent' }));
    await on.waybill.webhook(statusPayload(on.tenant, { id, status: 'delivered' }));
    const body = await timeline(id);
    expect(body.messageId).to.equal(id);
    const [sent, first, second, ...others] = body.timeline;
    expect(others).to.deep.equal([]);
    expect(sent).to.include({ type: 'MessageSent', at: sentAt });
    const told = { type: 'StatusUpdated', at: isoOf(on.waybill.clock.now()) };
    for (const one of [first, second]) expect(one).to.include(told);
    expect(second.data).to.include({ messageId: id, status: 'delivered' });
    expect(JSON.stringify(body)).not.to.contain(on.tenant.accountId);
  });

  it('finds the events of an old message in a long thread @series', async () => {
    const first = await writes();
    const at = on.waybill.clock.now();
    const messages = Array.from({ length: 1500 }, (_, index) => ({
      id: `wamid.${on.tenant.phoneNumberId}.${index}`,
      from: CONTACT,
      timestamp: String(Math.floor(at / 1000)),
      type: 'text',
      text: { body: 'More' },
    }));
    for (let from = 0; from < messages.length; from += 500) {
      const payload = messagesPayload(on.tenant, { messages: messages.slice(from, from + 500) });
      await answered(200, on.waybill.webhook(payload));
    }
    for (const id of [first, messages[700]!.id, messages.at(-1)!.id]) {
      const [received, ...others] = (await timeline(id)).timeline;
      expect(others, id).to.deep.equal([]);
      expect([received.type, received.data.messageId]).to.deep.equal(['MessageReceived', id]);
    }
  });
});
