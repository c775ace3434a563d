import type { Recorded } from '../../../src/events/store.ts';
import { readLog } from '../invariants/log.ts';
import type { Waybill } from '../waybill.ts';

/** All events of a service as they are stored, with metadata and names of streams. */
export const storedEvents = ({ sealed }: Pick<Waybill, 'sealed'>): Promise<Recorded[]> =>
  readLog(sealed);
