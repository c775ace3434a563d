import { setImmediate as nextTurn } from 'node:timers/promises';
import { START } from '../../events/store.ts';
import { createSemaphore } from '../../shared/concurrency.ts';
import { pause, withTimeout } from '../../shared/timing.ts';
import type { Projection } from '../define.ts';
import { type Query, ViewsUnavailable } from '../views.ts';
import type { Page, Reader } from './reader.ts';

/**
 * Conditions and order of a page, newest first, after the row at `before`. A document without a place in the
 * order is of no list, and a walk along an index ends before the rows that removed documents leave in MongoDB.
 */
export const newestBefore = (
  where: Query['where'],
  before: string | number | undefined,
): Pick<Query, 'where' | 'order'> => ({
  where: { ...where, order: { gt: START, ...(before !== undefined && { lt: before }) } },
  order: { field: 'order', direction: 'descending' },
});

/** All documents that fulfil the conditions, newest first, page by page. Other work runs between pages. */
export async function* newestPages<Doc>(
  read: (query: Pick<Query, 'where' | 'order'>) => Promise<Page<Doc>>,
  where: Query['where'] = {},
): AsyncGenerator<readonly Doc[], void, void> {
  for (let before: string | number | undefined; ; ) {
    const { rows, next } = await read(newestBefore(where, before));
    yield rows;
    if (next === null) return;
    before = next;
    await nextTurn();
  }
}

/** Bounds of one list, and of all lists together. */
export interface ListBounds {
  /** Rows of an index that one page examines. */
  rowsMax: number;
  /** Work on one page, for adapters that do it in this process. */
  workMs: number;
  /** A page ends with the document that exceeds this length, in characters. */
  charactersMax: number;
  /** Time limit of a page, waiting included. */
  timeMs: number;
  /** Pages that are read at the same time, of all owners. */
  places: number;
  /** Pages of one owner that wait for a place, and of all owners. */
  waitingMax: number;
  waitingOfAllMax: number;
}

const BOUNDS: ListBounds = {
  rowsMax: 5_000,
  workMs: 2,
  charactersMax: 1_000_000,
  timeMs: 3_000,
  places: 6,
  waitingMax: 32,
  waitingOfAllMax: 1_000,
};

/** An owner may hold half as many places as it leaves free: two of six while no other owner reads. */
const SHARE = 0.5;
/**
 * An owner whose further pages wait rests after each page: this many times the duration of the page,
 * up to the maximum. The rest leaves time for other owners.
 */
const REST_FACTOR = 3;
const REST_MS_MAX = 100;

/** Rows of a page, for a list that is read whole. */
const PAGE_LIMIT = 100;

/** The page took too long; its reading was stopped. */
export class ListTooSlow extends ViewsUnavailable {
  constructor(timeMs: number) {
    super(`a list was not read within ${timeMs} ms`, { retryAfterSeconds: 2 });
    this.name = 'ListTooSlow';
  }
}

/** Too many lists already wait. */
export class ListsBusy extends ViewsUnavailable {
  constructor() {
    super('too many lists are asked for at once', { retryAfterSeconds: 1 });
    this.name = 'ListsBusy';
  }
}

/** Reads callers' lists within bounds, so that no owner slows the others down. */
export interface Lists {
  /**
   * The next page of a query: up to `limit` rows, or fewer, even none, when a bound was reached.
   * `next` is null at the end of the list. Throws ListTooSlow, ListsBusy.
   */
  page<Doc>(owner: string, projection: Projection<Doc>, query: Query): Promise<Page<Doc>>;
  /** Up to `limit` rows, read page by page. */
  all<Doc>(owner: string, projection: Projection<Doc>, query: Query): Promise<Doc[]>;
}

export interface ListsOptions {
  reader: Pick<Reader, 'scan'>;
  bounds?: Partial<ListBounds> | undefined;
  /** Called for each page that was refused. */
  onRefused: (owner: string, projection: string, reason: 'slow' | 'busy') => void;
  /** Replaces the pause of a rest, for tests. */
  rest?: (ms: number) => Promise<void>;
}

type PlaceBounds = Pick<ListBounds, 'places' | 'timeMs' | 'waitingMax' | 'waitingOfAllMax'>;

/** Shares the places between owners. */
const createPlaces = (
  { places, timeMs, waitingMax, waitingOfAllMax }: PlaceBounds,
  rest: (ms: number) => Promise<void>,
) => {
  const pool = createSemaphore(places, SHARE);
  let waiting = 0;

  const enter = async (owner: string): Promise<void> => {
    if (pool.take(owner)) return;
    if (pool.waiting(owner) >= waitingMax || waiting >= waitingOfAllMax) throw new ListsBusy();
    waiting += 1;
    const taken = await pool.wait(owner, timeMs);
    waiting -= 1;
    if (!taken) throw new ListTooSlow(timeMs);
  };

  /** Waits for a place, and resolves with the function that frees it after the owner's rest. */
  return async (owner: string): Promise<() => Promise<void>> => {
    await enter(owner);
    const startedAt = performance.now();
    return async () => {
      const restMs = Math.min(REST_FACTOR * (performance.now() - startedAt), REST_MS_MAX);
      if (pool.waiting(owner) > 0) await rest(restMs);
      pool.release(owner);
    };
  };
};

export const createLists = ({ reader, onRefused, rest = pause, bounds }: ListsOptions): Lists => {
  const { rowsMax, workMs, charactersMax, timeMs, ...places } = { ...BOUNDS, ...bounds };
  const takePlace = createPlaces({ ...places, timeMs }, rest);

  /** Keeps the place until the reading has ended, which may be after its time limit. */
  const read = async <Doc>(owner: string, projection: Projection<Doc>, query: Query) => {
    const calledAt = performance.now();
    const leave = await takePlace(owner);
    const stopping = new AbortController();
    const scan = { ...query, rowsMax, workMs, charactersMax };
    const reading = reader.scan(projection, scan, stopping.signal);
    reading.then(leave, leave);
    const leftMs = Math.max(0, timeMs - (performance.now() - calledAt));
    return withTimeout(leftMs, reading, () => {
      const tooSlow = new ListTooSlow(timeMs);
      stopping.abort(tooSlow);
      throw tooSlow;
    });
  };

  const page: Lists['page'] = async (owner, projection, query) => {
    try {
      return await read(owner, projection, query);
    } catch (error) {
      if (error instanceof ListTooSlow) onRefused(owner, projection.name, 'slow');
      if (error instanceof ListsBusy) onRefused(owner, projection.name, 'busy');
      throw error;
    }
  };

  return {
    page,
    async all<Doc>(owner: string, projection: Projection<Doc>, query: Query) {
      const { where, order, limit: most } = query;
      const found: Doc[] = [];
      const behind = order.direction === 'descending' ? 'lt' : 'gt';
      let remaining = where;
      while (found.length < most) {
        const limit = Math.min(PAGE_LIMIT, most - found.length);
        const asked = { ...query, where: remaining, limit };
        const { rows, next } = await page(owner, projection, asked);
        found.push(...rows);
        if (next === null) break;
        remaining = { ...where, [order.field]: { [behind]: next } };
      }
      return found;
    },
  };
};
