import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Percent, PositiveAmount } from '../commands/pricing/money.ts';
import { priceMessage, standardPlan } from '../commands/pricing/pricing.ts';
import { defaultRateCard, Rates } from '../commands/pricing/rate-card.ts';
import type { KnownEvent } from '../events/index.ts';
import type { Price } from '../events/price.ts';
import type { PlanTerms, RateCard } from '../events/pricing.ts';
import type { EventReader } from '../events/store.ts';
import { AppError } from '../shared/errors.ts';
import type { Limits } from '../shared/usage.ts';
import { creditValues, readCard, termsOf } from './read-statement.ts';
import type { CreditValueOf } from './statement.ts';

// Other rules than those under which a history was decided, and the prices that they make.

type Log = Pick<EventReader, 'read'>;

const id = (what: string) => z.string().min(1).max(100).describe(what);
const cap = (what: string) => z.int().min(0).nullable().optional().describe(`${what}; null: none.`);

/** What is absent stays as it was. */
export const WhatIfRules = z.object({
  plan: z
    .union([
      id('Id of a plan, whose newest version counts.'),
      z
        .object({
          markupPercent: Percent.optional().describe("Added to the provider's price."),
          creditValue: PositiveAmount.optional().describe('Value of a credit.'),
        })
        .describe('Terms that replace those of the own plan of each account.'),
    ])
    .optional()
    .describe('Another plan, or other terms.'),
  rateCard: z
    .union([
      id('Id of a rate card.'),
      z
        .object({
          currency: z
            .string()
            .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as USD')
            .describe('ISO 4217 code.'),
          rates: Rates.describe('Prices by market and category; `Other` is required.'),
        })
        .describe('The prices of a card.'),
    ])
    .optional()
    .describe('Another rate card.'),
  chargeService: z.boolean().optional().describe('Whether free-form replies (SERVICE) are priced.'),
  caps: z
    .object({
      perMinute: cap('Messages in a minute'),
      daily: cap('Messages in a UTC day'),
      monthly: cap('Messages in a UTC month'),
    })
    .optional()
    .describe('Sending caps. Those of the account refused nothing of what was sent.'),
});
export type WhatIfRules = z.output<typeof WhatIfRules>;

/** The rules of the provider from 1 October 2026 on: its prices, and free-form replies cost. */
export const presets = {
  '2026-10': { rateCard: defaultRateCard.rateCardId, chargeService: true },
} as const satisfies Record<string, z.input<typeof WhatIfRules>>;

/** Rules with what they name. */
export interface Rules {
  /** Another plan. */
  plan?: PlanTerms | undefined;
  /** Terms of the own plan that are other ones. */
  terms: Partial<Pick<PlanTerms, 'markup' | 'creditValue' | 'chargeService'>>;
  card?: Pick<RateCard, 'rateCardId' | 'currency' | 'rates'> | undefined;
  limits: Limits;
}

const unknown = (what: string): never => {
  throw new AppError('resource.unknown', `${what} not found`);
};

const newestPlan = async (log: Log, planId: string): Promise<PlanTerms> => {
  const last = { direction: 'backwards', limit: 1 } as const;
  const [event] = (await log.read(`plan-${planId}`, last)) as readonly KnownEvent[];
  if (event?.type === 'PlanPublished') return event.data;
  return planId === standardPlan.planId ? standardPlan : unknown('Plan');
};

/** Reads what rules name. Throws for what is not there. */
export const readRules = async (
  log: Log,
  { plan, rateCard, chargeService, caps }: WhatIfRules,
): Promise<Rules> => {
  const { perMinute = null, daily = null, monthly = null } = caps ?? {};
  const { markupPercent: markup, creditValue } = typeof plan === 'object' ? plan : {};
  return {
    plan: typeof plan === 'string' ? await newestPlan(log, plan) : undefined,
    terms: {
      ...(markup !== undefined && { markup }),
      ...(creditValue !== undefined && { creditValue }),
      ...(chargeService !== undefined && { chargeService }),
    },
    card:
      typeof rateCard === 'string'
        ? await readCard(log, rateCard)
        : rateCard && { rateCardId: 'as asked', ...rateCard },
    limits: { perMinute, daily, monthly, paused: false },
  };
};

/** The rules cannot decide the history of an account. */
export const doNotApply = (why: string): AppError => new AppError('resource.conflict', why);

/** Distinct prices that are kept. */
const PRICES_MAX = 10_000;
/** Marks a plan whose terms are other ones, so that its credits are not those of the plan itself. */
const CHANGED = 'changed ';

/** Prices under other rules, and the values of their credits. */
export interface Pricing {
  /** The price of the same message; the real one where the rules say nothing else. */
  under(real: Price): Promise<Price>;
  creditValueOf: CreditValueOf;
}

export const createPricing = (log: Log, rules: Rules): Pricing => {
  const known = new LRUCache<string, Price>({ max: PRICES_MAX });
  const realValueOf = creditValues(log);
  const changes = Object.keys(rules.terms).length > 0;

  const planOf = async (real: Price): Promise<PlanTerms> => {
    const own = rules.plan ?? (await termsOf(log, real));
    if (!own) {
      const { planId, planVersion } = real;
      throw doNotApply(`The log has no version ${planVersion} of plan ${planId}`);
    }
    return changes ? { ...own, ...rules.terms, planId: CHANGED + own.planId } : own;
  };

  const price = async (real: Price): Promise<Price> => {
    const { category, market, countryCode, rateCardId } = real;
    const plan = await planOf(real);
    const own = rateCardId === null ? undefined : await readCard(log, rateCardId);
    const card = rules.card ?? own;
    const isFree = category === 'SERVICE' && !plan.chargeService;
    if (!card && !isFree) {
      throw doNotApply(`No rate card was in force for ${category}: name one`);
    }
    if (card && card.currency !== plan.currency) {
      const name = plan.planId.replace(CHANGED, '');
      throw doNotApply(
        `Rate card ${card.rateCardId} is in ${card.currency}, and plan ${name} in ${plan.currency}`,
      );
    }
    const place = { category, market, countryCode };
    return priceMessage({ ...place, plan, card: card as RateCard | undefined });
  };

  return {
    async under(real) {
      const { category, market, countryCode, planId, planVersion, rateCardId } = real;
      const key = `${category} ${countryCode} ${planVersion} ${planId} ${rateCardId} ${market}`;
      let found = known.get(key);
      if (!found) {
        found = await price(real);
        known.set(key, found);
      }
      return found;
    },
    async creditValueOf(plan) {
      const planId = plan.planId.replace(CHANGED, '');
      if (planId !== plan.planId && rules.terms.creditValue) return rules.terms.creditValue;
      if (rules.plan?.planId === planId && rules.plan.creditValue) return rules.plan.creditValue;
      return realValueOf({ ...plan, planId });
    },
  };
};
