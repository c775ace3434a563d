import { z } from 'zod';
import { ratesOf } from './category.ts';
import { defineEvent, type FactOf } from './define.ts';
import { Billing } from './price.ts';

/** The default bounds of a plan, also of plans of version 1. */
export const planBounds = { disconnectRefundsPerDay: 100, freeWritesMbPerDay: 50 };

/** A plan's terms. Each publication is a new version; a charge keeps the version of its reservation. */
export const PlanPublished = defineEvent(
  'PlanPublished',
  z.object({
    planId: z.string(),
    planVersion: z.int().min(1),
    name: z.string(),
    billing: Billing,
    currency: z.string(),
    /** Ten-thousandths of a percent: 20 % is 200,000. */
    markup: z.int().min(0),
    /** Millionths of the currency that one credit is worth; null on wallet plans. */
    creditValue: z.int().min(1).nullable(),
    refundFailedDeliveries: z.boolean(),
    /** Refunds after hang-ups in a UTC day before the account is paused; null for no bound. */
    disconnectRefundsPerDay: z.int().min(1).nullable(),
    /** Megabytes that the account may write for free in a UTC day; null for no bound. */
    freeWritesMbPerDay: z.int().min(1).nullable(),
    /** Whether SERVICE messages cost what the rate card and the markup make; free otherwise. */
    chargeService: z.boolean(),
  }),
  [(v1) => ({ ...v1, ...planBounds }), (v2) => ({ ...v2, chargeService: false })],
);
export type PlanTerms = z.output<typeof PlanPublished.schema>;
export const planEvents = [PlanPublished] as const;
export type PlanFact = FactOf<(typeof planEvents)[number]>;

/** SERVICE is absent on cards of version 1. */
const rate = ratesOf(z.int().min(0));
export type Rate = z.output<typeof rate>;

/** The provider's prices: market → category → millionths of the currency. `Other` always exists. */
export const RateCardPublished = defineEvent(
  'RateCardPublished',
  z.object({
    rateCardId: z.string(),
    currency: z.string(),
    effectiveFrom: z.iso.datetime(),
    rates: z.record(z.string(), rate),
  }),
  // Version 1 has no SERVICE.
  [(v1) => v1],
);
export type RateCard = z.output<typeof RateCardPublished.schema>;
export const rateCardEvents = [RateCardPublished] as const;
export type RateCardFact = FactOf<(typeof rateCardEvents)[number]>;
