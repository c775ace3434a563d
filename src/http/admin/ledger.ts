import { z } from 'zod';
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

export const ledgerRoutes = (deps: {
  funds: Funds;
  /** Balance of an account at a moment, from its event stream. */
  balanceAt: (
    accountId: string,
    at: string,
  ) => Promise<
    { balance: number; billing: 'credits' | 'wallet'; entryId: string | null } | undefined
  >;
  clock: Clock;
}): readonly JsonRoute[] => {
  const { funds } = deps;

  const show = async (models: ReadModels, entryId: string) => {
    const row = await models.get(ledger, entryId);
    if (!row) throw models.notFound(new Error(`the ledger does not show ${entryId}`));
    return present(row);
  };

  const creditsRoute = (verb: 'grant' | 'revoke', sign: 1 | -1, summary: string) =>
    defineRoute({
      method: 'POST',
      path: `/admin/v1/accounts/:id/credits/${verb}`,
      access: 'administrator',
      summary,
      tags: ['Money'],
      request: { body: z.object({ amount: z.int().min(1), reason }) },
      responses: { 201: Entry },
      errors: ['resource.unknown', 'account.conflict', 'account.balance_limit'],
      idempotent: {},
      reads: [ledger],
      async handle({ params, body }, context) {
        const { id } = params as { id: string };
        const why = body.reason ?? null;
        const entry = await funds.moveCredits(id, sign * body.amount, why, actingOn(context));
        return reply(201, await show(await context.upToDate(), entry));
      },
    });

  const walletRoute = (verb: 'top-up' | 'adjust', summary: string) =>
    defineRoute({
      method: 'POST',
      path: `/admin/v1/accounts/:id/wallet/${verb}`,
      access: 'administrator',
      summary,
      tags: ['Money'],
      request: {
        body: z.object({
          amount:
            verb === 'top-up'
              ? PositiveAmount
              : SignedAmount.refine((micros) => micros !== 0, 'must not be zero'),
          reason,
        }),
      },
      responses: { 201: Entry },
      errors: ['resource.unknown', 'account.conflict', 'account.balance_limit'],
      idempotent: {},
      reads: [ledger],
      async handle({ params, body }, context) {
        const { id } = params as { id: string };
        const kind = verb === 'top-up' ? 'top_up' : 'adjustment';
        const why = body.reason ?? null;
        const entry = await funds.moveWallet(id, kind, body.amount, why, actingOn(context));
        return reply(201, await show(await context.upToDate(), entry));
      },
    });

  return [
    creditsRoute('grant', 1, 'Grant credits'),
    creditsRoute('revoke', -1, 'Take credits back, not below zero'),
    walletRoute('top-up', 'Top a wallet up'),
    walletRoute('adjust', 'Adjust a wallet up or down, not below zero'),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/accounts/:id/ledger',
      access: 'administrator',
      summary: 'Read the ledger of an account, newest first, its whole history',
      description: SHORT_PAGES,
      tags: ['Money'],
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
        if (!(await models.get(accounts, params.id))) {
          throw models.notFound(new AppError('resource.unknown', 'Account not found'));
        }
        const { since, until, type, chargeId } = query;
        const createdAt = timeRange(since, until);
        const where = given({ accountId: params.id, type, chargeId, createdAt });
        const { rows, nextCursor } = await readPage(models, ADMINISTRATION, ledger, query, where);
        return { entries: rows.map(present), nextCursor };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/accounts/:id/balance',
      access: 'administrator',
      summary: 'Read the balance at a moment, from the event stream itself',
      tags: ['Money'],
      request: { query: z.object({ asOf: moment.optional() }) },
      responses: {
        200: z.object({ balance: amount, asOf: z.iso.datetime(), entryId: z.string().nullable() }),
      },
      errors: ['resource.unknown'],
      async handle({ params, query }) {
        const asOf = query.asOf ?? isoTime(deps.clock.now());
        const found = await deps.balanceAt(params.id, asOf);
        if (!found) throw new AppError('resource.unknown', 'Account not found');
        const { balance, billing, entryId } = found;
        return { balance: billing === 'wallet' ? formatMicros(balance) : balance, asOf, entryId };
      },
    }),
  ];
};
