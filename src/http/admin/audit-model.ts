import type { ReadModel } from '../../audit/read-model.ts';
import { accounts } from '../../projections/accounts.ts';
import { inTime, type Reader } from '../../projections/engine/reader.ts';
import { ledger } from '../../projections/ledger.ts';

/** An audit may wait for a rebuild or a backlog. */
const REACHED_WITHIN_MS = 30_000;

/** The read models of money, as an audit queries them. */
export const createReadModel = (reader: Reader): ReadModel => ({
  reached: (position) => inTime(reader.reached([ledger, accounts], position, REACHED_WITHIN_MS)),
  rows: (entryIds) => reader.getMany(ledger, entryIds),
  rowsAfter: (accountId, position, limit) =>
    reader.find(ledger, {
      where: { accountId, ...(position !== '' && { order: { gt: position } }) },
      order: { field: 'order', direction: 'ascending' },
      limit,
    }),
  account: (accountId) => reader.get(accounts, accountId),
});
