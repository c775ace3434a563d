import type { ScheduledLookups } from '../../commands/sending/scheduled-lookups.ts';
import type { EventReader } from '../../events/store.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { scheduled } from '../../projections/scheduled.ts';

/** Rows that one look for lanes reads. */
const LANES_PAGE = 500;

/** What the read models tell of scheduled sends. */
export const createScheduledLookups = ({
  store,
  reader,
}: {
  store: Pick<EventReader, 'head'>;
  reader: Pick<Reader, 'reached' | 'find' | 'count'>;
}): ScheduledLookups => {
  const reachHead = async () => reader.reached([scheduled], await store.head());
  return {
    reachHead,
    async waiting({ lane, after, limit }) {
      const found = await reader.find(scheduled, {
        where: { lane, due: { gt: after } },
        order: { field: 'due', direction: 'ascending' },
        limit,
        fields: ['id', 'accountId', 'contactRef', 'phoneNumberId', 'due', 'dueAt'],
      });
      return found.map(({ id, accountId, contactRef, phoneNumberId, due, dueAt }) => ({
        scheduleId: id,
        accountId,
        contactRef,
        phoneNumberId,
        due: due ?? '',
        dueAt: Date.parse(dueAt),
      }));
    },
    async lanes({ after }) {
      const found = await reader.find(scheduled, {
        where: { lane: { gt: after } },
        order: { field: 'lane', direction: 'ascending' },
        limit: LANES_PAGE,
        fields: ['lane'],
      });
      return [...new Set(found.flatMap(({ lane }) => lane ?? []))];
    },
    async count(accountId) {
      await reachHead();
      return reader.count(scheduled, {
        where: { accountId, due: { gt: '' } },
        order: { field: 'due', direction: 'ascending' },
      });
    },
  };
};
