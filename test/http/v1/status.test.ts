import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { streamOfMessage } from '../../support/message-refs.ts';
import { notified, typesOf, useTenant } from '../../support/surface.ts';
import { openTenant, statusPayload } from '../../support/waybill.ts';

const SENT_AT = '2026-11-21T12:00:00.000Z';
const failure = { code: 131026, title: 'Message undeliverable' };

describe('GET /v1/notifications/status/:messageId @long', () => {
  const on = useTenant({ templates: ['order_shipped'] });
  let messageId: string;
  beforeEach(async () => {
    ({ messageId } = (await notified(on.waybill, on.tenant)).body);
  });

  const read = (id = messageId, token = on.tenant.apiKey) =>
    on.waybill.call('GET', `/v1/notifications/status/${encodeURIComponent(id)}`, { token });
  const report = async (status: string, change: object = {}) => {
    const update = { id: messageId, status, ...change };
    await answered(200, on.waybill.webhook(statusPayload(on.tenant, update)));
  };

  it('shows a message right after it was sent, with every field', async () => {
    const { body } = await answered(200, read());
    expect(body).to.deep.equal({
      metaMessageId: messageId,
      status: 'sent',
      statusTimestamp: SENT_AT,
      messageType: 'template',
      recipientWaId: '919812345678',
      contactUserId: null,
      errorCode: null,
      errorMessage: null,
      createdAt: SENT_AT,
      event: 'order_shipped',
    });
  });

  it('follows the provider from sent to delivered to read, with its times', async () => {
    const times = ['1795262401', '1795262402', '1795262403'];
    for (const [index, word] of ['sent', 'delivered', 'read'].entries()) {
      await report(word, { timestamp: times[index] });
      const statusTimestamp = `2026-11-21T12:00:0${index + 1}.000Z`;
      const { body } = await read();
      expect(body).to.include({ status: word, statusTimestamp, createdAt: SENT_AT });
    }
    const events = await on.waybill.events(streamOfMessage(on.tenant, messageId));
    expect(typesOf(events)).to.deep.equal(['MessageSent', ...Array(3).fill('StatusUpdated')]);
  });

  const failed = { errorCode: '131026', errorMessage: 'Message undeliverable' };
  const sound = { errorCode: null, errorMessage: null };
  const orders: [string[], string][] = [
    [['read', 'delivered', 'sent'], 'read'],
    [['failed', 'sent'], 'failed'],
    [['failed', 'delivered'], 'delivered'],
    [['delivered', 'failed'], 'delivered'],
    [['read', 'failed', 'delivered'], 'read'],
  ];
  for (const [words, expected] of orders) {
    it(`shows ${expected} after ${words.join(', ')}`, async () => {
      for (const word of words) {
        await report(word, word === 'failed' ? { errors: [failure] } : {});
      }
      const error = expected === 'failed' ? failed : sound;
      expect((await read()).body).to.include({ status: expected, ...error });
    });
  }

  it('answers 404 Message not found for unknown ids and those of other accounts', async () => {
    const other = await openTenant(on.waybill);
    for (const [id, token] of [
      ['wamid.unknown'],
      [messageId, other.apiKey],
      ['a/../../etc'],
      ['__proto__'],
    ] as [string, string?][]) {
      const { body } = await answered(404, read(id, token));
      expect(body).to.deep.equal({ error: 'Message not found' });
    }
  });
});
