import { logPages } from '../../../src/events/paging.ts';
import { type Recorded, START } from '../../../src/events/store.ts';
import type { Waybill } from '../waybill.ts';

/** All events of a service as they are stored, with metadata and names of streams. */
export const storedEvents = async ({ sealed }: Pick<Waybill, 'sealed'>): Promise<Recorded[]> => {
  const pages = await Array.fromAsync(logPages(sealed, START));
  return pages.flatMap(({ events }) => events);
};
