import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Position } from '../../events/store.ts';
import { packDocument, unpackDocument } from '../packing.ts';
import type { Kept } from '../views.ts';
import type { Column, Shape } from './shape.ts';
import { bound, isExact, placeOf, plainOf, positionFrom, type Value } from './values.ts';
import type { WordReader, WordWriter } from './words.ts';

/** The columns of `rowOf`. */
export type Row = readonly [id: string, position: Value, document: string, ...columns: Value[]];
const COLUMNS_BEFORE = 3;

/** Combinations of fields that change together; real folds have only a few. */
const UPDATES_MAX = 1_000;

/** How a column stores a document's value, and whether that gives back the value. */
const createStored =
  ({ numberOf }: Pick<WordWriter, 'numberOf'>) =>
  ({ kind, field }: Column, value: unknown): Value => {
    if (kind === 'value' || value === null || value === undefined) return plainOf(value);
    if (typeof value !== 'string') throw new TypeError(`${field} must be a text`);
    return kind === 'word' ? numberOf(value) : placeOf(value);
  };

const createStatements = (database: DatabaseSync, table: string, names: readonly string[]) => {
  const look = database.prepare(
    `SELECT ${['position', ...names].join(', ')} FROM ${table} WHERE id = ?`,
  );
  look.setReturnArrays(true);
  const updates = new Map<string, StatementSync>();
  return {
    look,
    insert: database.prepare(
      `INSERT INTO ${table} (${['id', 'position', 'document', ...names].join(', ')})
       VALUES (?, ?, ?${', ?'.repeat(names.length)})`,
    ),
    replacement: database.prepare(
      `UPDATE ${table} SET ${['document', ...names].map((name) => `${name} = ?`).join(', ')}
       WHERE id = ? AND position = ?`,
    ),
    removal: database.prepare(`DELETE FROM ${table} WHERE id = ? AND position < ?`),
    /** Sets the columns with these numbers. */
    updateOf(changed: readonly number[]): StatementSync {
      const key = changed.join();
      const known = updates.get(key);
      if (known) return known;
      const set = ['position = ?', 'document = ?', ...changed.map((at) => `${names[at]} = ?`)];
      const update = database.prepare(`UPDATE ${table} SET ${set.join(', ')} WHERE id = ?`);
      if (updates.size >= UPDATES_MAX) updates.clear();
      updates.set(key, update);
      return update;
    },
  };
};

/**
 * Writes the documents of one collection. An update names only the columns that change: SQLite
 * writes to every index of a column that a statement names, even when the value is the same.
 */
export const createRowWriter = (
  database: DatabaseSync,
  words: Pick<WordWriter, 'numberOf'>,
  { table, columns, packs }: Shape,
) => {
  const names = columns.map(({ name }) => name);
  const held = new Set(columns.map(({ field }) => field));
  const holds = (field: string, value: unknown) => held.has(field) && isExact(value);
  const storedOf = createStored(words);
  const placed = (position: Position) => (packs ? bound(placeOf(position)) : position);
  const { look, insert, replacement, removal, updateOf } = createStatements(database, table, names);

  const textOf = (document: object, id: string, position: Position): string => {
    const packed = packs ? packDocument(document, { id, position }, holds) : undefined;
    if (!packed) return JSON.stringify(document);
    return JSON.stringify([words.numberOf(packed.form), ...packed.values]);
  };
  const valuesOf = (document: object): Value[] => {
    const fields = document as Record<string, unknown>;
    return columns.map((column) => storedOf(column, fields[column.field]));
  };

  return {
    /** Changes nothing when the stored document is as new. */
    put(id: string, position: Position, document: object): void {
      const kept = look.get(id) as unknown as readonly Value[] | undefined;
      if (kept && positionFrom(kept[0]) >= position) return;
      const text = textOf(document, id, position);
      const values = valuesOf(document);
      if (!kept) {
        insert.run(id, placed(position), text, ...values.map(bound));
        return;
      }
      const changed: number[] = [];
      for (let at = 0; at < values.length; at += 1)
        if (kept[at + 1] !== values[at]) changed.push(at);
      const next = changed.map((at) => bound(values[at]!));
      updateOf(changed).run(placed(position), text, ...next, id);
    },
    /** Changes nothing unless the stored document has this position. */
    replace(id: string, position: Position, document: object): void {
      const text = textOf(document, id, position);
      replacement.run(text, ...valuesOf(document).map(bound), id, placed(position));
    },
    remove(id: string, position: Position): void {
      removal.run(id, placed(position));
    },
  };
};

/** Reads the documents of one collection. */
export const createRowReader = ({ wordOf, formOf }: WordReader, { columns }: Shape) => {
  const places = new Map(
    columns.map(({ field, kind }, index) => [field, { kind, at: COLUMNS_BEFORE + index }]),
  );

  const columnOf = (row: Row, field: string): unknown => {
    const { kind, at } = places.get(field)!;
    const value = row[at];
    if (kind === 'value') return value;
    return kind === 'word' ? wordOf(value as number) : positionFrom(value);
  };

  return <Doc>(row: Row): Kept<Doc> => {
    const [id, place, text] = row;
    const position = positionFrom(place);
    const stored = JSON.parse(text) as object;
    if (!Array.isArray(stored)) return { id, position, document: stored as Doc };
    const beside = { id, position, column: (field: string) => columnOf(row, field) };
    const document = unpackDocument(formOf(stored[0] as number), stored, 1, beside);
    return { id, position, document: document as Doc };
  };
};
