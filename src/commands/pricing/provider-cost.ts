import { statusRank } from '../../events/message.ts';
import type { Price } from '../../events/price.ts';
import type { RateCard } from '../../events/pricing.ts';
import type { Pricing } from '../../events/status-pricing.ts';
import { costOf } from './rate-card.ts';
import { billedCategory, pricingWord } from './template-category.ts';

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

/** The word of one status. `billable` stands for it in the statuses of older versions. */
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
