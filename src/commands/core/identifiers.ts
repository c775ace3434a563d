import type { Ids } from '../../shared/clock.ts';

/** An id that sorts by time: a prefix that names its kind, and a UUID. */
export const sortedId = (prefix: string, ids: Ids): string =>
  `${prefix}_${ids.uuid().replaceAll('-', '')}`;
