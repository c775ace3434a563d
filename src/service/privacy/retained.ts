import { NO_ACCOUNT, type Retained } from '../../commands/privacy/retention-duty.ts';
import type { EventReader } from '../../events/store.ts';
import { type AccountDocument, accounts } from '../../projections/accounts.ts';
import type { Page, Reader } from '../../projections/engine/reader.ts';

const PAGE = 500;

/** What does not keep personal data for ever: accounts with a retention, and dead letters of none. */
export const createRetained = (
  { store, reader }: { store: Pick<EventReader, 'head'>; reader: Reader },
  deadLetterMonths: number,
) =>
  async function* retained(): AsyncGenerator<Retained, void, void> {
    yield { accountId: NO_ACCOUNT, months: deadLetterMonths, through: null };
    await reader.reached([accounts], await store.head());
    for (let after: string | number = ''; ; ) {
      const { rows, next }: Page<AccountDocument> = await reader.scan(accounts, {
        where: { retainedSince: { gt: after } },
        order: { field: 'retainedSince', direction: 'ascending' },
        limit: PAGE,
        rowsMax: PAGE,
        charactersMax: Number.POSITIVE_INFINITY,
      });
      for (const { id, contentRetentionMonths, expiredThrough } of rows) {
        if (contentRetentionMonths === null) continue;
        yield { accountId: id, months: contentRetentionMonths, through: expiredThrough };
      }
      if (next === null) return;
      after = next;
    }
  };
