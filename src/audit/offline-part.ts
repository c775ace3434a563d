import type { Archive, Stretch } from '../events/sqlite/archive.ts';
import { type Entry, entriesOf } from './entry.ts';
import type { Page } from './verify.ts';

/** Reads a part of a log for the books. */
export const readPart = (log: Pick<Archive, 'pages'>, stretch: Stretch): Page => {
  const entries: Entry[] = [];
  for (const events of log.pages(stretch)) entries.push(...entriesOf(events));
  return { entries, to: stretch.upTo };
};
