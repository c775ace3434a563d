import { expect } from 'chai';
import nock from 'nock';
import { streamOfMessage } from '../../support/message-refs.ts';
import { messagesPayload, typesOf, useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  openTenant,
  orderShipped,
  PROVIDER,
  providerAccepts,
  providerHasTemplates,
  statusPayload,
  type Tenant,
  templateAnswer,
  VERSION,
} from '../../support/waybill.ts';

const SENT_AT = '2026-11-21T12:00:00.000Z';
const failure = { code: 131026, title: 'Message undeliverable' };

describe('GET /v1/notifications/status/:messageId @long', () => {
  const on = useWaybill();
  let tenant: Tenant;
  let messageId: string;
  beforeEach(async () => {
    tenant = await openTenant(on.waybill);
    providerHasTemplates(tenant, templateAnswer('order_shipped'));
    messageId = await sendOne();
  });

  const sendOne = async (): Promise<string> => {
    providerAccepts(tenant);
    const sent = await on.waybill.call('POST', '/v1/notifications/send', {
      token: tenant.apiKey,
      body: orderShipped(),
    });
    return sent.body.messageId;
  };
  const read = (id = messageId, token = tenant.apiKey) =>
    on.waybill.call('GET', `/v1/notifications/status/${encodeURIComponent(id)}`, { token });
  const report = async (status: string, change: object = {}, id = messageId) => {
    const answer = await on.waybill.webhook(statusPayload(tenant, { id, status, ...change }));
    expect(answer.status).to.equal(200);
  };
  const chargesOf = async () => {
    const events = await on.waybill.events(`account-${tenant.accountId}`);
    return events.filter(({ type }) => type.startsWith('Charge'));
  };
  const chargeOf = (event: { data: unknown }) => (event.data as { chargeId: string }).chargeId;
  /** The refund of a message that fails now comes after everything that was due before it. */
  const whatIsDueIsDone = async () => {
    const other = await sendOne();
    const [sent] = await on.waybill.events(streamOfMessage(tenant, other));
    await report('failed', { errors: [failure] }, other);
    await untilTrue('the refund', async () => {
      const last = (await chargesOf()).at(-1)!;
      return last.type === 'ChargeRefunded' && chargeOf(last) === chargeOf(sent!);
    });
  };
  const chargesOfTheFirst = async () => {
    await whatIsDueIsDone();
    const charges = await chargesOf();
    return charges.filter((event) => chargeOf(event) === chargeOf(charges[0]!));
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
    const events = await on.waybill.events(streamOfMessage(tenant, messageId));
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

  it('stores a repeated update once', async () => {
    for (let time = 0; time < 3; time += 1) await report('delivered');
    const events = await on.waybill.events(streamOfMessage(tenant, messageId));
    expect(typesOf(events)).to.deep.equal(['MessageSent', 'StatusUpdated']);
  });

  it('loses no update that came before the record of its send', async () => {
    const id = 'wamid.EARLY';
    await report('delivered', {}, id);
    expect((await read(id)).status).to.equal(404);
    nock(PROVIDER)
      .post(`/${VERSION}/${tenant.phoneNumberId}/messages`)
      .reply(200, { messages: [{ id }] });
    await on.waybill.call('POST', '/v1/notifications/send', {
      token: tenant.apiKey,
      body: orderShipped(),
    });
    expect((await read(id)).body.status).to.equal('delivered');
  });

  it('refunds a message that failed after it was accepted, once and for good', async () => {
    await report('failed', { errors: [failure] });
    await report('failed', { errors: [failure] });
    await report('delivered');
    const [reserved, refunded, ...more] = await chargesOfTheFirst();
    expect(more).to.deep.equal([]);
    expect(reserved!.data).to.deep.include({ amount: -1, balanceAfter: 999 });
    expect(refunded!.data).to.deep.include({
      amount: 1,
      cause: 'delivery_failed',
      reason: 'order_shipped',
    });
  });

  it('keeps the charge of a message that was delivered before it failed', async () => {
    await report('delivered');
    await report('failed', { errors: [failure] });
    expect(typesOf(await chargesOfTheFirst())).to.deep.equal(['ChargeReserved']);
  });

  it('stores one update beside another that is unreadable', async () => {
    const statuses = [
      { id: messageId, recipient_id: '919812345678' },
      { id: messageId, status: 'read', timestamp: '1795262409', recipient_id: '919812345678' },
    ];
    const answer = await on.waybill.webhook(messagesPayload(tenant, { statuses }));
    expect(answer.status).to.equal(200);
    expect((await read()).body.status).to.equal('read');
  });

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
