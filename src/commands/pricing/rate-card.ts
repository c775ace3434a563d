import { z } from 'zod';
import { type Category, categories, categoryNames, ratesOf } from '../../events/category.ts';
import { type Pricing, statusRank } from '../../events/message.ts';
import type { Price } from '../../events/price.ts';
import type { Rate, RateCard } from '../../events/pricing.ts';
import { type Market, markets } from './market.ts';
import { Amount, MICROS_PER_UNIT } from './money.ts';
import { billedCategory, pricingWord } from './template-category.ts';

/** Marketing, then the price of all other categories everywhere; in millionths. */
const defaultRates: Record<Market, readonly [marketing: number, utility: number]> = {
  Argentina: [61_800, 26_000],
  Bangladesh: [73_200, 3_700],
  Brazil: [62_500, 6_800],
  Chile: [88_900, 20_000],
  Colombia: [12_500, 800],
  Egypt: [64_400, 3_600],
  France: [85_900, 30_000],
  Germany: [136_500, 55_000],
  'Hong Kong': [73_200, 26_000],
  Hungary: [86_000, 35_000],
  India: [11_800, 1_400],
  Indonesia: [41_100, 25_000],
  Iraq: [34_100, 7_900],
  Israel: [35_300, 5_300],
  Italy: [79_500, 30_000],
  Kazakhstan: [60_400, 18_000],
  Kuwait: [79_200, 44_000],
  Malaysia: [86_000, 14_000],
  Mexico: [39_700, 8_500],
  Morocco: [41_400, 23_000],
  Nepal: [73_200, 3_400],
  Netherlands: [159_700, 50_000],
  Nigeria: [51_600, 6_700],
  Oman: [34_100, 24_700],
  Pakistan: [47_300, 15_000],
  Peru: [70_300, 30_000],
  Poland: [36_600, 12_200],
  Qatar: [34_100, 12_000],
  Romania: [86_000, 29_000],
  Russia: [80_200, 40_000],
  'Saudi Arabia': [57_600, 10_700],
  Singapore: [73_200, 16_000],
  'South Africa': [37_900, 9_500],
  Spain: [70_700, 20_000],
  'Sri Lanka': [73_200, 2_000],
  Turkey: [10_900, 900],
  Ukraine: [86_000, 29_800],
  'United Arab Emirates': [57_600, 15_700],
  'United Kingdom': [63_500, 22_000],
  'North America': [25_000, 3_400],
  'Rest of Africa': [22_500, 4_000],
  'Rest of Asia Pacific': [84_200, 11_300],
  'Rest of Central & Eastern Europe': [86_000, 21_200],
  'Rest of Latin America': [74_000, 11_300],
  'Rest of Middle East': [39_200, 9_100],
  'Rest of Western Europe': [59_200, 17_100],
  Other: [60_400, 7_700],
};

/** The built-in card: the provider's list prices of 1 October 2026. */
export const defaultRateCard: RateCard = {
  rateCardId: 'default-usd-2026-10',
  currency: 'USD',
  effectiveFrom: '2026-10-01T00:00:00.000Z',
  rates: Object.fromEntries(
    Object.entries(defaultRates).map(([market, [marketing, utility]]) => [
      market,
      Object.fromEntries(
        categoryNames.map((name) => [name, name === 'MARKETING' ? marketing : utility]),
      ) as Rate,
    ]),
  ),
};

const RATE_MAX = 1_000_000 * MICROS_PER_UNIT;
const rate = Amount.refine((micros) => micros <= RATE_MAX, 'is too large');

/**
 * The rates of a card to be published. An unknown market is refused, because no price would
 * ever be looked up under it.
 */
export const Rates = z
  .partialRecord(z.enum(markets), ratesOf(rate))
  .refine((rates) => rates.Other !== undefined, 'must have rates for the market Other');

/**
 * The card in force at a time (milliseconds since 1970): of the cards in the currency the one that
 * took effect last; of two that took effect together the one published later. The list is in the
 * order of publication.
 */
export const cardInForce = (
  cards: readonly RateCard[],
  currency: string,
  at: number,
): RateCard | undefined => {
  let best: RateCard | undefined;
  let bestFrom = Number.NEGATIVE_INFINITY;
  for (const card of cards) {
    if (card.currency !== currency) continue;
    // Compared as times: ISO strings of different precision do not sort.
    const from = Date.parse(card.effectiveFrom);
    if (from <= at && from >= bestFrom) {
      best = card;
      bestFrom = from;
    }
  }
  return best;
};

/** What the provider takes for one message of a category, in millionths. */
export const rateOf = (rate: Rate, category: Category): number =>
  rate[category] ?? rate[categories[category].pricedLike ?? 'UTILITY'];

/** That for a market of the card; a market not on the card is `Other`. */
export const costOf = (card: RateCard, market: string, category: Category): number => {
  const rate = card.rates[market] ?? card.rates.Other;
  if (!rate) throw new Error(`rate card ${card.rateCardId} has no rates for the market Other`);
  return rateOf(rate, category);
};

/** A status, with what the provider said of its price; null where it said nothing. */
interface Status {
  status: string;
  pricing: Pricing | null;
}

/** What the provider takes from the operator for one message. */
export interface ProviderCost {
  /** Millionths of the currency of the price; null for a free message from before it was recorded. */
  amount: number | null;
  /** `rate_card` until the statuses say how the provider bills the message. */
  basis: 'rate_card' | 'status';
  /** The provider's word for how it bills the message, in one spelling; null without one. */
  pricingType: string | null;
}

const FREE = 'free';

/** The word of one status. Statuses of older versions have `billable` instead. */
export const pricingTypeOf = (pricing: Status['pricing']): string | null => {
  const { type, billable } = pricing ?? {};
  const word = pricingWord(type);
  if (word !== null || typeof billable !== 'boolean') return word;
  return billable ? 'regular' : FREE;
};

/** The first answer that is there. */
const first = <T>(values: readonly (T | null | undefined)[]): T | undefined =>
  values.find((value) => value !== null && value !== undefined) ?? undefined;

/** The recorded price; the card's of another category, where the provider names one. */
const recorded = (price: Price, statuses: readonly Status[], cards: readonly RateCard[]) => {
  const billed = first(statuses.map(({ pricing }) => billedCategory(pricing)));
  const card = cards.find(({ rateCardId }) => rateCardId === price.rateCardId);
  if (!billed || billed === 'OTHER' || !card) {
    return price.rateCardId === null ? null : price.providerCost;
  }
  return costOf(card, price.market, billed);
};

/**
 * The cost of a message by the log alone: the price that was recorded at the send and the statuses of
 * the message, in the order of the log. The provider bills at the delivery, and says with the first
 * status that has a pricing whether it does: `regular`, or one of several words that begin with `free`.
 */
export const providerCostOf = (
  price: Price,
  statuses: readonly Status[],
  cards: readonly RateCard[],
): ProviderCost => {
  const pricingType = first(statuses.map(({ pricing }) => pricingTypeOf(pricing))) ?? null;
  const rank = Math.max(0, ...statuses.map(({ status }) => statusRank(status)));
  const isFree = pricingType?.startsWith(FREE) || rank === statusRank('failed');
  if (isFree) return { amount: 0, basis: 'status', pricingType };
  const basis = pricingType === 'regular' ? 'status' : 'rate_card';
  return { amount: recorded(price, statuses, cards), basis, pricingType };
};
