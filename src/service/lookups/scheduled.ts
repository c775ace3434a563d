import type { ScheduledLookups } from '../../commands/sending/schedules.ts';
import type { EventReader } from '../../events/store.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { scheduled } from '../../projections/scheduled.ts';
import { createDueRows } from './due-rows.ts';

/** What the read models tell of scheduled sends. */
export const createScheduledLookups = (deps: {
  store: Pick<EventReader, 'head'>;
  reader: Pick<Reader, 'reached' | 'find' | 'count'>;
}): ScheduledLookups => {
  const rows = createDueRows(
    deps,
    scheduled,
    ({ id, accountId, contactRef, phoneNumberId, dueAt }, due) => ({
      scheduleId: id,
      accountId,
      contactRef,
      phoneNumberId,
      due,
      dueAt: Date.parse(dueAt),
    }),
    ['id', 'accountId', 'contactRef', 'phoneNumberId', 'dueAt'],
  );
  return {
    ...rows,
    async count(accountId) {
      await deps.reader.reached([scheduled], await deps.store.head());
      return deps.reader.count(scheduled, {
        where: { accountId, due: { gt: '' } },
        order: { field: 'due', direction: 'ascending' },
      });
    },
  };
};
