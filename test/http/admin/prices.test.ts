import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
import { fieldErrorsOf, notified, useTenant } from '../../support/surface.ts';
import { type Json, providerHasTemplates, templateAnswer } from '../../support/waybill.ts';

const rate = (MARKETING: string, UTILITY: string) => ({
  MARKETING,
  UTILITY,
  AUTHENTICATION: UTILITY,
});
/** That rate as a card is shown. */
const shown = (MARKETING: string, UTILITY: string, SERVICE = UTILITY) => ({
  ...rate(MARKETING, UTILITY),
  SERVICE,
});
const creditPlan = (change: Json = {}) => ({
  name: 'Plain',
  billing: 'credits',
  currency: 'USD',
  markupPercent: '0',
  creditValue: '0.01',
  ...change,
});

describe('Plans, rate cards and prices @long', () => {
  const on = useTenant({ credits: 1000 });
  beforeEach(() => {
    providerHasTemplates(
      on.tenant,
      templateAnswer('order_shipped'),
      templateAnswer('cart_recovery', { category: 'MARKETING' }),
      templateAnswer('otp_verification', { category: 'AUTHENTICATION' }),
    );
  });

  const post = (path: string, body: Json) => on.waybill.admin('POST', path, body);
  const put = (path: string, body: Json) => on.waybill.admin('PUT', path, body);
  const priced = async (change: Json = {}) => {
    const { headers } = await notified(on.waybill, on.tenant, change);
    return [headers['x-message-price'], Number(headers['x-credits-charged'])];
  };

  describe('a send costs', () => {
    const samples: [string, string, string, string, number][] = [
      ['India', '919812345678', 'order_shipped', '0.00168', 1],
      ['India', '919812345678', 'otp_verification', '0.00168', 1],
      ['India', '919812345678', 'cart_recovery', '0.01416', 2],
      ['Germany', '4915112345678', 'cart_recovery', '0.1638', 17],
      ['a market that matches none', '88812345678', 'cart_recovery', '0.07248', 8],
    ];
    for (const [market, to, event, price, credits] of samples) {
      it(`${price} to ${market} for ${event}`, async () => {
        expect(await priced({ to, event })).to.deep.equal([price, credits]);
      });
    }
  });

  describe('plans', () => {
    it('are created and listed, the built-in one last', async () => {
      const plan = creditPlan({ id: 'p1', markupPercent: '12.5' });
      const { body } = await answered(201, post('/plans', plan));
      expect(body).to.deep.equal({
        id: 'p1',
        version: 1,
        name: 'Plain',
        billing: 'credits',
        currency: 'USD',
        markupPercent: '12.5',
        creditValue: '0.0100',
        refundFailedDeliveries: true,
        disconnectRefundsPerDay: 100,
        freeWritesMbPerDay: 50,
        chargeService: false,
      });
      const { body: list } = await on.waybill.admin('GET', '/plans');
      expect(list).to.have.all.keys('plans', 'nextCursor');
      expect(list.plans[0]).to.deep.equal(body);
      expect(list.plans.at(-1)).to.deep.include({
        id: 'standard',
        billing: 'credits',
        currency: 'USD',
        markupPercent: '20',
        creditValue: '0.0100',
      });
    });

    it('that change get a new version, and only later sends its price', async () => {
      await post('/plans', creditPlan({ id: 'changing' }));
      await put(`/accounts/${on.tenant.accountId}/plan`, { planId: 'changing' });
      expect((await priced())[0]).to.equal('0.0014');
      const revised = put('/plans/changing', creditPlan({ markupPercent: '100' }));
      expect((await bodyOf(200, revised)).version).to.equal(2);
      expect((await priced())[0]).to.equal('0.0028');
      const { body } = await on.waybill.admin('GET', `/accounts/${on.tenant.accountId}/ledger`);
      const sold = body.entries.slice(0, 2).map(({ metadata }: Json) => JSON.parse(metadata));
      expect(sold.map(({ sellPrice }: Json) => sellPrice)).to.deep.equal(['0.0028', '0.0014']);
    });

    it('are refused with a validation object, 404 and 409', async () => {
      const wrong: [Json, string][] = [
        [{ billing: 'barter' }, 'billing'],
        [{ currency: 'usd' }, 'currency'],
        [{ markupPercent: 20 }, 'markupPercent'],
        [{ markupPercent: '-1' }, 'markupPercent'],
        [{ creditValue: '0' }, 'creditValue'],
        [{ creditValue: undefined }, 'creditValue'],
        [{ name: '' }, 'name'],
        [{ id: 'a b' }, 'id'],
        [{ refundFailedDeliveries: 'yes' }, 'refundFailedDeliveries'],
        [{ disconnectRefundsPerDay: 0 }, 'disconnectRefundsPerDay'],
        [{ freeWritesMbPerDay: 0.5 }, 'freeWritesMbPerDay'],
        [{ chargeService: 'yes' }, 'chargeService'],
      ];
      for (const [change, field] of wrong) {
        expect(fieldErrorsOf(await post('/plans', creditPlan(change)))).to.deep.equal([field]);
      }
      await answered(409, post('/plans', creditPlan({ id: 'standard' })));
      await answered(404, put('/plans/none', creditPlan()));
      await answered(409, put('/plans/standard', creditPlan({ billing: 'wallet' })));
    });

    it('of another unit are given only to an empty account', async () => {
      await post('/plans', creditPlan({ id: 'w', billing: 'wallet', creditValue: undefined }));
      const path = `/accounts/${on.tenant.accountId}/plan`;
      await answered(409, put(path, { planId: 'w' }));
      await post(`/accounts/${on.tenant.accountId}/credits/revoke`, { amount: 1000 });
      const { body } = await answered(200, put(path, { planId: 'w' }));
      expect(body).to.deep.include({ planId: 'w', billing: 'wallet', balance: '0.0000' });
      await answered(404, put(path, { planId: 'none' }));
      await answered(404, put('/accounts/none/plan', { planId: 'w' }));
    });
  });

  describe('rate cards', () => {
    it('change the price of later sends only, from their date on', async () => {
      await post('/plans', creditPlan({ id: 'eur', currency: 'EUR', creditValue: '0.10' }));
      const now = on.waybill.clock.now();
      const card = (effectiveFrom: number, other: string) => ({
        currency: 'EUR',
        effectiveFrom: new Date(effectiveFrom).toISOString(),
        rates: { Other: rate('0.5', other), India: rate('0.25', '0.2') },
      });
      const first = await answered(201, post('/rate-cards', card(now - 1000, '0.3')));
      expect(first.body).to.deep.equal({
        id: first.body.id,
        currency: 'EUR',
        effectiveFrom: new Date(now - 1000).toISOString(),
        rates: { Other: shown('0.5000', '0.3000'), India: shown('0.2500', '0.2000') },
      });
      const of = `/accounts/${on.tenant.accountId}`;
      await post(`${of}/credits/revoke`, { amount: 1000 });
      await put(`${of}/plan`, { planId: 'eur' });
      await post(`${of}/credits/grant`, { amount: 100 });
      const german = { to: '4915112345678' };
      expect(await priced(german)).to.deep.equal(['0.3000', 3]);
      expect(await priced()).to.deep.equal(['0.2000', 2]);
      await post('/rate-cards', card(now + 60_000, '0.4'));
      expect(await priced(german)).to.deep.equal(['0.3000', 3]);
      on.waybill.clock.advance(60_000);
      expect(await priced(german)).to.deep.equal(['0.4000', 4]);
      const { body } = await on.waybill.admin('GET', `/accounts/${on.tenant.accountId}/ledger`);
      const [newest, before] = body.entries.filter(({ type }: Json) => type === 'DEDUCT');
      expect([newest.amount, before.amount]).to.deep.equal([-4, -3]);
      const { body: list } = await on.waybill.admin('GET', '/rate-cards');
      const currencies = list.rateCards.map(({ currency }: Json) => currency);
      expect(currencies).to.deep.equal(['EUR', 'EUR', 'USD']);
      expect(list.rateCards.at(-1).rates.India).to.deep.equal(shown('0.0118', '0.0014'));
    });

    it('must be there before an account is put on a plan in their currency', async () => {
      await post('/plans', creditPlan({ id: 'jpy', currency: 'JPY' }));
      await post(`/accounts/${on.tenant.accountId}/credits/revoke`, { amount: 1000 });
      await answered(409, put(`/accounts/${on.tenant.accountId}/plan`, { planId: 'jpy' }));
      const path = `/organisations/${on.tenant.organisationId}/accounts`;
      await answered(409, post(path, { name: 'Yen', planId: 'jpy' }));
    });
  });
});
