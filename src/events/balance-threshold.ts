import { z } from 'zod';
import { defineEvent } from './define.ts';
import { Billing } from './price.ts';

// Events of an account's stream.

/**
 * The balance below which the account's owner is told, in the account's unit; null for none. A plan of
 * another unit ends it.
 */
export const BalanceThresholdSet = defineEvent(
  'BalanceThresholdSet',
  z.object({ accountId: z.string(), threshold: z.int().min(0).nullable() }),
);

/** A movement took the balance below the threshold. */
export const BalanceFell = defineEvent(
  'BalanceFell',
  z.object({
    accountId: z.string(),
    billing: Billing,
    currency: z.string(),
    balance: z.int(),
    threshold: z.int(),
  }),
);
