import { z } from 'zod';
import { Category } from './category.ts';

// Parts of stored events: change them only with an upcast and a new specimen.

/** Millionths of a currency. */
const micros = z.int();

export const Billing = z.enum(['credits', 'wallet']);
export type Billing = z.output<typeof Billing>;

/** The price of one message and the terms under which it was made. */
export const Price = z.object({
  category: Category,
  market: z.string(),
  countryCode: z.string(),
  billing: Billing,
  currency: z.string(),
  planId: z.string(),
  planVersion: z.int(),
  rateCardId: z.string().nullable(),
  providerCost: micros,
  sellPrice: micros,
  /** Credits needed; 0 on a wallet plan and for free messages. */
  creditsRequired: z.int().min(0),
  /** Whether a message that fails after the provider took it is refunded. */
  refundOnFailure: z.boolean(),
});
export type Price = z.output<typeof Price>;
