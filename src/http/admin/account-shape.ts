import { z } from 'zod';
import { pauseReasonOf } from '../../commands/account/pauses.ts';
import { accountBounds } from '../../commands/account/state.ts';
import { PositiveAmount } from '../../commands/pricing/money.ts';
import { type AccountDocument, usageAt } from '../../projections/accounts.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { pick } from '../route/pick.ts';
import { Limits, Usage } from '../v1/billing-schemas.ts';

const { balanceMax } = accountBounds;

/** Credits as a whole number, or money as a decimal string. */
export const BalanceLow = z
  .union([
    z
      .int()
      .min(1)
      .max(balanceMax)
      .transform((amount) => ({ billing: 'credits' as const, amount })),
    PositiveAmount.transform((amount) => ({ billing: 'wallet' as const, amount })),
  ])
  .nullable()
  .describe(
    'The webhook event `account.balance_low` tells when the balance falls below it: whole credits, or a decimal string on a wallet plan; null for none.',
  );

export const AccountLimits = Limits.extend({
  strict: z.boolean().describe('Whether sends are strict where their body does not say it.'),
  balanceLow: z
    .union([z.int(), z.string()])
    .nullable()
    .describe('The balance below which `account.balance_low` tells; null for none.'),
}).meta({ id: 'AccountLimits' });

export const Account = z
  .object({
    id: z.string().describe('Id of the account.'),
    organisationId: z.string().describe('Id of the organisation that owns the account.'),
    name: z.string().describe('Name of the account.'),
    planId: z.string().describe('Id of the billing plan; `standard` is built in.'),
    billing: z
      .enum(['credits', 'wallet'])
      .describe('Unit of the balance: whole credits, or money.'),
    currency: z.string().describe('ISO 4217 code.'),
    balance: z
      .union([z.int(), z.string()])
      .describe('Whole credits, or a decimal string of money.'),
    limits: AccountLimits.describe('The caps of the account.'),
    pausedReason: z.string().nullable().describe('Why the service paused the account; else null.'),
    contentRetentionMonths: z
      .int()
      .nullable()
      .describe('Months after whose end personal data are kept; null for ever.'),
    usage: Usage.describe('Outbound messages that count against the caps.'),
    createdAt: z.iso.datetime().describe('Time of creation, ISO 8601.'),
  })
  .meta({ id: 'Account' });

const shownAmount = <Amount extends number | null>(
  billing: AccountDocument['billing'],
  amount: Amount,
) => (billing === 'wallet' && amount !== null ? formatMicros(amount) : amount);

/** An account as administrators see it, with its usage at `now`. */
export const present = (account: AccountDocument, now: number) =>
  pick(Account, {
    ...account,
    balance: shownAmount(account.billing, account.balance),
    limits: {
      ...account.limits,
      strict: account.strict,
      balanceLow: shownAmount(account.billing, account.balanceLow),
    },
    pausedReason: account.pausedFor && pauseReasonOf(account.pausedFor),
    usage: usageAt(account, now),
  });
