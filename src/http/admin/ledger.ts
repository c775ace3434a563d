import { z } from 'zod';
import type { createBalanceAt } from '../../commands/account/balance.ts';
import type { Funds } from '../../commands/account/funds.ts';
import { PositiveAmount, SignedAmount } from '../../commands/pricing/money.ts';
import { accounts } from '../../projections/accounts.ts';
import { type LedgerDocument, ledger } from '../../projections/ledger.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { AppError } from '../../shared/errors.ts';
import { given, moment, pageQuery, readPage, SHORT_PAGES, timeRange } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ledgerEntryOf } from '../v1/present.ts';
import { LedgerEntry } from '../v1/schemas.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet } from './documents.ts';

/** Integers on credit plans, decimal strings on wallet plans. */
const amount = z.union([z.int(), z.string()]);

const Entry = LedgerEntry.extend({
  amount,
  balanceAfter: amount,
  position: z.string(),
  hash: z.string(),
});

const present = (row: LedgerDocument) => ({
  ...ledgerEntryOf(row, row.billing),
  position: row.position,
  hash: row.hash,
});

const reason = z.string().max(500).optional();

const show = async (models: ReadModels, entryId: string) => {
  const row = await models.get(ledger, entryId);
  if (!row) throw models.notFound(new Error(`the ledger does not show ${entryId}`));
  return present(row);
};

interface Deps {
  funds: Funds;
  balanceAt: ReturnType<typeof createBalanceAt>;
  clock: Clock;
}

const common = { access: 'administrator', tags: ['Money'] } as const;

/** What all movements of money have in common. */
const movement = {
  ...common,
  method: 'POST',
  responses: { 201: Entry },
  errors: ['resource.unknown', 'account.conflict', 'account.balance_limit'],
  idempotent: {},
  reads: [ledger],
} as const;

const creditsRoute = ({ funds }: Deps, verb: 'grant' | 'revoke', sign: 1 | -1, summary: string) =>
  defineRoute({
    ...movement,
    path: `/admin/v1/accounts/:id/credits/${verb}`,
    summary,
    request: { body: z.object({ amount: z.int().min(1), reason }) },
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
) =>
  defineRoute({
    ...movement,
    path: `/admin/v1/accounts/:id/wallet/${verb}`,
    summary,
    request: { body: z.object({ amount: micros, reason }) },
    async handle({ params, body }, context) {
      const kind = verb === 'top-up' ? 'top_up' : 'adjustment';
      const why = body.reason ?? null;
      const entry = await funds.moveWallet(params.id, kind, body.amount, why, actingOn(context));
      return reply(201, await show(await context.upToDate(), entry));
    },
  });

const listRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/accounts/:id/ledger',
  summary: 'Read the ledger of an account, newest first, its whole history',
  description: SHORT_PAGES,
  request: {
    query: z.object({
      ...pageQuery,
      since: moment.optional(),
      until: moment.optional(),
      type: z.enum(['DEDUCT', 'REFUND', 'GRANT', 'REVOKE']).optional(),
      chargeId: z.string().max(200).optional(),
    }),
  },
  responses: {
    200: z.object({ entries: z.array(Entry), nextCursor: z.string().nullable() }),
  },
  errors: ['resource.unknown'],
  reads: [accounts, ledger],
  async handle({ params, query }, { models }) {
    await mustGet(models, accounts, params.id, 'Account');
    const { since, until, type, chargeId } = query;
    const createdAt = timeRange(since, until);
    const where = given({ accountId: params.id, type, chargeId, createdAt });
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, ledger, query, where);
    return { entries: rows.map(present), nextCursor };
  },
});

const balanceRoute = ({ balanceAt, clock }: Deps) =>
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/accounts/:id/balance',
    summary: 'Read the balance at a moment, from the event stream itself',
    request: { query: z.object({ asOf: moment.optional() }) },
    responses: {
      200: z.object({ balance: amount, asOf: z.iso.datetime(), entryId: z.string().nullable() }),
    },
    errors: ['resource.unknown'],
    async handle({ params, query }) {
      const asOf = query.asOf ?? isoTime(clock.now());
      const found = await balanceAt(params.id, asOf);
      if (!found) throw new AppError('resource.unknown', 'Account not found');
      const { balance, billing, entryId } = found;
      return { balance: billing === 'wallet' ? formatMicros(balance) : balance, asOf, entryId };
    },
  });

const NotZero = SignedAmount.refine((micros) => micros !== 0, 'must not be zero');

export const ledgerRoutes = (deps: Deps): readonly JsonRoute[] => [
  creditsRoute(deps, 'grant', 1, 'Grant credits'),
  creditsRoute(deps, 'revoke', -1, 'Take credits back, not below zero'),
  walletRoute(deps, 'top-up', PositiveAmount, 'Top a wallet up'),
  walletRoute(deps, 'adjust', NotZero, 'Adjust a wallet up or down, not below zero'),
  listRoute,
  balanceRoute(deps),
];
