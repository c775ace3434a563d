import { expect } from 'chai';
import { bodyOf } from '../../support/answered.ts';
import {
  accountEvents,
  fieldErrorsOf,
  notified,
  notify,
  typesOf,
  useTenant,
} from '../../support/surface.ts';
import { type Json, openTenant, providerAccepts, providerRefuses } from '../../support/waybill.ts';

const NOW_ISO = '2026-11-21T12:00:00.000Z';

describe('GET /v1/credits', () => {
  const on = useTenant({ templates: ['order_shipped'], credits: 100 });

  const credits = async (token = on.tenant.apiKey) => {
    const body = await bodyOf(200, on.waybill.call('GET', '/v1/credits', { token }));
    expect(body).to.have.all.keys('balance', 'transactions');
    return body as { balance: number; transactions: Json[] };
  };
  const grant = (amount: number, reason?: string) =>
    on.waybill.admin('POST', `/accounts/${on.tenant.accountId}/credits/grant`, { amount, reason });

  it('has the whole history in /v1/ledger, the month in /v1/statement, its terms in /v1/account', async () => {
    await notified(on.waybill, on.tenant);
    const get = (path: string) => bodyOf(200, on.call('GET', path));
    const typesIn = async (query: string) => typesOf((await get(`/v1/ledger${query}`)).entries);
    expect(await typesIn('')).to.deep.equal(['DEDUCT', 'GRANT']);
    expect(await typesIn('?type=GRANT')).to.deep.equal(['GRANT']);
    const statement = await get(`/v1/statement?month=${NOW_ISO.slice(0, 7)}`);
    expect(statement).to.include({ accountId: on.tenant.accountId, opening: 0, closing: 99 });
    // What the provider takes is the operator's own business.
    expect(statement).not.to.have.property('cost');
    const account = await get('/v1/account');
    expect(account).to.include({ id: on.tenant.accountId, billing: 'credits', currency: 'USD' });
    expect(account.limits).to.include({ daily: null, paused: false });
  });

  it('is warned below a balance that its own holder sets, and no other term of it', async () => {
    const warn = (body: Json) => on.call('PATCH', '/v1/account', body);
    expect((await bodyOf(200, warn({ balanceLow: 40 }))).limits.balanceLow).to.equal(40);
    expect(fieldErrorsOf(await warn({ balanceLow: '4.00' }))).to.deep.equal(['balanceLow']);
    await warn({ balanceLow: null, daily: 1 });
    const { body } = await on.call('GET', '/v1/account');
    expect(body.limits).to.include({ balanceLow: null, daily: null });
    const told = await accountEvents(on.waybill, on.tenant, 'BalanceThresholdSet');
    expect(told.map(({ data }) => data.threshold)).to.deep.equal([40, null]);
  });

  it('is empty on a new account', async () => {
    const fresh = await openTenant(on.waybill, { credits: 0, number: false });
    expect(await credits(fresh.apiKey)).to.deep.equal({ balance: 0, transactions: [] });
  });

  it('shows a grant with its administrator', async () => {
    await grant(25, 'a gift');
    const { balance, transactions } = await credits();
    expect(balance).to.equal(125);
    const [newest] = transactions;
    expect(newest.id).to.be.a('string');
    expect(newest).to.deep.equal({
      id: newest.id,
      amount: 25,
      balanceAfter: 125,
      type: 'GRANT',
      reason: 'a gift',
      metadata: null,
      createdAt: NOW_ISO,
      grantedBy: { id: 'root', name: 'Root administrator', email: 'root@localhost' },
    });
    expect(transactions[1]).to.deep.include({ amount: 100, reason: null });
  });

  it('shows a deduction with its price as JSON text, in the order of the contract', async () => {
    const { bodies, ids } = providerAccepts(on.tenant);
    await notify(on.waybill, on.tenant);
    const { balance, transactions } = await credits();
    expect(balance).to.equal(99);
    expect(transactions[0]).to.deep.include({
      messageId: ids[0],
      amount: -1,
      balanceAfter: 99,
      type: 'DEDUCT',
      reason: 'order_shipped',
      grantedBy: null,
      createdAt: NOW_ISO,
    });
    expect(transactions[0].metadata).to.equal(
      JSON.stringify({
        category: 'UTILITY',
        countryCode: 'IN',
        providerCost: '0.0014',
        sellPrice: '0.00168',
        chargeId: bodies[0].biz_opaque_callback_data,
      }),
    );
  });

  it('keeps both rows of a send that failed, newest first', async () => {
    providerRefuses(on.tenant);
    expect((await notify(on.waybill, on.tenant)).status).to.equal(502);
    const { balance, transactions } = await credits();
    expect(balance).to.equal(100);
    const [refund, deduct] = transactions;
    for (const row of [refund, deduct]) expect(row).not.to.have.property('messageId');
    expect(deduct).to.include({ type: 'DEDUCT', amount: -1, balanceAfter: 99 });
    const reason = 'order_shipped';
    expect(refund).to.include({ type: 'REFUND', amount: 1, balanceAfter: 100, reason });
    expect(refund.metadata).to.equal(deduct.metadata);
    expect(refund.id).not.to.equal(deduct.id);
  });

  it('lists the latest 20 movements and no more', async () => {
    for (let amount = 1; amount <= 24; amount += 1) await grant(amount);
    const { balance, transactions } = await credits();
    expect(transactions.map(({ amount }) => amount)).to.deep.equal(
      Array.from({ length: 20 }, (_, index) => 24 - index),
    );
    expect(balance).to.equal(100 + 300);
    expect(transactions[0].balanceAfter).to.equal(balance);
  });
});
