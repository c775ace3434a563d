import type { Category } from '../../events/category.ts';
import type { Price } from '../../events/price.ts';
import { type PlanTerms, planBounds, type RateCard } from '../../events/pricing.ts';
import { placeOf } from './market.ts';
import { cardInForce, costOf } from './rate-card.ts';

/** The built-in plan, and the default of a new account. */
export const standardPlan: PlanTerms = {
  planId: 'standard',
  planVersion: 1,
  name: 'Standard',
  billing: 'credits',
  currency: 'USD',
  markup: 200_000,
  creditValue: 10_000,
  refundFailedDeliveries: true,
  ...planBounds,
  chargeService: false,
};

/** A hundred percent in ten-thousandths of a percent. */
const WHOLE = 1_000_000n;

const safeNumber = (value: bigint): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`price ${value} is too large`);
  return number;
};

/** Cost with the markup on top, rounded half-up to a millionth. */
export const sellPriceOf = (cost: number, markup: number): number =>
  safeNumber((BigInt(cost) * (WHOLE + BigInt(markup)) + WHOLE / 2n) / WHOLE);

/** Credits of a price: 0 for a free message, else the price in credits rounded up. */
export const creditsFor = (sellPrice: number, creditValue: number): number =>
  safeNumber((BigInt(sellPrice) + BigInt(creditValue) - 1n) / BigInt(creditValue));

const creditsRequired = (plan: PlanTerms, sellPrice: number): number => {
  if (plan.billing === 'wallet') return 0;
  if (plan.creditValue === null) {
    throw new Error(`plan ${plan.planId} is billed in credits but gives a credit no value`);
  }
  return creditsFor(sellPrice, plan.creditValue);
};

/** Whether messages can be priced on this plan; checked before the plan is assigned. */
export const canPrice = (plan: PlanTerms, cards: readonly RateCard[], at: number): boolean =>
  cardInForce(cards, plan.currency, at) !== undefined;

/** A message to a market; `placeOf` finds it. */
interface Quoted extends Pick<Price, 'category' | 'market' | 'countryCode'> {
  plan: PlanTerms;
  /** The card in force in the plan's currency. */
  card: RateCard | undefined;
}

const charge = ({ category, market, plan, card }: Quoted) => {
  const isFree = category === 'SERVICE' && !plan.chargeService;
  if (card?.currency !== plan.currency) {
    if (isFree) return { rateCardId: null, providerCost: 0, sellPrice: 0, creditsRequired: 0 };
    throw new Error(`no rate card in ${plan.currency} is in force for plan ${plan.planId}`);
  }
  const { rateCardId } = card;
  const providerCost = costOf(card, market, category);
  if (isFree) return { rateCardId, providerCost, sellPrice: 0, creditsRequired: 0 };
  const sellPrice = sellPriceOf(providerCost, plan.markup);
  return { rateCardId, providerCost, sellPrice, creditsRequired: creditsRequired(plan, sellPrice) };
};

/**
 * The price of one message, with what the provider takes for it. SERVICE is free unless the plan
 * charges it. A missing rate card is the operator's mistake, not the caller's, so it is a fault and
 * not a refusal; a free message goes out without its cost.
 */
export const priceMessage = (quoted: Quoted): Price => {
  const { category, market, countryCode, plan } = quoted;
  return {
    category,
    market,
    countryCode,
    billing: plan.billing,
    currency: plan.currency,
    planId: plan.planId,
    planVersion: plan.planVersion,
    ...charge(quoted),
    refundOnFailure: plan.refundFailedDeliveries,
  };
};

/** The price of a message that is sent at a time (ms since 1970). */
export type PriceAt = (category: Category, to: string, at: number) => Price;

/** Prices the messages of one plan; keeps the price of each category and country while a card is in force. */
export const createPrices = (plan: PlanTerms, cards: readonly RateCard[]): PriceAt => {
  const prices = new Map<string, Price>();
  let card: RateCard | undefined;
  let [from, until] = [0, 0];

  const findCard = (at: number): void => {
    const changes = cards.map(({ effectiveFrom }) => Date.parse(effectiveFrom));
    from = Math.max(0, ...changes.filter((change) => change <= at));
    until = Math.min(...changes.filter((change) => change > at));
    card = cardInForce(cards, plan.currency, at);
    prices.clear();
  };

  return (category, to, at) => {
    if (at < from || at >= until) findCard(at);
    const place = placeOf(to);
    const key = `${category} ${place.market} ${place.countryCode}`;
    const known = prices.get(key);
    if (known) return known;
    const price = priceMessage({ category, ...place, plan, card });
    prices.set(key, price);
    return price;
  };
};
