import { type Kept, type Scan, Unserved } from '../views.ts';
import { between, SHORT_WALK_ROWS, type Walk, walksOf } from '../walk.ts';
import { boundaryOf, type Sql, type Stretch, selectOf } from './query.ts';
import type { Reading } from './reading.ts';
import type { Row } from './rows.ts';
import type { Shape } from './shape.ts';
import { positionFrom, type Value } from './values.ts';

export interface ScannedRows {
  rows: Row[];
  next: string | number | null;
}

type Place = string | number;

/** Rows of one slice: up to 1 ms of work, or 2 ms when the rows are far apart in the file. */
const SLICE_ROWS = 200;

type RowsOf = Reading['rows'];

/** The place of a row, as queries and callers have it. */
const createPlaceReader = ({ columns }: Shape, { field }: Scan['order']) => {
  const isPosition = columns.some((one) => one.field === field && one.kind === 'position');
  return (place: Value): Place | undefined =>
    isPosition && place !== null ? positionFrom(place) : (place ?? undefined);
};

/** A document with these fields alone, so that no large one leaves its thread. */
const picked = (row: Row, fields: readonly string[], read: (row: Row) => Kept): Row => {
  const whole = read(row).document as Record<string, unknown>;
  const entries = fields.map((name) => [name, whole[name] ?? null]);
  return [row[0], row[1], JSON.stringify(Object.fromEntries(entries))];
};

/** The first short walk; the first walk when none is short. */
const shortest = (rowsOf: RowsOf, shape: Shape, scan: Scan): Walk => {
  const { packs, columns } = shape;
  // Documents of this program are packed, so only columns can be compared.
  const keeps = (field: string) => !packs || columns.some((one) => one.field === field);
  const walks = walksOf(shape.indexes, scan, keeps);
  if (walks.length === 0) throw new Unserved(shape.table, scan);
  if (walks.length === 1) return walks[0]!;
  const { order } = scan;
  const isShort = (walk: Walk) => {
    const boundary = boundaryOf({ shape, walk, order, range: walk.range }, SHORT_WALK_ROWS);
    return rowsOf(boundary).length === 0;
  };
  return walks.find(isShort) ?? walks[0]!;
};

/**
 * Reads along an index in slices, and yields between two slices, so that its driver can do other work
 * or stop. Reads the end of a slice from the index first, so that no query examines more rows than its
 * bound.
 */
export function* walkRows(
  {
    rows: rowsOf,
    iterate,
    shape: shapeOf,
    read,
  }: Pick<Reading, 'rows' | 'iterate' | 'shape' | 'read'>,
  collection: string,
  scan: Scan,
): Generator<void, ScannedRows, void> {
  const shape = shapeOf(collection);
  const { order, limit, rowsMax, charactersMax, workMs = Number.POSITIVE_INFINITY } = scan;
  let resumedAt = performance.now();
  let workedMs = 0;
  const walk = shortest(rowsOf, shape, scan);
  const stretch = (after?: Place, upTo?: Place): Stretch => ({
    shape,
    walk,
    order,
    range: between(walk.range, order, after, upTo),
  });
  const placeOf = createPlaceReader(shape, order);
  const placesIn = (sql: Sql) => rowsOf(sql).map((row) => placeOf((row as [Value])[0]));
  const rows: Row[] = [];
  let last: Place | undefined;
  let characters = 0;
  let looked = 0;
  let after: Place | undefined;
  // Where the length of the documents bounds the page, no row behind that bound is read.
  const readRows = Number.isFinite(charactersMax) ? iterate : rowsOf;

  /** True when the page is full and more rows may follow. */
  const take = (upTo: Place | undefined): boolean => {
    for (const found of readRows(selectOf(stretch(after, upTo), limit + 1 - rows.length))) {
      if (rows.length === limit || characters >= charactersMax) return true;
      const row = found as Row;
      last = placeOf(row.at(-1) as Value);
      for (const value of row) if (typeof value === 'string') characters += value.length;
      rows.push(scan.fields ? picked(row, scan.fields, (one) => read(collection, one)) : row);
    }
    return false;
  };

  for (;;) {
    // Without a filter, every examined row is part of the page.
    const size = walk.rest.length === 0 ? limit : Math.min(SLICE_ROWS, rowsMax - looked);
    const [upTo, beyond] = walk.rest.length === 0 ? [] : placesIn(boundaryOf(stretch(after), size));
    if (take(upTo)) return { rows, next: last! };
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
