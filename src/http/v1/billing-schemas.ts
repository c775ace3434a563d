import { z } from 'zod';
import { Category } from '../../events/category.ts';
import { Actor, advice, error, iso } from './schemas.ts';

// Movements, caps and prices. Sections are those of the contract.

export const MovementType = z.enum(['DEDUCT', 'REFUND', 'GRANT', 'REVOKE']);

/** Contract 2.7. */
export const LedgerEntry = z
  .object({
    id: z.string().describe('Id of the movement.'),
    amount: z.int().describe('Signed: below zero for a deduction.'),
    balanceAfter: z.int().describe('Balance after the movement.'),
    type: MovementType.describe('Kind of the movement.'),
    reason: z.string().nullable().describe('The event of the send, or the reason of a grant.'),
    metadata: z
      .string()
      .nullable()
      .describe(
        'JSON text: `category`, `countryCode`, `providerCost`, `sellPrice`, `chargeId`. A DEDUCT and its REFUND share the `chargeId`.',
      ),
    messageId: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Id of the message that the charge paid, once there is one; null once it is erased. Absent for other movements.',
      ),
    createdAt: iso.describe('Time of the movement, ISO 8601.'),
    grantedBy: Actor.nullable().describe('The acting administrator; null for charges and refunds.'),
    cause: z
      .enum(['not_sent', 'unknown_outcome', 'disconnected', 'delivery_failed', 'swept'])
      .optional()
      .describe(
        'Only for a REFUND. `not_sent`: nothing was sent. `disconnected`: the message was sent, and the caller disconnected before the response. `unknown_outcome`: the provider did not answer. `delivery_failed`: the message failed after acceptance. `swept`: the service stopped during the send.',
      ),
  })
  .meta({ id: 'Transaction' });

/** Contract 4.3. */
export const billingHeaders = {
  'X-Message-Category': Category.meta({
    description: 'Category of the price.',
    example: 'UTILITY',
  }),
  'X-Message-Price': z
    .string()
    .meta({ description: 'Sell price of the message, a decimal string.', example: '0.00168' }),
  'X-Credits-Charged': z
    .int()
    .optional()
    .meta({ description: 'Charged credits. Credit plans only.', example: 1 }),
  'X-Credits-Remaining': z
    .int()
    .optional()
    .meta({ description: 'Credits after the charge. Credit plans only.', example: 998 }),
  'X-Wallet-Balance': z.string().optional().meta({
    description: 'Balance after the charge, a decimal string. Wallet plans only.',
    example: '24.98832',
  }),
};

const cap = z.int().min(0).max(1_000_000_000).nullable();
export const Limits = z
  .object({
    perMinute: cap.describe('Messages in any 60 seconds; null for no cap.'),
    daily: cap.describe('Messages in a UTC day; null for no cap.'),
    monthly: cap.describe('Messages in a UTC month; null for no cap.'),
    paused: z.boolean().describe('Whether the account sends nothing at all.'),
  })
  .meta({ id: 'Limits' });
export const Usage = z
  .object({
    minute: z.int().describe('Messages in the last 60 seconds.'),
    day: z.int().describe('Messages today, UTC.'),
    month: z.int().describe('Messages this month, UTC.'),
  })
  .meta({ id: 'Usage' });

/** Contract 7.3. */
export const CapReached = z
  .object({
    error,
    code: z.literal('LIMIT_REACHED').describe('The error as a code to branch on.'),
    limit: z
      .enum(['paused', 'perMinute', 'daily', 'monthly'])
      .describe('The reached cap. Only `perMinute` clears by waiting.'),
    usage: Usage.describe('Outbound messages that count against the caps.'),
    limits: Limits.describe('The caps of the account.'),
    ...advice,
  })
  .meta({ id: 'AccountCapReachedProblem' });

/** Contract 7.4. */
export const Insufficient = z
  .object({
    error,
    reason: z
      .enum(['INSUFFICIENT_CREDITS', 'INSUFFICIENT_BALANCE'])
      .describe('Which unit the plan counts in.'),
    category: Category.describe('Category of the price.'),
    creditsRequired: z.int().describe('Credits for the message; 0 on a wallet plan.'),
    price: z.string().describe('Sell price of the message, a decimal string.'),
    currency: z.string().describe('ISO 4217 code of the price.'),
    balance: z
      .union([z.int(), z.string()])
      .describe('Whole credits, or the balance of the wallet as a decimal string.'),
    ...advice,
  })
  .meta({ id: 'AccountInsufficientProblem' });
