import { z } from 'zod';
import { accounts } from '../../projections/accounts.ts';
import { type LedgerDocument, ledger } from '../../projections/ledger.ts';
import { messages } from '../../projections/messages.ts';
import { ADMINISTRATION } from '../admin/context.ts';
import { mustGet } from '../admin/documents.ts';
import {
  given,
  moment,
  pageOf,
  pageQuery,
  readPage,
  SHORT_PAGES,
  timeRange,
} from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { LedgerEntry, MovementType } from './billing-schemas.ts';
import { type MessageIds, messageIdsOf } from './charged-messages.ts';
import { ledgerEntryOf } from './ledger-entry.ts';

/** Integers on credit plans, decimal strings on wallet plans. */
export const unitAmount = z.union([z.int(), z.string()]);

export const Entry = LedgerEntry.extend({
  amount: unitAmount.describe('Signed: whole credits, or a decimal string of money.'),
  balanceAfter: unitAmount.describe('Balance after the movement.'),
  position: z.string().describe('Position in the log: opaque, compared as text.'),
  hash: z.string().describe('Hash of this movement and all before it.'),
}).meta({ id: 'Entry' });

export const presentEntry = (row: LedgerDocument, messageIds: MessageIds = new Map()) => ({
  ...ledgerEntryOf(row, row.billing, messageIds),
  position: row.position,
  hash: row.hash,
});

const query = z.object({
  ...pageQuery,
  since: moment.optional().describe('From this time on, ISO 8601.'),
  until: moment.optional().describe('Before this time, ISO 8601.'),
  type: MovementType.optional().describe('Only movements of this type.'),
  chargeId: z.string().max(200).optional().describe('Only movements of this charge.'),
});

const listEntries = async (
  models: ReadModels,
  owner: string,
  accountId: string,
  asked: z.output<typeof query>,
) => {
  const { since, until, type, chargeId } = asked;
  const where = given({ accountId, type, chargeId, createdAt: timeRange(since, until) });
  const { rows, nextCursor } = await readPage(models, owner, ledger, asked, where);
  const messageIds = await messageIdsOf(models, accountId, rows);
  return { entries: rows.map((row) => presentEntry(row, messageIds)), nextCursor };
};

const common = {
  method: 'GET',
  description: `The sum of all amounts is the balance. ${SHORT_PAGES}`,
  request: { query },
  responses: { 200: pageOf('entries', Entry) },
  reads: [accounts, ledger, messages],
} as const;

/** Every movement of the account, with filters; `/v1/credits` and `/v1/wallet` show the newest. */
export const ledgerRoute = defineRoute({
  ...common,
  path: '/v1/ledger',
  access: 'key',
  scope: 'credits:read',
  summary: 'Read the movements of the balance, newest first, the whole history',
  tags: ['Billing'],
  errors: [],
  handle: ({ query: asked }, { key: { accountId }, models }) =>
    listEntries(models, accountId, accountId, asked),
});

/** The same of any account. */
export const anyLedgerRoute: JsonRoute = defineRoute({
  ...common,
  path: '/admin/v1/accounts/:id/ledger',
  access: 'administrator',
  summary: 'Read the ledger of an account, newest first, its whole history',
  tags: ['Money'],
  errors: ['resource.unknown'],
  async handle({ params: { id }, query: asked }, { models }) {
    await mustGet(models, accounts, id, 'Account');
    return listEntries(models, ADMINISTRATION, id, asked);
  },
});
