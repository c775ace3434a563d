import { createFairPool, type Holder } from '../../shared/fair-pool.ts';
import { pause, withTimeout } from '../../shared/timing.ts';
import type { Projection } from '../define.ts';
import { type Query, ViewsUnavailable } from '../views.ts';
import type { Page, Reader } from './reader.ts';

/** What one list may cost, and how many may be read at a time. */
export interface ListBounds {
  /** Rows of an index that one page looks at. */
  rowsMax: number;
  /** Work on one page, for adapters that do it in this process. */
  workMs: number;
  /** A page ends with the document that passes this length. */
  charactersMax: number;
  /** From the moment it is asked for. */
  timeMs: number;
  /** Lists that are read at the same time, of all owners. */
  places: number;
  /** Lists of one owner that wait for a place, and of all. */
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

/** An owner may have half as many places as it leaves free: of six, two when nobody else reads. */
const SHARE = 0.5;
/**
 * An owner that asks for more lists than it has places for rests after each: so many times as long
 * as the list took, and no longer than this. What it reads then leaves time for others.
 */
const REST_FACTOR = 3;
const REST_MS_MAX = 100;

/** Rows of a page, where all of a list is read. */
const PAGE_LIMIT = 100;

/** The list took too long, and its reading was stopped. */
export class ListTooSlow extends ViewsUnavailable {
  constructor(timeMs: number) {
    super(`a list was not read within ${timeMs} ms`, { retryAfterSeconds: 2 });
    this.name = 'ListTooSlow';
  }
}

/** Too many lists wait already. */
export class ListsBusy extends ViewsUnavailable {
  constructor() {
    super('too many lists are asked for at once', { retryAfterSeconds: 1 });
    this.name = 'ListsBusy';
  }
}

/** Reads the lists that callers ask for, so that none of them costs others more than its bounds. */
export interface Lists {
  /**
   * The next page of a question: of up to `limit` rows, or fewer where a bound was reached before,
   * even none. Nothing is left when `next` is null. Throws ListTooSlow, ListsBusy.
   */
  page<Doc>(owner: string, projection: Projection<Doc>, query: Query): Promise<Page<Doc>>;
  /** Up to `limit` rows, read page by page: for a list that is answered whole. */
  all<Doc>(owner: string, projection: Projection<Doc>, query: Query): Promise<Doc[]>;
}

export interface ListsOptions {
  reader: Pick<Reader, 'scan'>;
  bounds?: Partial<ListBounds> | undefined;
  /** Called for each list that was refused. */
  onRefused: (owner: string, projection: string, reason: 'slow' | 'busy') => void;
  /** Lets so many milliseconds pass; for tests. */
  rest?: (ms: number) => Promise<void>;
}

export const createLists = ({ reader, onRefused, ...options }: ListsOptions): Lists => {
  const { rest = pause } = options;
  const { rowsMax, workMs, charactersMax, timeMs, places, waitingMax, waitingOfAllMax } = {
    ...BOUNDS,
    ...options.bounds,
  };
  const pool = createFairPool(places, SHARE);
  const holders = new Map<string, Holder>();
  let waiting = 0;

  const holderOf = (owner: string): Holder => {
    const known = holders.get(owner) ?? { held: 0, queue: [] };
    holders.set(owner, known);
    return known;
  };

  const forget = (owner: string, { held, queue }: Holder) => {
    if (held === 0 && queue.length === 0) holders.delete(owner);
  };

  /** Throws where no place can be had in time. */
  const enter = async (owner: string, holder: Holder): Promise<void> => {
    if (pool.take(holder)) return;
    if (holder.queue.length >= waitingMax || waiting >= waitingOfAllMax) throw new ListsBusy();
    waiting += 1;
    const taken = await pool.wait(holder, timeMs);
    waiting -= 1;
    if (taken) return;
    forget(owner, holder);
    throw new ListTooSlow(timeMs);
  };

  /** Keeps the place until the reading has really ended, also where nobody waits for it longer. */
  const read = async <Doc>(owner: string, projection: Projection<Doc>, query: Query) => {
    const calledAt = performance.now();
    const holder = holderOf(owner);
    await enter(owner, holder);
    const giving = new AbortController();
    const scan = { ...query, rowsMax, workMs, charactersMax };
    const reading = reader.scan(projection, scan, giving.signal);
    const startedAt = performance.now();
    const leave = async () => {
      const restMs = Math.min(REST_FACTOR * (performance.now() - startedAt), REST_MS_MAX);
      if (holder.queue.length > 0) await rest(restMs);
      pool.release(holder);
      forget(owner, holder);
    };
    reading.then(leave, leave);
    const leftMs = Math.max(0, timeMs - (performance.now() - calledAt));
    return withTimeout(leftMs, reading, () => {
      const tooSlow = new ListTooSlow(timeMs);
      giving.abort(tooSlow);
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
      let rest = where;
      while (found.length < most) {
        const limit = Math.min(PAGE_LIMIT, most - found.length);
        const { rows, next } = await page(owner, projection, { ...query, where: rest, limit });
        found.push(...rows);
        if (next === null) break;
        rest = { ...where, [order.field]: { [behind]: next } };
      }
      return found;
    },
  };
};
