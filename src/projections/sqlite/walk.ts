import { type Scan, Unserved } from '../views.ts';
import { between, SHORT_WALK_ROWS, type Walk, walksOf } from '../walk.ts';
import { boundaryOf, type Shape, type Sql, type Stretch, selectOf } from './query.ts';

/** A document as the file stores it. */
export interface Row {
  id: string;
  position: string;
  document: string;
}

export interface ScannedRows {
  rows: Row[];
  next: string | number | null;
}

type Place = string | number;

interface Placed extends Row {
  at: Place;
}

/** Rows of one slice: up to 1 ms of work, or 2 ms when the rows are far apart in the file. */
const SLICE_ROWS = 200;

/** Iterates over the rows of a statement. */
export type Iterate = (sql: Sql) => Iterable<unknown>;

const places = (iterate: Iterate, sql: Sql): (Place | undefined)[] =>
  [...iterate(sql)].map((row) => (row as { at: Place | null }).at ?? undefined);

/** The first short walk; the first walk when none is short. */
const shortest = (iterate: Iterate, shape: Shape, scan: Scan): Walk => {
  const walks = walksOf(shape.indexes, scan);
  if (walks.length === 0) throw new Unserved(shape.table, scan);
  if (walks.length === 1) return walks[0]!;
  const { order } = scan;
  const isShort = (walk: Walk) => {
    const boundary = boundaryOf({ shape, walk, order, range: walk.range }, SHORT_WALK_ROWS);
    return places(iterate, boundary).length === 0;
  };
  return walks.find(isShort) ?? walks[0]!;
};

/**
 * Reads along an index in slices, and yields between two slices, so that its driver can do other work
 * or stop. Reads the end of a slice from the index first, so that no query examines more rows than its
 * bound.
 */
export function* walkRows(
  iterate: Iterate,
  shape: Shape,
  scan: Scan,
): Generator<void, ScannedRows, void> {
  const { order, limit, rowsMax, charactersMax, workMs = Number.POSITIVE_INFINITY } = scan;
  let resumedAt = performance.now();
  let workedMs = 0;
  const walk = shortest(iterate, shape, scan);
  const stretch = (after?: Place, upTo?: Place): Stretch => ({
    ...{ shape, walk, order },
    range: between(walk.range, order, after, upTo),
  });
  const rows: Placed[] = [];
  let characters = 0;
  let looked = 0;
  let after: Place | undefined;

  /** True when the page is full and more rows may follow. */
  const take = (upTo: Place | undefined): boolean => {
    for (const found of iterate(
      selectOf(stretch(after, upTo), limit + 1 - rows.length, scan.fields),
    )) {
      if (rows.length === limit || characters >= charactersMax) return true;
      const row = found as Placed;
      rows.push(row);
      characters += row.document.length;
    }
    return false;
  };

  for (;;) {
    // Without a filter, every examined row is part of the page.
    const size = walk.rest.length === 0 ? limit : Math.min(SLICE_ROWS, rowsMax - looked);
    const [upTo, beyond] =
      walk.rest.length === 0 ? [] : places(iterate, boundaryOf(stretch(after), size));
    if (take(upTo)) return { rows, next: rows.at(-1)!.at };
    if (beyond === undefined) return { rows, next: null };
    looked += size;
    after = upTo;
    workedMs += performance.now() - resumedAt;
    if (looked >= rowsMax || workedMs >= workMs) return { rows, next: upTo! };
    yield;
    resumedAt = performance.now();
  }
}

/** Reads without a pause between slices. */
export const walkAtOnce = (...parameters: Parameters<typeof walkRows>): ScannedRows => {
  const walking = walkRows(...parameters);
  for (;;) {
    const { done, value } = walking.next();
    if (done) return value;
  }
};
