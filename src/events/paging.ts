import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EventReader, type Position, READ_MAX, type Recorded } from './store.ts';

export interface StreamPaging {
  /** First revision to read, in the direction of reading. */
  from?: number;
  direction?: 'forwards' | 'backwards';
  /** Most events in all. */
  eventsMax?: number;
  /** Most events of one page. */
  pageSize?: number;
}

/**
 * Reads a stream page by page up to its end or to `eventsMax`. Never yields an empty page. Other
 * work runs between two pages.
 */
export async function* streamPages(
  log: Pick<EventReader, 'read'>,
  stream: string,
  {
    from = 0,
    direction = 'forwards',
    eventsMax = Number.POSITIVE_INFINITY,
    pageSize = READ_MAX,
  }: StreamPaging = {},
): AsyncGenerator<readonly Recorded[], void, void> {
  const step = direction === 'forwards' ? 1 : -1;
  let left = eventsMax;
  for (let next = from; left > 0 && next >= 0; ) {
    const limit = Math.min(pageSize, READ_MAX, left);
    const page = await log.read(stream, { from: next, direction, limit });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    left -= page.length;
    next = page.at(-1)!.revision + step;
    await nextTurn();
  }
}

/** Events of the log in order, and the position from which the next page continues. */
export interface LogPage {
  events: readonly Recorded[];
  to: Position;
}

interface Paging {
  upTo?: Position;
  pageSize?: number;
  /** See `EventReader.readAll`. */
  buckets?: ReadonlySet<number> | undefined;
}

/**
 * Reads the log page by page from after a position, up to its end or exactly to `upTo`. A page may
 * hold no events where the log holds only events of others. Other work runs between two pages.
 */
export async function* logPages(
  log: Pick<EventReader, 'readAll'>,
  after: Position,
  { upTo, pageSize = READ_MAX, buckets }: Paging = {},
): AsyncGenerator<LogPage, void, void> {
  let position = after;
  while (upTo === undefined || position < upTo) {
    const { events, to } = await log.readAll(position, pageSize, buckets);
    const isEnd = to <= position;
    if (upTo !== undefined && (isEnd || to >= upTo)) {
      yield { events: events.filter((event) => event.position <= upTo), to: upTo };
      return;
    }
    if (isEnd) return;
    yield { events, to };
    position = to;
    await nextTurn();
  }
}

/**
 * Finds, by halving the stream, the revision of its first event that is `past`: the one after the
 * last event when none is. Expects all events behind a `past` one to be `past` too.
 *
 * Halves a power of two that holds the stream. So it looks at the same events again when the stream is
 * longer, and finds the same place also where some events are not in order, if later ones are `past`.
 */
export const firstRevision = async (
  log: Pick<EventReader, 'read'>,
  stream: string,
  past: (event: Recorded) => boolean,
): Promise<number> => {
  const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
  const length = (last?.revision ?? -1) + 1;
  let [low, high] = [0, 1];
  while (high < length) high *= 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await log.read(stream, { from: middle, limit: 1 });
    if (event && !past(event)) low = middle + 1;
    else high = middle;
  }
  return Math.min(low, length);
};

/**
 * Finds, by halving, the index of the first item that is `past`; their number when none is. Expects
 * all items behind a `past` one to be `past` too.
 */
export const firstPast = <T>(items: readonly T[], past: (item: T) => boolean): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (past(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
};
