import { createCoalesced } from '../../shared/concurrency.ts';
import { type Position, START, StoreUnavailable } from '../store.ts';
import type { Connection } from './connection.ts';
import { isOurs, type Received } from './events.ts';
import { readBackwards } from './read.ts';

export interface Head {
  /** Position of the newest event of ours, read after this call. */
  read(): Promise<Position>;
  /** The same, or an earlier result of at most this age. */
  readWithin(ageMsMax: number): Promise<Position>;
}

/**
 * The searched end of the log: no event of ours lies between `top` and `newest`. While the search
 * goes on, `newest` is undefined, and none lies between `top` and `bottom`.
 */
interface Known {
  top: Position;
  bottom: Position;
  newest: Position | undefined;
}

/** The newest event is often ours, and few events of others come between two searches. */
const FIRST_PAGES = [1, 8];
const PAGE = 500;
/** Pages of one search; the next search continues from there. */
const PAGES_MAX = 100;

/** A search backwards from the end, which skips the parts that earlier searches read. */
const createSearch = (connection: Connection, pagesMax: number) => {
  let known: Known | undefined;

  return async (): Promise<Position> => {
    let ahead = known;
    let top: Position | undefined;
    let before: Position | undefined;

    /** The newest event of ours on this page, or the earlier result that the page reaches. */
    const lookThrough = (events: readonly Received[]): Position | undefined => {
      for (const event of events) {
        const { position } = event;
        // A log that ends before an earlier `top` is another log, or an older copy.
        if (top === undefined && ahead && position < ahead.top) ahead = undefined;
        top ??= position;
        if (ahead && position <= ahead.top) {
          before = ahead.bottom;
          return ahead.newest;
        }
        before = position;
        if (isOurs(event)) return position;
      }
      return undefined;
    };

    for (let page = 0; page < pagesMax; page += 1) {
      const size = FIRST_PAGES[page] ?? PAGE;
      const events = await readBackwards(connection, before, size);
      const newest = lookThrough(events);
      const jumped = ahead !== undefined && before === ahead.bottom;
      if (jumped) ahead = undefined;
      const isWhole = events.length < size && !jumped;
      if (newest === undefined && !isWhole) continue;
      if (top === undefined) return START;
      known = { top, bottom: before ?? top, newest: newest ?? START };
      return known.newest ?? START;
    }
    if (top !== undefined) known = { top, bottom: before ?? top, newest: undefined };
    throw new StoreUnavailable('the end of the event log is being searched for events of ours');
  };
};

/**
 * Every GET reads the head. One search runs at a time; calls during it share the next search, because
 * the current one may have begun before their own writes.
 */
export const createHead = (connection: Connection, pagesMax = PAGES_MAX): Head => {
  const search = createSearch(connection, pagesMax);
  let last: { position: Position; since: number } | undefined;

  const searchNow = async (): Promise<Position> => {
    const since = performance.now();
    const position = await search();
    last = { position, since };
    return position;
  };
  const read = createCoalesced(searchNow);

  return {
    read,
    readWithin: async (ageMsMax) =>
      last && performance.now() - last.since <= ageMsMax ? last.position : read(),
  };
};
