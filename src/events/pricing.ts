import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';
import { Billing } from './price.ts';

/** The bounds of a plan that names none, and of those that were published before there were any. */
export const planBounds = { disconnectRefundsPerDay: 100, freeWritesMbPerDay: 50 };

/** A plan's terms; every publication is a new version, and charges keep the one they were made under. */
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
    /**
     * Charges in a UTC day that are given back to callers who hang up, before the account is paused;
     * null for no bound.
     */
    disconnectRefundsPerDay: z.int().min(1).nullable(),
    /** Megabytes that the account may write to the log in a UTC day for free; null for no bound. */
    freeWritesMbPerDay: z.int().min(1).nullable(),
  }),
  [(v1) => ({ ...v1, ...planBounds })],
);
export type PlanTerms = z.output<typeof PlanPublished.schema>;
export const planEvents = [PlanPublished] as const;
export type PlanFact = FactOf<(typeof planEvents)[number]>;

const rate = z.object({
  MARKETING: z.int().min(0),
  UTILITY: z.int().min(0),
  AUTHENTICATION: z.int().min(0),
});

/** What the provider takes: market → category → millionths of the currency. `Other` is always there. */
export const RateCardPublished = defineEvent(
  'RateCardPublished',
  z.object({
    rateCardId: z.string(),
    currency: z.string(),
    effectiveFrom: z.iso.datetime(),
    rates: z.record(z.string(), rate),
  }),
);
export type RateCard = z.output<typeof RateCardPublished.schema>;
export const rateCardEvents = [RateCardPublished] as const;
export type RateCardFact = FactOf<(typeof rateCardEvents)[number]>;
