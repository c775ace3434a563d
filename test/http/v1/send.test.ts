import { expect } from 'chai';
import { answered, refusedWith } from '../../support/answered.ts';
import { streamOfMessage } from '../../support/message-refs.ts';
import { typesOf, useTenant } from '../../support/surface.ts';
import {
  openTenant,
  orderShipped,
  providerAccepts,
  providerHasTemplates,
  providerRefuses,
  templateAnswer,
} from '../../support/waybill.ts';

describe('POST /v1/notifications/send @long', () => {
  const on = useTenant();
  beforeEach(async () => {
    providerHasTemplates(
      on.tenant,
      templateAnswer('order_shipped'),
      templateAnswer('order_status_update'),
      templateAnswer('otp_verification', { category: 'AUTHENTICATION' }),
    );
  });

  const send = (body: unknown, token = on.tenant.apiKey) =>
    on.waybill.call('POST', '/v1/notifications/send', { token, body });
  const accountEvents = async () =>
    (await on.waybill.events(`account-${on.tenant.accountId}`)).slice(2);
  const typesNow = async () => typesOf(await accountEvents());
  const CHARGED_AND_REFUNDED = ['ChargeReserved', 'ChargeRefunded'];

  it('answers with the message, the channel and the template', async () => {
    const { ids } = providerAccepts(on.tenant);
    const answer = await answered(200, send(orderShipped()));
    expect(answer.body).to.deep.equal({
      success: true,
      messageId: ids[0],
      channel: 'template',
      event: 'order_shipped',
      template: 'order_shipped',
    });
  });

  it('shows the cost in headers', async () => {
    providerAccepts(on.tenant);
    const { headers } = await send(orderShipped());
    expect(headers).to.deep.include({
      'x-message-category': 'UTILITY',
      'x-message-price': '0.00168',
      'x-credits-charged': '1',
      'x-credits-remaining': '999',
    });
    expect(headers).not.to.have.property('x-wallet-balance');
  });

  it('reserves before the provider is called, and records the message after', async () => {
    const { ids, bodies } = providerAccepts(on.tenant);
    await send(orderShipped());
    const [reserved, ...rest] = await accountEvents();
    expect(rest).to.deep.equal([]);
    expect(reserved!.type).to.equal('ChargeReserved');
    const charge = { amount: -1, balanceAfter: 999, reason: 'order_shipped' };
    expect(reserved!.data).to.include(charge);
    const chargeId = bodies[0].biz_opaque_callback_data;
    const [sent] = await on.waybill.events(streamOfMessage(on.tenant, ids[0]!));
    expect(sent).to.deep.include({ type: 'MessageSent', revision: 0 });
    const { accountId } = on.tenant;
    expect(sent!.data).to.include({ messageId: ids[0], chargeId, accountId });
    expect(sent!.data).not.to.have.property('recovered');
    expect(sent!.position > reserved!.position).to.equal(true);
  });

  it('maps named variables onto positional parameters', async () => {
    const { bodies } = providerAccepts(on.tenant);
    await send(orderShipped());
    const texts = ['A-77', 'AWB1', 'https://shop.example/t/1'];
    const parameters = texts.map((text) => ({ type: 'text', text }));
    expect(bodies[0].template).to.deep.equal({
      name: 'order_shipped',
      language: { code: 'en_US' },
      components: [{ type: 'body', parameters }],
    });
    expect(bodies[0].to).to.equal('+919812345678');
  });

  it('strips all but digits from the recipient', async () => {
    const { bodies } = providerAccepts(on.tenant);
    await send(orderShipped({ to: ' +91 (98123) 456-78 ' }));
    expect(bodies[0].to).to.equal('+919812345678');
  });

  it('sends an authentication code twice, and keeps it nowhere', async () => {
    const { ids, bodies } = providerAccepts(on.tenant);
    const otp = '739105';
    await send({ to: '+919812345678', event: 'otp_verification', variables: { otp } });
    const parameters = [{ type: 'text', text: otp }];
    expect(bodies[0].template.components).to.deep.equal([
      { type: 'body', parameters },
      { type: 'button', sub_type: 'url', index: '0', parameters },
    ]);
    const ofMessage = await on.waybill.events(streamOfMessage(on.tenant, ids[0]!));
    expect(JSON.stringify([await accountEvents(), ofMessage])).not.to.contain(otp);
  });

  it('refuses a code over the provider’s 15 characters itself, before any charge', async () => {
    const code = (otp: string) =>
      send(orderShipped({ event: 'otp_verification', variables: { otp } }));
    const { body } = await answered(400, code('1234567890123456'));
    const reason = 'the code has 16 characters, and the provider takes 15 at most';
    expect(body.error).to.equal(`\`variables\`: ${reason}`);
    expect(await accountEvents()).to.deep.equal([]);
    providerAccepts(on.tenant);
    await answered(200, code('123456789012345'));
  });

  describe('variables', () => {
    it('replaces blank ones with a dash, names them, and charges all the same', async () => {
      const { bodies } = providerAccepts(on.tenant);
      const variables = { orderId: '  ', awbCode: null };
      const { body, headers } = await answered(200, send(orderShipped({ variables })));
      const [{ parameters }] = bodies[0].template.components;
      expect(parameters).to.deep.equal(new Array(3).fill({ type: 'text', text: '-' }));
      expect(body.missingVariables).to.deep.equal(['orderId', 'awbCode', 'trackingLink']);
      expect(headers['x-credits-charged']).to.equal('1');
    });

    it('defaults to none', async () => {
      providerAccepts(on.tenant);
      const { body } = await send({ to: '+919812345678', event: 'order_shipped' });
      expect(body.missingVariables).to.have.length(3);
    });
  });

  it('400 with a validation object when the body fails validation', async () => {
    const { body } = await answered(400, send({ event: 5 }));
    expect(body.error.formErrors).to.deep.equal([]);
    expect(Object.keys(body.error.fieldErrors)).to.have.members(['to', 'event']);
    expect(body).not.to.have.property('code');
    expect(await accountEvents()).to.deep.equal([]);
  });

  it('400 for a recipient of fewer than five characters', async () => {
    const { body } = await answered(400, send(orderShipped({ to: '1234' })));
    expect(body.error.fieldErrors).to.have.property('to');
  });

  it('400 UNKNOWN_EVENT with the known events', async () => {
    const { body } = await answered(400, send(orderShipped({ event: 'order_teleported' })));
    expect(body.code).to.equal('UNKNOWN_EVENT');
    expect(body.error).to.be.a('string');
    expect(body.supportedEvents).to.have.length(18);
    expect(await accountEvents()).to.deep.equal([]);
  });

  it('402 with its whole body: nothing sent, nothing spent', async () => {
    const poor = await openTenant(on.waybill, { credits: 0 });
    const { body } = await answered(402, send(orderShipped(), poor.apiKey));
    expect(body.error).to.be.a('string');
    expect(body).to.deep.include({
      reason: 'INSUFFICIENT_CREDITS',
      category: 'UTILITY',
      creditsRequired: 1,
      price: '0.00168',
      currency: 'USD',
      balance: 0,
    });
    expect(body).not.to.have.property('code');
    const events = await on.waybill.events(`account-${poor.accountId}`);
    expect(typesOf(events)).to.deep.equal(['AccountOpened']);
  });

  it('404 NO_PHONE when the account has no number, charged and refunded', async () => {
    const numberless = await openTenant(on.waybill, { number: false });
    await refusedWith(404, 'NO_PHONE', send(orderShipped(), numberless.apiKey));
    const events = await on.waybill.events(`account-${numberless.accountId}`);
    expect(typesOf(events).slice(2)).to.deep.equal(CHARGED_AND_REFUNDED);
  });

  it("404 NO_PHONE for another account's number, as for an unknown one", async () => {
    const other = await openTenant(on.waybill);
    const error = 'Phone number not found or not configured';
    for (const phoneNumberId of [other.phoneNumberId, '1']) {
      const { body } = await answered(404, send(orderShipped({ phoneNumberId })));
      expect(body).to.deep.equal({ error, code: 'NO_PHONE' });
    }
  });

  it('409 TEMPLATE_NOT_APPROVED with details, charged and refunded', async () => {
    const pending = send(orderShipped({ event: 'order_delivered' }));
    const { body } = await refusedWith(409, 'TEMPLATE_NOT_APPROVED', pending);
    expect(body.details).to.deep.equal({
      event: 'order_delivered',
      templateName: 'order_delivered',
      language: 'en_US',
      approvedLanguages: [],
    });
    expect(await typesNow()).to.deep.equal(CHARGED_AND_REFUNDED);
    const [, refund] = await accountEvents();
    expect(refund!.data).to.include({ amount: 1, balanceAfter: 1000, cause: 'not_sent' });
  });

  it('502 SEND_FAILED with the provider’s words, charged and refunded', async () => {
    providerRefuses(on.tenant, 133010, 'Account not registered');
    const { body, headers } = await refusedWith(502, 'SEND_FAILED', send(orderShipped()));
    const sent = { event: 'order_shipped', template: 'order_shipped' };
    expect(body.details).to.deep.include({ ...sent, providerCode: 133010 });
    expect(body.details.providerMessage).to.contain('not registered');
    expect(headers).not.to.have.property('x-credits-charged');
    expect(await typesNow()).to.deep.equal(CHARGED_AND_REFUNDED);
  });

  it('429 with limit, usage and limits when a cap is reached', async () => {
    await on.waybill.admin('PATCH', `/accounts/${on.tenant.accountId}/limits`, { daily: 1 });
    providerAccepts(on.tenant);
    await answered(200, send(orderShipped()));
    const { body, advice } = await answered(429, send(orderShipped()));
    expect(body.error).to.be.a('string');
    expect(advice?.docUrl).to.match(/#LIMIT_REACHED$/);
    expect(body).to.deep.include({
      code: 'LIMIT_REACHED',
      limit: 'daily',
      usage: { minute: 1, day: 1, month: 1 },
      limits: { perMinute: null, daily: 1, monthly: null, paused: false },
    });
  });

  describe('the template', () => {
    it('approved as en serves en_US, after one approved as en_US', async () => {
      const other = await openTenant(on.waybill);
      providerHasTemplates(other, templateAnswer('order_shipped', { language: 'en' }));
      const { bodies } = providerAccepts(other);
      await answered(200, send(orderShipped(), other.apiKey));
      expect(bodies[0].template.language.code).to.equal('en');
    });

    it('is looked for in the asked language', async () => {
      const { body } = await answered(409, send(orderShipped({ languageCode: 'fr' })));
      expect(body.details.language).to.equal('fr');
    });
  });

  it('sends no text fallback while no window is open', async () => {
    const body = orderShipped({ event: 'order_delivered', allowTextFallback: true });
    expect((await send(body)).body.code).to.equal('TEMPLATE_NOT_APPROVED');
  });
});
