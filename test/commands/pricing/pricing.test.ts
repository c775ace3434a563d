import { expect } from 'chai';
import fc from 'fast-check';
import { placeOf } from '../../../src/commands/pricing/market.ts';
import {
  canPrice,
  createPrices,
  creditsFor,
  priceMessage,
  sellPriceOf,
  standardPlan,
} from '../../../src/commands/pricing/pricing.ts';
import { cardInForce, defaultRateCard } from '../../../src/commands/pricing/rate-card.ts';
import { Price } from '../../../src/events/price.ts';
import { PlanPublished, type PlanTerms, type RateCard } from '../../../src/events/pricing.ts';

type Asked = Parameters<typeof priceMessage>[0];

const india = '919812345678';
/** The price of a message to India, under the standard plan and card unless told otherwise. */
const priceOf = (category: Asked['category'], change: Partial<Asked> = {}) =>
  priceMessage({
    category,
    ...placeOf(india),
    plan: standardPlan,
    card: defaultRateCard,
    ...change,
  });
const wallet: PlanTerms = { ...standardPlan, billing: 'wallet', creditValue: null };
const at = Date.parse('2026-11-01T00:00:00Z');

/** A rate of at most a million units, in millionths. */
const cost = fc.oneof(
  fc.nat(1_000_000),
  fc.nat(200).map((n) => n * 100),
  fc.nat(10 ** 12),
);
/** A markup of at most 10,000 %, in ten-thousandths of a percent. */
const markup = fc.oneof(
  fc.nat(1_000_000),
  fc.nat(100).map((n) => n * 10_000),
  fc.nat(10 ** 8),
);
const creditValue = fc.integer({ min: 1, max: 10 ** 9 });

describe('the standard plan', () => {
  it('is a plan that may be stored', () => {
    expect(PlanPublished.of(standardPlan).data).to.deep.equal(standardPlan);
    expect(standardPlan).to.include({
      planId: 'standard',
      planVersion: 1,
      billing: 'credits',
      currency: 'USD',
      markup: 200_000,
      creditValue: 10_000,
      refundFailedDeliveries: true,
    });
  });

  it('is priced by the default card', () => {
    expect(canPrice(standardPlan, [defaultRateCard], at)).to.equal(true);
    expect(canPrice({ ...standardPlan, currency: 'EUR' }, [defaultRateCard], at)).to.equal(false);
    expect(canPrice(standardPlan, [], at)).to.equal(false);
  });
});

describe('priceMessage', () => {
  it('prices a marketing message to India', () => {
    const price = priceOf('MARKETING');
    expect(price).to.deep.equal({
      category: 'MARKETING',
      market: 'India',
      countryCode: 'IN',
      billing: 'credits',
      currency: 'USD',
      planId: 'standard',
      planVersion: 1,
      rateCardId: 'default-usd-2026-10',
      providerCost: 11_800,
      sellPrice: 14_160,
      creditsRequired: 2,
      refundOnFailure: true,
    });
    expect(Price.parse(price)).to.deep.equal(price);
  });

  const priced: [string, 'MARKETING' | 'UTILITY' | 'AUTHENTICATION', number, number][] = [
    [india, 'UTILITY', 1_680, 1],
    [india, 'AUTHENTICATION', 1_680, 1],
    ['4915123456789', 'MARKETING', 163_800, 17],
    ['31612345678', 'UTILITY', 60_000, 6],
    ['573001234567', 'UTILITY', 960, 1],
    ['999', 'UTILITY', 9_240, 1],
  ];
  for (const [to, category, sellPrice, creditsRequired] of priced) {
    it(`takes ${creditsRequired} for ${category} to ${to}`, () => {
      expect(priceOf(category, placeOf(to))).to.include({ sellPrice, creditsRequired });
    });
  }

  it('asks no credits of a wallet', () => {
    const asked = { billing: 'wallet', sellPrice: 14_160, creditsRequired: 0 };
    expect(priceOf('MARKETING', { plan: wallet })).to.include(asked);
  });

  describe('of the category SERVICE', () => {
    const card = {
      ...defaultRateCard,
      rates: { Other: { MARKETING: 9_000, UTILITY: 5_000, AUTHENTICATION: 5_000, SERVICE: 4_000 } },
    };
    const priced = (plan: PlanTerms, on: RateCard | undefined = card) =>
      priceOf('SERVICE', { plan, card: on });
    const charging = { chargeService: true };
    const taken = { rateCardId: card.rateCardId, providerCost: 4_000 };
    const free = { sellPrice: 0, creditsRequired: 0 };

    it('is free, and carries what the provider takes', () => {
      const expected = { category: 'SERVICE', market: 'India', countryCode: 'IN', ...free };
      for (const plan of [standardPlan, wallet]) {
        expect(priced(plan)).to.include({ ...expected, ...taken });
      }
    });

    it('is free without a card in the currency of the plan, at an unknown cost', () => {
      const unknown = { ...free, rateCardId: null, providerCost: 0 };
      for (const plan of [standardPlan, wallet]) {
        expect(priceOf('SERVICE', { plan, card: undefined })).to.include(unknown);
        expect(priced({ ...plan, currency: 'EUR' })).to.include(unknown);
      }
    });

    it('costs its column with the markup where the plan charges it', () => {
      const asked = { ...taken, sellPrice: 4_800 };
      const onCredits = { ...standardPlan, ...charging };
      expect(priced(onCredits)).to.include({ ...asked, creditsRequired: 1 });
      expect(priced({ ...wallet, ...charging })).to.include({ ...asked, creditsRequired: 0 });
    });

    it('is at fault without a card where the plan charges it', () => {
      const euros = { ...standardPlan, ...charging, currency: 'EUR' };
      expect(() => priced(euros)).to.throw(/no rate card in EUR/);
    });

    it('costs what a template of the same rate costs, or nothing, and the same to us', () => {
      fc.assert(
        fc.property(cost, markup, creditValue, fc.boolean(), (rate, percent, value, isCharged) => {
          const rates = { MARKETING: 0, UTILITY: rate, AUTHENTICATION: 0, SERVICE: rate };
          const on = { ...card, rates: { Other: rates } };
          for (const billing of ['credits', 'wallet'] as const) {
            const plan: PlanTerms = {
              ...standardPlan,
              billing,
              markup: percent,
              chargeService: isCharged,
              creditValue: billing === 'credits' ? value : null,
            };
            const template = priceOf('UTILITY', { plan, card: on });
            expect(priced(plan, on)).to.deep.equal({
              ...template,
              category: 'SERVICE',
              ...(isCharged ? {} : free),
            });
          }
        }),
      );
    });
  });

  it('takes nothing for a rate of zero', () => {
    const card = {
      ...defaultRateCard,
      rates: { Other: { MARKETING: 0, UTILITY: 0, AUTHENTICATION: 0 } },
    };
    const nothing = { providerCost: 0, sellPrice: 0, creditsRequired: 0 };
    const { rateCardId } = card;
    expect(priceOf('UTILITY', { card })).to.include({ ...nothing, rateCardId });
  });

  it('passes on whether failed deliveries are refunded', () => {
    const plan = { ...standardPlan, refundFailedDeliveries: false };
    expect(priceOf('UTILITY', { plan }).refundOnFailure).to.equal(false);
  });

  it('is at fault without a card in the currency of the plan', () => {
    const plan = { ...standardPlan, currency: 'EUR' };
    for (const card of [defaultRateCard, undefined]) {
      expect(() => priceOf('UTILITY', { plan, card })).to.throw(/no rate card in EUR/);
    }
  });

  it('is at fault with a credit plan whose credit is worth nothing', () => {
    const plan = { ...standardPlan, creditValue: null };
    expect(() => priceOf('UTILITY', { plan })).to.throw(/gives a credit no value/);
  });
});

describe('sellPriceOf', () => {
  const rounded: [number, number, number][] = [
    [1, 500_000, 2], // 1.5
    [1, 499_999, 1], // 1.499999
    [3, 500_000, 5], // 4.5
    [1_000_001, 200_000, 1_200_001], // 1,200,001.2
    [0, 200_000, 0],
    [11_800, 0, 11_800],
  ];
  for (const [from, percent, to] of rounded) {
    it(`makes ${to} of ${from} and ${percent}`, () => {
      expect(sellPriceOf(from, percent)).to.equal(to);
    });
  }

  it('is the nearest millionth, and the upper of two', () => {
    fc.assert(
      fc.property(cost, markup, (base, extra) => {
        const exact = BigInt(base) * (1_000_000n + BigInt(extra));
        const twiceOff = 2n * (BigInt(sellPriceOf(base, extra)) * 1_000_000n - exact);
        expect(twiceOff > -1_000_000n && twiceOff <= 1_000_000n).to.equal(true);
      }),
    );
  });

  it('refuses what would no longer be exact', () => {
    expect(() => sellPriceOf(Number.MAX_SAFE_INTEGER, 1_000_000)).to.throw(RangeError);
  });
});

describe('creditsFor', () => {
  it('is worth the price, and one credit less is not', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 14), creditValue, (sellPrice, value) => {
        const credits = BigInt(creditsFor(sellPrice, value));
        expect(credits * BigInt(value) >= BigInt(sellPrice)).to.equal(true);
        expect((credits - 1n) * BigInt(value) < BigInt(sellPrice)).to.equal(true);
      }),
    );
  });

  it('is nothing for nothing and at least one for something', () => {
    const credits = [0, 1, 10_000, 10_001].map((sellPrice) => creditsFor(sellPrice, 10_000));
    expect(credits).to.deep.equal([0, 1, 1, 2]);
  });
});

describe('createPrices', () => {
  it('prices as without a memory, whatever cards and times come after one another', () => {
    const from = (effectiveFrom: string, utility: number): RateCard => ({
      ...defaultRateCard,
      rateCardId: effectiveFrom,
      effectiveFrom,
      rates: { Other: { ...defaultRateCard.rates.Other!, UTILITY: utility } },
    });
    const cards = [
      defaultRateCard,
      from('2027-01-01T00:00:00.000Z', 1000),
      { ...from('2026-12-01T00:00:00.000Z', 1), currency: 'EUR' },
      from('2027-02-01T00:00:00.000Z', 2000),
    ];
    const times = ['2026-10-01', '2026-12-31', '2027-01-01', '2027-01-31', '2027-02-01'];
    const asked = fc.record({
      at: fc.constantFrom(...times.map((day) => Date.parse(day))),
      to: fc.constantFrom(india, '4915123456789', '14155550123', 'US.1349'),
      category: fc.constantFrom('MARKETING' as const, 'UTILITY' as const, 'SERVICE' as const),
    });
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 12 }), (all) => {
        const priceAt = createPrices(standardPlan, cards);
        for (const { category, to, at } of all) {
          const card = cardInForce(cards, 'USD', at);
          const price = priceMessage({ category, ...placeOf(to), plan: standardPlan, card });
          expect(priceAt(category, to, at)).to.deep.equal(price);
        }
      }),
    );
  });
});
