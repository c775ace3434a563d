import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
import { notified, notify, useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  type Json,
  openTenant,
  providerAccepts,
  providerRefuses,
  statusPayload,
  type Tenant,
} from '../../support/waybill.ts';

describe('GET /v1/wallet @long', () => {
  const on = useWaybill();
  let tenant: Tenant;
  before(async () => {
    await on.waybill.admin('POST', '/plans', {
      id: 'wallet',
      name: 'Wallet',
      billing: 'wallet',
      currency: 'USD',
      markupPercent: '20',
    });
  });
  beforeEach(async () => {
    tenant = await open('10.00');
  });

  const open = async (amount: string) => {
    const opened = await openTenant(on.waybill, { planId: 'wallet', templates: ['order_shipped'] });
    await topUp(amount, opened);
    return opened;
  };
  const topUp = (amount: string, of = tenant) =>
    on.waybill.admin('POST', `/accounts/${of.accountId}/wallet/top-up`, { amount });
  const read = (path: string, token = tenant.apiKey) =>
    bodyOf(200, on.waybill.call('GET', path, { token }));
  const send = (by = tenant) => notify(on.waybill, by);

  it('shows balance and movements as decimal strings', async () => {
    const { bodies } = providerAccepts(tenant);
    await send();
    const wallet = await read('/v1/wallet');
    expect(wallet).to.have.all.keys('balance', 'currency', 'transactions');
    expect(wallet).to.deep.include({ balance: '9.99832', currency: 'USD' });
    const [deduct, grant] = wallet.transactions;
    expect(deduct).to.deep.include({
      amount: '-0.00168',
      balanceAfter: '9.99832',
      type: 'DEDUCT',
      reason: 'order_shipped',
      grantedBy: null,
    });
    expect(JSON.parse(deduct.metadata)).to.deep.equal({
      category: 'UTILITY',
      countryCode: 'IN',
      providerCost: '0.0014',
      sellPrice: '0.00168',
      chargeId: bodies[0].biz_opaque_callback_data,
    });
    expect(grant).to.deep.include({ amount: '10.0000', balanceAfter: '10.0000', type: 'GRANT' });
    expect(grant.grantedBy.id).to.equal('root');
  });

  it('is in that unit where a message tells its charge, too', async () => {
    const { messageId } = (await notified(on.waybill, tenant)).body;
    const { timeline } = await read(`/v1/messages/${messageId}/timeline`);
    expect(timeline[0].data.chargeAmount).to.equal('-0.00168');
    const { rules } = await read(`/v1/messages/${messageId}/explain`);
    const plan = rules.find(({ rule }: Json) => rule === 'plan');
    expect(plan.why).to.equal("20 % on the provider's cost");
    expect(plan.event.type).to.equal('PlanPublished');
    const balance = rules.find(({ rule }: Json) => rule === 'balance');
    const why = '10.0000 before the reservation, which took 0.00168';
    expect(balance).to.include({ value: '9.99832', why });
    await on.waybill.webhook(statusPayload(tenant, { id: messageId, status: 'failed' }));
    await untilTrue('it was given back', async () => {
      const found = (await read(`/v1/messages/${messageId}/explain`)).rules.at(-1);
      return found.rule === 'refund' && found.why === '0.00168 were given back';
    });
  });

  it('is shown by the header X-Wallet-Balance instead of credits', async () => {
    const { headers } = await notified(on.waybill, tenant);
    expect(headers).to.deep.include({
      'x-message-category': 'UTILITY',
      'x-message-price': '0.00168',
      'x-wallet-balance': '9.99832',
    });
    expect(headers).not.to.have.any.keys('x-credits-charged', 'x-credits-remaining');
  });

  it('receives the refund of a failed send, in two rows', async () => {
    providerRefuses(tenant);
    await answered(502, send());
    const { balance, transactions } = await read('/v1/wallet');
    expect(balance).to.equal('10.0000');
    const [refund, deduct] = transactions;
    expect([refund.type, refund.amount]).to.deep.equal(['REFUND', '0.00168']);
    expect([deduct.type, deduct.amount]).to.deep.equal(['DEDUCT', '-0.00168']);
  });

  it('refuses with 402 INSUFFICIENT_BALANCE in decimal strings, and spends nothing', async () => {
    const poor = await open('0.001679');
    const { error, ...body } = (await answered(402, send(poor))).body;
    expect(error).to.be.a('string');
    expect(body).to.deep.equal({
      reason: 'INSUFFICIENT_BALANCE',
      category: 'UTILITY',
      creditsRequired: 0,
      price: '0.00168',
      currency: 'USD',
      balance: '0.001679',
    });
    expect((await read('/v1/wallet', poor.apiKey)).transactions).to.have.length(1);
    await topUp('0.000001', poor);
    expect((await notified(on.waybill, poor)).headers['x-wallet-balance']).to.equal('0.0000');
  });

  it('leaves GET /v1/credits empty, and is itself empty on a credit plan', async () => {
    expect(await read('/v1/credits')).to.deep.equal({ balance: 0, transactions: [] });
    const counted = await openTenant(on.waybill, { credits: 5 });
    const empty = { balance: '0.0000', currency: 'USD', transactions: [] };
    expect(await read('/v1/wallet', counted.apiKey)).to.deep.equal(empty);
  });
});
