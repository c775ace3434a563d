import { expect } from 'chai';
import { answered, bodyOf, refusedWith } from '../../support/answered.ts';
import { fieldErrorsOf, useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  type Answer,
  type Json,
  openTenant,
  orderShipped,
  providerAccepts,
  type Tenant,
} from '../../support/waybill.ts';

describe('POST /v1/quotes', () => {
  const on = useWaybill();
  let tenant: Tenant;
  const call = (path: string, body: Json, headers = {}, of = tenant): Promise<Answer> =>
    on.waybill.call('POST', `/v1${path}`, { token: of.apiKey, body, headers });
  const quote = (request: Json, kind = 'notification', of = tenant) =>
    call('/quotes', { kind, request }, {}, of);
  const send = (body: Json, headers = {}) => call('/notifications/send', body, headers);
  const batchOf = (recipients: Json[], more: Json = {}) => {
    return { event: 'order_shipped', recipients, ...more };
  };
  const events = async (of = tenant) => (await on.waybill.events(`account-${of.accountId}`)).length;
  const { variables } = orderShipped();
  const text = { to: '+919812345678', type: 'text', text: { body: 'Hello' } };

  /** A tenant whose mirror knows the template, with what a send costs it. */
  const opened = async (options: Parameters<typeof openTenant>[1] = {}) => {
    const made = await openTenant(on.waybill, { templates: ['order_shipped'], ...options });
    await on.waybill.call('GET', '/v1/notifications/events?refresh=true', { token: made.apiKey });
    // A busy machine shows the template later.
    await untilTrue('the mirror has the template', async () => {
      const { body } = await quote(orderShipped(), 'notification', made);
      return body.items[0].templateStatus === 'APPROVED';
    });
    return made;
  };

  beforeEach(async () => {
    tenant = await opened({ credits: 10 });
  });

  it('says what a notification costs, and changes nothing', async () => {
    const before = await events();
    const { body } = await answered(200, quote(orderShipped()));
    const { quoteId, validUntil, ...rest } = body;
    expect(quoteId).to.match(/^quote_/);
    expect(Date.parse(validUntil) - on.waybill.clock.now()).to.equal(600_000);
    expect(rest).to.deep.equal({
      would: 'send',
      covered: 1,
      refusal: null,
      amount: 1,
      currency: 'USD',
      balance: 10,
      balanceAfter: 9,
      items: [
        {
          to: '+919812345678',
          channel: 'template',
          category: 'UTILITY',
          market: 'India',
          price: '0.00168',
          creditsCharged: 1,
          templateStatus: 'APPROVED',
          windowClosesAt: null,
          dueAt: null,
          problems: [],
        },
      ],
      totals: [{ category: 'UTILITY', market: 'India', count: 1, unitPrice: '0.00168', amount: 1 }],
    });
    expect(await events()).to.equal(before);
    const dry = await send(orderShipped({ dryRun: true, variables: {} }));
    const missing = Object.keys(variables).map((name) => `missing_variable:${name}`);
    expect(dry.body.items[0].problems).to.deep.equal(missing);
    expect(dry.headers).not.to.have.property('x-message-price');
    const tampered = send(orderShipped({ quoteId: `${quoteId.slice(0, -1)}!` }));
    await refusedWith(400, 'QUOTE_INVALID', tampered);
    expect(await events()).to.equal(before);
  });

  it('tells the refusal of the send as 200, and a broken body as the send does', async () => {
    const poor = await opened({ credits: 0 });
    const { body } = await quote(orderShipped(), 'notification', poor);
    expect(body).to.deep.include({ would: 'refuse', amount: 0, balance: 0, balanceAfter: 0 });
    expect(body.refusal).to.include({ status: 402, code: 'INSUFFICIENT_CREDITS' });
    const problems = ['INSUFFICIENT_CREDITS'];
    expect(body.items[0]).to.deep.include({ price: '0.00168', creditsCharged: 0, problems });
    const strict = (await quote(orderShipped({ strict: true, variables: {}, awb: 1 }))).body;
    expect(strict.refusal.status).to.equal(400);
    expect(Object.keys(strict.refusal.error.fieldErrors)).to.have.members(['awb', 'variables']);
    const closed = (await quote(text, 'message')).body;
    expect(closed.refusal).to.include({ status: 403 });
    expect(closed.items[0].problems).to.deep.equal(['WINDOW_CLOSED']);
    const pending = (await quote(orderShipped({ languageCode: 'hi' }))).body;
    expect(pending.refusal).to.include({ status: 409, code: 'TEMPLATE_NOT_APPROVED' });
    const broken = await quote({ to: '1', event: 'order_shipped' });
    expect(fieldErrorsOf(broken)).to.deep.equal(fieldErrorsOf(await send({ to: '1', event: 'x' })));
    const unknown = await answered(400, quote(orderShipped({ event: 'order_shiped' })));
    expect(unknown.body.didYouMean).to.equal('order_shipped');
    await answered(400, quote({ to: text.to, type: 'text' }, 'message'));
  });

  it('asks nobody: a template that the mirror does not know binds nothing', async () => {
    const fresh = await openTenant(on.waybill);
    const { body } = await quote(orderShipped(), 'notification', fresh);
    expect(body).to.include({ quoteId: null, validUntil: null });
    expect(body.items[0].problems).to.include('template_unknown');
    expect(body.items[0].templateStatus).to.equal('NOT_CREATED');
  });

  it('needs the scope of the send', async () => {
    const path = `/accounts/${tenant.accountId}/keys`;
    const made = await on.waybill.admin('POST', path, { name: 'k', scopes: ['messages:send'] });
    const of = { ...tenant, apiKey: made.body.key };
    await answered(403, quote(orderShipped(), 'notification', of));
    await answered(200, quote(text, 'message', of));
  });

  it('of a batch says what the balance covers, and holds the batch to it', async () => {
    tenant = await opened({ credits: 2 });
    const recipients = [1, 2, 3].map((digit) => ({ to: `+91981234567${digit}`, variables }));
    const { body } = await quote(batchOf(recipients), 'batch');
    expect(body).to.deep.include({ would: 'partly', covered: 2, amount: 2, balanceAfter: 0 });
    const problems = ['INSUFFICIENT_CREDITS'];
    expect(body.items[2]).to.deep.include({ creditsCharged: 0, problems });
    expect(body.totals[0]).to.include({ count: 2, amount: 2 });
    const { quoteId } = body;
    const path = '/notifications/send/batch';
    const more = await answered(409, call(path, batchOf(recipients.slice(1, 2), { quoteId })));
    expect(more.body.details).to.deep.equal({ quoted: 2, now: 1 });
    providerAccepts(tenant, 2);
    const sent = await call(path, batchOf(recipients, { quoteId }));
    expect(sent.body).to.include({ sent: 2, failed: 1 });
    const dry = await call(path, batchOf(recipients, { dryRun: true }));
    expect(dry.body).to.deep.include({ would: 'refuse', covered: 0, totals: [] });
  });

  it('claims no idempotency key for a dry run', async () => {
    const headers = { 'Idempotency-Key': 'order-A-77-shipped' };
    const dry = await send(orderShipped({ dryRun: true }), headers);
    expect(dry.body.would, JSON.stringify(dry.body)).to.equal('send');
    providerAccepts(tenant);
    expect(await bodyOf(200, send(orderShipped(), headers))).to.include({ success: true });
  });
});
