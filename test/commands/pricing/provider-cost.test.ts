import { expect } from 'chai';
import fc from 'fast-check';
import { providerCostOf } from '../../../src/commands/pricing/rate-card.ts';
import type { RateCard } from '../../../src/events/pricing.ts';
import { price } from '../../support/samples.ts';

const card: RateCard = {
  rateCardId: 'card_1',
  currency: 'USD',
  effectiveFrom: '2026-10-01T00:00:00.000Z',
  rates: { Other: { MARKETING: 900, UTILITY: 500, AUTHENTICATION: 400, SERVICE: 300 } },
};
const of = (category: 'UTILITY' | 'SERVICE', providerCost: number) =>
  price({ category, rateCardId: card.rateCardId, providerCost });
const utility = of('UTILITY', 500);
const service = of('SERVICE', 300);
type Pricing = Record<string, unknown>;
const heard = (status: string, pricing: Pricing | null = null) => ({ status, pricing });
const costOf = (asked: typeof utility, ...statuses: ReturnType<typeof heard>[]) =>
  providerCostOf(asked, statuses, [card]);

describe('what the provider takes for a message', () => {
  it('is the price of the rate card until a status says how it is billed', () => {
    const unsaid = { basis: 'rate_card', pricingType: null };
    expect(costOf(service)).to.deep.equal({ amount: 300, ...unsaid });
    expect(costOf(utility, heard('sent'))).to.deep.equal({ amount: 500, ...unsaid });
  });

  const spellings: [Pricing, number, string][] = [
    [{ billable: true, type: 'regular', category: 'service' }, 300, 'regular'],
    [{ type: 'regular', category: 'service' }, 300, 'regular'],
    [{ type: 'REGULAR' }, 300, 'regular'],
    [{ billable: true }, 300, 'regular'],
    [{ billable: false, type: 'free_customer_service' }, 0, 'free_customer_service'],
    [{ type: 'free_customer_service' }, 0, 'free_customer_service'],
    [{ type: 'FREE_CUSTOMER_SERVICE' }, 0, 'free_customer_service'],
    [{ type: 'free-entry-point', category: 'referral_conversion' }, 0, 'free_entry_point'],
    [{ type: 'free_group_customer_service' }, 0, 'free_group_customer_service'],
    // The word counts where both are there: `billable` is going.
    [{ billable: true, type: 'free_entry_point' }, 0, 'free_entry_point'],
    [{ billable: false }, 0, 'free'],
  ];
  for (const [pricing, amount, pricingType] of spellings) {
    it(`is ${amount} by ${JSON.stringify(pricing)}`, () => {
      const expected = { amount, pricingType, basis: 'status' };
      expect(costOf(service, heard('sent', pricing))).to.deep.equal(expected);
    });
  }

  it('is that of a free-form message for artificial intelligence, which is billed apart', () => {
    const pricing = { type: 'regular', category: 'general_purpose_ai' };
    expect(costOf(utility, heard('sent', pricing))).to.include({ amount: 300, basis: 'status' });
  });

  it('is the price of the rate card where the word is not known', () => {
    for (const [pricing, pricingType] of [
      [{}, null],
      [{ type: '' }, null],
      [{ type: 7 }, null],
      [{ billable: 'yes' }, null],
      [{ type: 'weekend' }, 'weekend'],
    ] as const) {
      const expected = { amount: 300, basis: 'rate_card', pricingType };
      expect(costOf(service, heard('sent', pricing))).to.deep.equal(expected);
    }
  });

  it('goes by the first status that has a pricing, whichever it is', () => {
    const free = heard('delivered', { type: 'free_customer_service' });
    expect(costOf(service, heard('sent'), free, heard('read')).amount).to.equal(0);
    const billed = heard('sent', { type: 'regular' });
    expect(costOf(service, billed, free).amount).to.equal(300);
  });

  it('is nothing for a message that failed, and the price for one that was delivered after all', () => {
    const billed = heard('sent', { type: 'regular', category: 'utility' });
    expect(costOf(utility, billed, heard('failed'))).to.include({ amount: 0, basis: 'status' });
    expect(costOf(utility, heard('failed'), heard('delivered'))).to.include({ amount: 500 });
  });

  it('is the price of the category that the provider names, on the card of the price', () => {
    const named = (category: string) =>
      costOf(utility, heard('sent', { type: 'regular', category }));
    expect(named('marketing')).to.include({ amount: 900 });
    expect(named('authentication-international')).to.include({ amount: 400 });
    for (const category of ['utility', 'news', 'referral_conversion']) {
      expect(named(category), category).to.include({ amount: 500 });
    }
    const gone = providerCostOf(utility, [heard('sent', { category: 'marketing' })], []);
    expect(gone.amount).to.equal(500);
  });

  it('is not known of a free message from before it was recorded, unless a status says free', () => {
    const old = price({ category: 'SERVICE', rateCardId: null, providerCost: 0 });
    expect(costOf(old).amount).to.equal(null);
    expect(costOf(old, heard('sent', { type: 'regular' })).amount).to.equal(null);
    expect(costOf(old, heard('sent', { type: 'free_customer_service' })).amount).to.equal(0);
  });

  it('is 0 or a price of the card, whatever the provider says', () => {
    const prices = [0, ...Object.values(card.rates.Other!)];
    const status = fc.constantFrom('sent', 'failed', 'delivered', 'read', 'played');
    const pricing = fc.option(
      fc.dictionary(fc.constantFrom('type', 'category', 'billable'), fc.anything()),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ status, pricing }), { maxLength: 5 }), (statuses) => {
        for (const asked of [utility, service]) {
          expect(prices).to.include(providerCostOf(asked, statuses, [card]).amount!);
        }
      }),
    );
  });
});
