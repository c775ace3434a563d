import { expect } from 'chai';
import fc from 'fast-check';
import { type Market, markets } from '../../../src/commands/pricing/market.ts';
import { Amount } from '../../../src/commands/pricing/money.ts';
import {
  cardInForce,
  costOf,
  defaultRateCard,
  Rates,
} from '../../../src/commands/pricing/rate-card.ts';
import { type RateCard, RateCardPublished } from '../../../src/events/pricing.ts';

/** The provider's card in US dollars of 1 October 2026: marketing, and the price of all others. */
const published = `
  Argentina: .0618 .0260
  Bangladesh: .0732 .0037
  Brazil: .0625 .0068
  Chile: .0889 .0200
  Colombia: .0125 .0008
  Egypt: .0644 .0036
  France: .0859 .0300
  Germany: .1365 .0550
  Hong Kong: .0732 .0260
  Hungary: .0860 .0350
  India: .0118 .0014
  Indonesia: .0411 .0250
  Iraq: .0341 .0079
  Israel: .0353 .0053
  Italy: .0795 .0300
  Kazakhstan: .0604 .0180
  Kuwait: .0792 .0440
  Malaysia: .0860 .0140
  Mexico: .0397 .0085
  Morocco: .0414 .0230
  Nepal: .0732 .0034
  Netherlands: .1597 .0500
  Nigeria: .0516 .0067
  Oman: .0341 .0247
  Pakistan: .0473 .0150
  Peru: .0703 .0300
  Poland: .0366 .0122
  Qatar: .0341 .0120
  Romania: .0860 .0290
  Russia: .0802 .0400
  Saudi Arabia: .0576 .0107
  Singapore: .0732 .0160
  South Africa: .0379 .0095
  Spain: .0707 .0200
  Sri Lanka: .0732 .0020
  Turkey: .0109 .0009
  Ukraine: .0860 .0298
  United Arab Emirates: .0576 .0157
  United Kingdom: .0635 .0220
  North America: .0250 .0034
  Rest of Africa: .0225 .0040
  Rest of Asia Pacific: .0842 .0113
  Rest of Central & Eastern Europe: .0860 .0212
  Rest of Latin America: .0740 .0113
  Rest of Middle East: .0392 .0091
  Rest of Western Europe: .0592 .0171
  Other: .0604 .0077
`;
const rows = published
  .trim()
  .split('\n')
  .map((line) => {
    const [market = '', rates = ''] = line.trim().split(': ');
    const [marketing = '', utility = ''] = rates.split(' ');
    return { market, marketing, utility };
  });

const card = (changes: Partial<RateCard>): RateCard => ({ ...defaultRateCard, ...changes });
const at = (time: string) => Date.parse(time);

describe('the default rate card', () => {
  it('is a card that may be stored', () => {
    expect(RateCardPublished.of(defaultRateCard).data).to.deep.equal(defaultRateCard);
    expect(defaultRateCard).to.include({
      rateCardId: 'default-usd-2026-10',
      currency: 'USD',
      effectiveFrom: '2026-10-01T00:00:00.000Z',
    });
  });

  it('has the 46 markets and Other, and no more', () => {
    expect(rows).to.have.length(47);
    expect(Object.keys(defaultRateCard.rates)).to.deep.equal(rows.map(({ market }) => market));
    expect(Object.keys(defaultRateCard.rates)).to.have.members(markets);
  });

  for (const { market, marketing, utility } of rows) {
    it(`takes ${marketing} and ${utility} for ${market}`, () => {
      expect(defaultRateCard.rates[market]).to.deep.equal({
        MARKETING: Amount.parse(`0${marketing}`),
        UTILITY: Amount.parse(`0${utility}`),
        AUTHENTICATION: Amount.parse(`0${utility}`),
        SERVICE: Amount.parse(`0${utility}`),
      });
    });
  }

  it('adds up to the totals of the published table', () => {
    const rates = Object.values(defaultRateCard.rates);
    expect(rates.reduce((sum, rate) => sum + rate.MARKETING, 0)).to.equal(2_907_600);
    expect(rates.reduce((sum, rate) => sum + rate.UTILITY, 0)).to.equal(818_700);
  });
});

describe('costOf', () => {
  it('takes the price of UTILITY for SERVICE where the card has none', () => {
    const rate = { MARKETING: 3, UTILITY: 2, AUTHENTICATION: 1 };
    const costAt = (Other: RateCard['rates'][string]) =>
      costOf(card({ rates: { Other } }), 'India', 'SERVICE');
    expect(costAt(rate)).to.equal(2);
    expect(costAt({ ...rate, SERVICE: 0 })).to.equal(0);
  });

  it('reads a card that was published before SERVICE had a price', () => {
    const rates = { Other: { MARKETING: 60_400, UTILITY: 7_700, AUTHENTICATION: 7_700 } };
    const old = RateCardPublished.decode(1, { ...defaultRateCard, rates });
    expect(old.rates).to.deep.equal(rates);
    expect(costOf(old, 'India', 'SERVICE')).to.equal(7_700);
  });

  it('takes Other for a market that the card does not have', () => {
    const { Other = expect.fail() } = defaultRateCard.rates;
    expect(costOf(card({ rates: { Other } }), 'India', 'MARKETING')).to.equal(60_400);
  });

  it('does not take an absent row and an absent Other for free', () => {
    const empty = card({ rates: {} });
    expect(() => costOf(empty, 'India', 'UTILITY')).to.throw(/no rates for the market Other/);
  });
});

describe('cardInForce', () => {
  const october = card({ rateCardId: 'october', effectiveFrom: '2026-10-01T00:00:00.000Z' });
  const euro = card({ rateCardId: 'euro', currency: 'EUR' });
  const idAt = (cards: RateCard[], time: string, currency = 'USD') =>
    cardInForce(cards, currency, at(time))?.rateCardId;

  it('keeps to the currency', () => {
    expect(idAt([october, euro], '2026-11-01T00:00:00Z', 'EUR')).to.equal('euro');
    expect(idAt([october], '2026-11-01T00:00:00Z', 'EUR')).to.equal(undefined);
  });

  it('is the later published of two that took effect together, however the time is written', () => {
    const again = card({ rateCardId: 'again', effectiveFrom: '2026-10-01T00:00:00Z' });
    expect(idAt([october, again], '2026-11-01T00:00:00Z')).to.equal('again');
    expect(idAt([again, october], '2026-11-01T00:00:00Z')).to.equal('october');
  });

  it('agrees with a sort by time and order of publication', () => {
    const times = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(fc.array(times, { maxLength: 12 }), times, (days, today) => {
        const time = (day: number) => Date.UTC(2026, 0, 1 + day);
        const cards = days.map((day, index) =>
          card({ rateCardId: `${index}`, effectiveFrom: new Date(time(day)).toISOString() }),
        );
        const expected = cards
          .filter(({ effectiveFrom }) => Date.parse(effectiveFrom) <= time(today))
          .toSorted((a, b) => Date.parse(a.effectiveFrom) - Date.parse(b.effectiveFrom))
          .at(-1);
        expect(cardInForce(cards, 'USD', time(today))).to.equal(expected);
      }),
    );
  });
});

describe('Rates', () => {
  const rate = { MARKETING: '0.06', UTILITY: '0.007', AUTHENTICATION: '0.007' };
  const problems = (value: unknown) => Rates.safeParse(value).error?.issues;

  it('reads decimal strings', () => {
    const read = { MARKETING: 60_000, UTILITY: 7_000, AUTHENTICATION: 7_000 };
    const rates = { India: rate, Other: rate };
    expect(Rates.parse(rates)).to.deep.equal({ India: read, Other: read });
  });

  it('takes a price of SERVICE, and does without', () => {
    const { Other } = Rates.parse({ Other: { ...rate, SERVICE: '0.005' } });
    expect(Other).to.include({ UTILITY: 7_000, SERVICE: 5_000 });
    expect(problems({ Other: { ...rate, SERVICE: '-1' } })).to.have.length(1);
  });

  it('wants Other', () => {
    expect(problems({ India: rate })?.[0]?.message).to.contain('Other');
  });

  it('refuses markets that it does not know, missing categories and strange amounts', () => {
    const strange: Record<string, unknown>[] = [
      { Other: rate, Atlantis: rate },
      { Other: { MARKETING: '0.06', UTILITY: '0.007' } },
      { Other: { ...rate, MARKETING: '-0.06' } },
      { Other: { ...rate, MARKETING: 0.06 } },
      { Other: { ...rate, MARKETING: '1000000.000001' } },
    ];
    for (const value of strange) expect(problems(value)).to.have.length(1);
    expect(problems({ Other: { ...rate, MARKETING: '1000000' } })).to.equal(undefined);
  });

  it('takes every market of the default card', () => {
    const all = Object.fromEntries(markets.map((market: Market) => [market, rate]));
    expect(Object.keys(Rates.parse(all))).to.have.members(markets);
  });
});
