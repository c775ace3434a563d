import { z } from 'zod';
import { accounts } from '../../projections/accounts.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { ledger } from '../../projections/ledger.ts';
import { formatMicros } from '../../shared/decimal.ts';
import type { CaughtUp } from '../edge/freshness.ts';
import { defineRoute } from '../route/route.ts';
import { ledgerEntryOf } from './present.ts';
import { LedgerEntry } from './schemas.ts';

/** Contract 8: the newest rows that one answer holds. */
const ENTRIES_MAX = 20;

interface CreditsDeps {
  reader: Reader;
  caughtUp: CaughtUp;
}

const newestRows = (reader: Reader, accountId: string, billing: 'credits' | 'wallet') =>
  reader
    .find(ledger, {
      where: { accountId },
      order: { field: 'order', direction: 'descending' },
      limit: ENTRIES_MAX,
    })
    .then((rows) => rows.filter((row) => row.billing === billing));

/** Contract 4.23. An account on a wallet plan has no credits. */
export const creditsRoute = ({ reader, caughtUp }: CreditsDeps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/credits',
    access: 'key',
    scope: 'credits:read',
    summary: 'Read the credit balance and its latest movements',
    tags: ['Billing'],
    responses: { 200: z.object({ balance: z.int(), transactions: z.array(LedgerEntry) }) },
    errors: [],
    async handle(_, { key: { accountId } }) {
      await caughtUp(accounts, ledger);
      const account = await reader.get(accounts, accountId);
      const counted = account?.billing === 'credits' ? account : undefined;
      const rows = counted ? await newestRows(reader, accountId, 'credits') : [];
      return {
        balance: counted?.balance ?? 0,
        transactions: rows.map((row) => ledgerEntryOf(row, 'credits')),
      };
    },
  });

/** The wallet's counterpart of the credits: the same fields, amounts as decimal strings. */
export const walletRoute = ({ reader, caughtUp }: CreditsDeps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/wallet',
    access: 'key',
    scope: 'credits:read',
    summary: 'Read the wallet balance and its latest movements',
    tags: ['Billing'],
    responses: {
      200: z.object({
        balance: z.string(),
        currency: z.string(),
        transactions: z.array(LedgerEntry.extend({ amount: z.string(), balanceAfter: z.string() })),
      }),
    },
    errors: [],
    async handle(_, { key: { accountId } }) {
      await caughtUp(accounts, ledger);
      const account = await reader.get(accounts, accountId);
      const wallet = account?.billing === 'wallet' ? account : undefined;
      const rows = wallet ? await newestRows(reader, accountId, 'wallet') : [];
      return {
        balance: formatMicros(wallet?.balance ?? 0),
        currency: account?.currency ?? '',
        transactions: rows.map((row) => ledgerEntryOf(row, 'wallet')),
      };
    },
  });
