import { cut, displayWidth, type Row, textOf } from './format.ts';

export interface Column {
  header: string;
  /** Name of the field, or how to make the cell of the row. */
  of: string | ((row: Row) => unknown);
  align?: 'right';
  /**
   * On a narrow terminal: cuts the cells, or drops the column. A column without this stays whole, so
   * that ids can be copied.
   */
  narrow?: 'cut' | 'drop';
}

const GAP = '  ';
const CUT_WIDTH_MIN = 16;

interface Measured {
  column: Column;
  cells: string[];
  width: number;
}

const measure = (column: Column, rows: readonly Row[]): Measured => {
  const { of } = column;
  const cells = rows.map((row) => textOf(typeof of === 'string' ? row[of] : of(row)));
  const width = cells.reduce(
    (most, cell) => Math.max(most, displayWidth(cell)),
    displayWidth(column.header),
  );
  return { column, cells, width };
};

const least = ({ column, width }: Measured): number =>
  column.narrow === 'cut'
    ? Math.min(width, Math.max(CUT_WIDTH_MIN, displayWidth(column.header)))
    : width;

const total = (columns: readonly Measured[], widthOf: (column: Measured) => number): number =>
  columns.reduce((sum, column) => sum + widthOf(column), GAP.length * (columns.length - 1));

/** Drops columns from the right until the rest can fit, then cuts the widest until they fit. */
const fitted = (columns: readonly Measured[], room: number): Measured[] => {
  const kept = [...columns];
  while (total(kept, least) > room) {
    const last = kept.findLastIndex(({ column }) => column.narrow === 'drop');
    if (last < 0) break;
    kept.splice(last, 1);
  }
  let excess = total(kept, ({ width }) => width) - room;
  const narrowed = new Map(kept.map((column) => [column, column.width]));
  while (excess > 0) {
    const [widest] = [...narrowed]
      .filter(([column, width]) => width > least(column))
      .sort(([, one], [, other]) => other - one);
    if (!widest) break;
    narrowed.set(widest[0], widest[1] - 1);
    excess -= 1;
  }
  return kept.map((column) => ({ ...column, width: narrowed.get(column)! }));
};

const pad = (text: string, width: number, align: Column['align']): string => {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'right' ? space + text : text + space;
};

/** Aligned columns under headers; fitted into `room` columns if that is given. */
export const tableLines = (
  rows: readonly Row[],
  columns: readonly Column[],
  room?: number,
): string[] => {
  const measured = columns.map((column) => measure(column, rows));
  const shown = room === undefined ? measured : fitted(measured, room);
  const line = (textAt: (column: Measured) => string) =>
    shown
      .map((one) => pad(cut(textAt(one), one.width), one.width, one.column.align))
      .join(GAP)
      .trimEnd();
  return [
    line(({ column }) => column.header),
    ...rows.map((_, index) => line(({ cells }) => cells[index]!)),
  ];
};
