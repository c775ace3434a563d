import { expect } from 'chai';
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

  const get = (path: string, token = on.tenant.apiKey) => on.waybill.call('GET', path, { token });
  const list = async (query = '', token = on.tenant.apiKey): Promise<Json> => {
    const { status, body } = await get(`/v1/messages${query}`, token);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body).to.have.all.keys('messages', 'nextCursor');
    return body;
  };
  const credits = async (): Promise<Json> => (await get('/v1/credits')).body;
  const idsOf = ({ messages }: Json): string[] => messages.map(({ id }: Json) => id);
  const notify = async (change: Json = {}): Promise<string> =>
    (await notified(on.waybill, on.tenant, change)).body.messageId;
  const reply = async (change: Json = {}): Promise<string> => {
    providerAccepts(on.tenant);
    const sent = await on.call('POST', '/v1/messages/send', {
      to: CONTACT,
      type: 'text',
      text: { body: 'Sure' },
      ...change,
    });
    expect(sent.status, JSON.stringify(sent.body)).to.equal(200);
    return sent.body.messageId;
  };
  const writes = (message: Json = {}) => customerWrites(on.waybill, on.tenant, message);

  describe('GET /v1/messages', () => {
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
      const [row] = (await credits()).transactions;
      expect(JSON.parse(row.metadata).chargeId).to.equal(message.chargeId);
    });

    it('shows a refunded message at no cost', async () => {
      const id = await notify();
      const kept = await notify();
      await on.waybill.webhook(statusPayload(on.tenant, { id, status: 'failed' }));
      await untilTrue('the refund', async () => (await credits()).transactions.length === 4);
      const { messages } = await list();
      const priceOf = (wanted: string) => {
        const found = messages.find((message: Json) => message.id === wanted);
        return [found.refunded, found.price, found.creditsCharged];
      };
      expect(priceOf(id)).to.deep.equal([true, '0.0000', 0]);
      expect(priceOf(kept)).to.deep.equal([false, '0.00168', 1]);
      const [refund] = (await credits()).transactions;
      expect([refund.type, refund.cause]).to.deep.equal(['REFUND', 'delivery_failed']);
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
      const states = (await list()).messages.map(({ status, errorCode, errorMessage }: Json) => ({
        status,
        errorCode,
        errorMessage,
      }));
      expect(states).to.deep.equal([
        { status: 'failed', errorCode: '131026', errorMessage: 'Message undeliverable' },
        { status: 'read', errorCode: null, errorMessage: null },
      ]);
    });

    it('shows the reference of a notification, and of each recipient of a batch', async () => {
      const told = await notify({ clientReference: 'order 7' });
      providerAccepts(on.tenant, 2);
      const batch = await on.call('POST', '/v1/notifications/send/batch', {
        event: 'order_shipped',
        recipients: [
          { to: CONTACT, clientReference: 'order 8' },
          { to: CONTACT, clientReference: 'order 9' },
        ],
      });
      const [eighth, ninth] = batch.body.results.map(({ messageId }: Json) => messageId);
      for (const [reference, id] of [
        ['order 7', told],
        ['order 8', eighth],
        ['order 9', ninth],
      ]) {
        const { messages } = await list(`?clientReference=${reference}`);
        expect(idsOf({ messages })).to.deep.equal([id]);
        expect(messages[0].clientReference).to.equal(reference);
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
      const filters: [Json, string[]][] = [
        [{ phoneNumberId: on.tenant.phoneNumberId }, all],
        [{ phoneNumberId: '1' }, []],
        [{ direction: 'inbound' }, [inbound]],
        [{ direction: 'outbound' }, [delivered, shipped, answer]],
        [{ contact: CONTACT }, [shipped, answer, inbound]],
        [{ contact: `+${CONTACT}` }, [shipped, answer, inbound]],
        [
          { conversationId: await conversationOf(on.waybill, on.tenant, '447700900123') },
          [delivered],
        ],
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
  });

  describe('GET /v1/messages/:messageId/timeline', () => {
    const timeline = (id: string, token = on.tenant.apiKey) =>
      get(`/v1/messages/${id}/timeline`, token);

    it('lists every event of a message, in order, with its time', async () => {
      const sentAt = isoOf(on.waybill.clock.now());
      const id = await notify();
      on.waybill.clock.advance(5000);
      await on.waybill.webhook(statusPayload(on.tenant, { id, status: 'sent' }));
      await on.waybill.webhook(statusPayload(on.tenant, { id, status: 'delivered' }));
      const { status, body } = await timeline(id);
      expect(status).to.equal(200);
      expect(body.messageId).to.equal(id);
      expect(body.timeline.map(({ type }: Json) => type)).to.deep.equal([
        'MessageSent',
        'StatusUpdated',
        'StatusUpdated',
      ]);
      expect(body.timeline[0].at).to.equal(sentAt);
      expect(body.timeline[1].at).to.equal(isoOf(on.waybill.clock.now()));
      expect(body.timeline[2].data).to.deep.include({ messageId: id, status: 'delivered' });
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
        expect((await on.waybill.webhook(payload)).status).to.equal(200);
      }
      for (const id of [first, messages[700]!.id, messages.at(-1)!.id]) {
        const { body } = await timeline(id);
        expect(
          body.timeline.map(({ type }: Json) => type),
          id,
        ).to.deep.equal(['MessageReceived']);
        expect(body.timeline[0].data.messageId).to.equal(id);
      }
    });
  });
});
