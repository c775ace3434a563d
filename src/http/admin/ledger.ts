import { z } from 'zod';
import type { createBalanceAt, Funds } from '../../commands/account/funds.ts';
import { accountBounds } from '../../commands/account/state.ts';
import { PositiveAmount, SignedAmount } from '../../commands/pricing/money.ts';
import { ledger } from '../../projections/ledger.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import { moment } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { anyLedgerRoute, Entry, presentEntry, unitAmount } from '../v1/ledger.ts';
import { actingOn } from './context.ts';

const reason = z.string().max(500).optional().describe('The reason, as free text.');
const RECORDED = 'The ledger keeps the movement, its reason and the administrator for ever.';

const show = async (models: ReadModels, entryId: string) => {
  const row = await models.get(ledger, entryId);
  if (!row) throw models.notFound(new Error(`the ledger does not show ${entryId}`));
  return presentEntry(row);
};

interface Deps {
  funds: Funds;
  balanceAt: ReturnType<typeof createBalanceAt>;
  clock: Clock;
}

const common = { access: 'administrator', tags: ['Money'], names: true } as const;

/** What all movements of money have in common. */
const movement = {
  ...common,
  fourEyes: 'grant',
  method: 'POST',
  answer: 'The movement, as in the ledger.',
  responses: { 201: Entry },
  errors: ['resource.unknown', 'account.conflict', 'account.balance_limit'],
  idempotent: { contacts: null },
  reads: [ledger],
} as const;

const creditsRoute = (
  { funds }: Deps,
  verb: 'grant' | 'revoke',
  sign: 1 | -1,
  summary: string,
  description: string,
) =>
  defineRoute({
    ...movement,
    path: `/admin/v1/accounts/:id/credits/${verb}`,
    summary,
    description: `${description} ${RECORDED}`,
    request: {
      body: z.object({
        amount: z
          .int()
          .min(1)
          // The account decides it, with its balance.
          .meta({ maximum: accountBounds.balanceMax, description: 'Number of credits.' }),
        reason,
      }),
    },
    async handle({ params, body }, context) {
      const why = body.reason ?? null;
      const amount = sign * body.amount;
      const entry = await funds.moveCredits(params.id, amount, why, actingOn(context));
      return reply(201, await show(await context.upToDate(), entry));
    },
  });

const walletRoute = (
  { funds }: Deps,
  verb: 'top-up' | 'adjust',
  micros: z.ZodType<number>,
  summary: string,
  description: string,
) =>
  defineRoute({
    ...movement,
    path: `/admin/v1/accounts/:id/wallet/${verb}`,
    summary,
    description: `${description} ${RECORDED}`,
    request: {
      body: z.object({
        amount: micros.describe("A decimal string in the plan's currency."),
        reason,
      }),
    },
    async handle({ params, body }, context) {
      const kind = verb === 'top-up' ? 'top_up' : 'adjustment';
      const why = body.reason ?? null;
      const entry = await funds.moveWallet(params.id, kind, body.amount, why, actingOn(context));
      return reply(201, await show(await context.upToDate(), entry));
    },
  });

const balanceRoute = ({ balanceAt, clock }: Deps) =>
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/accounts/:id/balance',
    summary: 'Read the balance at a moment, from the event stream itself',
    description: 'Computed from the events, not from the read models.',
    request: {
      query: z.object({
        asOf: moment.optional().describe('Time of the balance, ISO 8601; now by default.'),
      }),
    },
    responses: {
      200: z.object({
        balance: unitAmount.describe('Whole credits, or a decimal string of money.'),
        asOf: z.iso.datetime().describe('Time of the balance, ISO 8601; now by default.'),
        entryId: z.string().nullable().describe('The last counted movement, or null.'),
      }),
    },
    errors: ['resource.unknown'],
    async handle({ params, query }) {
      const asOf = query.asOf ?? isoTime(clock.now());
      const found = await balanceAt(params.id, query.asOf);
      if (!found) throw new AppError('resource.unknown', 'Account not found');
      const { balance, billing, entryId } = found;
      return { balance: billing === 'wallet' ? formatMicros(balance) : balance, asOf, entryId };
    },
  });

const NotZero = SignedAmount.refine((micros) => micros !== 0, 'must not be zero');

export const ledgerRoutes = (deps: Deps): readonly JsonRoute[] => [
  creditsRoute(deps, 'grant', 1, 'Grant credits', 'Only on a credit plan.'),
  creditsRoute(deps, 'revoke', -1, 'Take credits back, not below zero', 'Answers 409 below zero.'),
  walletRoute(deps, 'top-up', PositiveAmount, 'Top a wallet up', 'Only on a wallet plan.'),
  walletRoute(
    deps,
    'adjust',
    NotZero,
    'Adjust a wallet up or down, not below zero',
    'A GRANT or a REVOKE, by its sign. Answers 409 below zero.',
  ),
  anyLedgerRoute,
  balanceRoute(deps),
];
