import { type Scan, Unserved } from '../views.ts';
import { between, walkOf } from '../walk.ts';
import { boundaryOf, type Shape, type Sql, type Stretch, selectOf } from './query.ts';

/** A document as it lies in the file. */
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

/** Rows that are looked at in one go: about a millisecond, when they lie in memory. */
const SLICE_ROWS = 500;

/** Rows of a statement, one after the other. */
export type Iterate = (sql: Sql) => Iterable<unknown>;

const places = (iterate: Iterate, sql: Sql): (Place | undefined)[] =>
  [...iterate(sql)].map((row) => (row as { at: Place | null }).at ?? undefined);

/**
 * Goes along an index slice by slice, and yields between them: whoever drives it may do something
 * else meanwhile, or go no further. Where a slice ends is read from the index before its rows are
 * looked at, so a question never looks at more than its bound.
 */
export function* walkRows(
  iterate: Iterate,
  shape: Shape,
  scan: Scan,
): Generator<void, ScannedRows, void> {
  const walk = walkOf(shape.indexes, scan);
  if (!walk) throw new Unserved(shape.table, scan);
  const { order, limit, rowsMax, charactersMax } = scan;
  const stretch = (after?: Place, upTo?: Place): Stretch => ({
    ...{ shape, walk, order },
    range: between(walk.range, order, after, upTo),
  });
  const rows: Placed[] = [];
  let characters = 0;
  let looked = 0;
  let after: Place | undefined;

  /** True when the answer is full, and more may follow. */
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
    // Without a filter each row that is looked at is one of the answer.
    const size = walk.rest.length === 0 ? limit : Math.min(SLICE_ROWS, rowsMax - looked);
    const [upTo, beyond] =
      walk.rest.length === 0 ? [] : places(iterate, boundaryOf(stretch(after), size));
    if (take(upTo)) return { rows, next: rows.at(-1)!.at };
    if (beyond === undefined) return { rows, next: null };
    looked += size;
    after = upTo;
    if (looked >= rowsMax) return { rows, next: upTo! };
    yield;
  }
}

/** Goes all the way in one go. */
export const walkAtOnce = (...parameters: Parameters<typeof walkRows>): ScannedRows => {
  const walking = walkRows(...parameters);
  for (;;) {
    const { done, value } = walking.next();
    if (done) return value;
  }
};
