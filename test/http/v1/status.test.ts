import { expect } from 'chai';
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
    const answer = await on.waybill.webhook(statusPayload(on.tenant, update));
    expect(answer.status).to.equal(200);
  };

  it('shows a message right after it was sent, with every field', async () => {
    const { status, body } = await read();
    expect(status).to.equal(200);
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
      const { body } = await read();
      expect(body).to.deep.include({
        status: word,
        statusTimestamp: `2026-11-21T12:00:0${index + 1}.000Z`,
        createdAt: SENT_AT,
      });
    }
    const events = await on.waybill.events(streamOfMessage(on.tenant, messageId));
    expect(typesOf(events)).to.deep.equal(['MessageSent', ...Array(3).fill('StatusUpdated')]);
  });

  const orders: [string[], string][] = [
    [['read', 'delivered', 'sent'], 'read'],
    [['delivered', 'sent', 'delivered'], 'delivered'],
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
      const { body } = await read();
      expect(body.status).to.equal(expected);
      const isFailed = expected === 'failed';
      expect(body.errorCode).to.equal(isFailed ? '131026' : null);
      expect(body.errorMessage).to.equal(isFailed ? 'Message undeliverable' : null);
    });
  }

  it('answers 404 Message not found for unknown ids and those of other accounts', async () => {
    const other = await openTenant(on.waybill);
    const answers = [
      await read('wamid.unknown'),
      await read(messageId, other.apiKey),
      await read('a/../../etc'),
      await read('__proto__'),
    ];
    for (const { status, body } of answers) {
      expect(status).to.equal(404);
      expect(body).to.deep.equal({ error: 'Message not found' });
    }
  });
});
