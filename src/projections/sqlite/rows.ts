import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Position } from '../../events/store.ts';

type Value = string | number | null;

const COLUMN = 'f_';

/** The column's value: the same as SQLite would extract from the JSON text. */
const columnOf = (value: unknown): Value => {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'boolean':
      return Number(value);
    default:
      return value === null || value === undefined ? null : JSON.stringify(value);
  }
};

/** Combinations of fields that change together; real folds have only a few. */
const UPDATES_MAX = 1_000;

/**
 * Writes the documents of one collection. An update names only the columns that change: SQLite
 * writes to every index of a column that a statement names, even when the value is the same.
 */
export const createRowWriter = (
  database: DatabaseSync,
  table: string,
  fields: readonly string[],
) => {
  const columns = fields.map((name) => COLUMN + name);
  const look = database.prepare(
    `SELECT ${['position', ...columns].join(', ')} FROM ${table} WHERE id = ?`,
  );
  look.setReturnArrays(true);
  const insert = database.prepare(
    `INSERT INTO ${table} (${['id', 'position', 'document', ...columns].join(', ')})
     VALUES (?, ?, ?${', ?'.repeat(columns.length)})`,
  );
  const replacement = database.prepare(
    `UPDATE ${table} SET ${['document', ...columns].map((name) => `${name} = ?`).join(', ')}
     WHERE id = ? AND position = ?`,
  );
  const removal = database.prepare(`DELETE FROM ${table} WHERE id = ? AND position < ?`);
  const updates = new Map<string, StatementSync>();

  const updateOf = (changed: readonly number[]): StatementSync => {
    const key = changed.join();
    const known = updates.get(key);
    if (known) return known;
    const set = ['position = ?', 'document = ?', ...changed.map((at) => `${columns[at]} = ?`)];
    const update = database.prepare(`UPDATE ${table} SET ${set.join(', ')} WHERE id = ?`);
    if (updates.size >= UPDATES_MAX) updates.clear();
    updates.set(key, update);
    return update;
  };

  const valuesOf = (document: object): Value[] =>
    fields.map((field) => columnOf((document as Record<string, unknown>)[field]));

  return {
    /** Changes nothing when the stored document is as new. `text` is the document's JSON. */
    put(id: string, position: Position, text: string, document: object): void {
      const values = valuesOf(document);
      const kept = look.get(id) as unknown as readonly Value[] | undefined;
      if (!kept) {
        insert.run(id, position, text, ...values);
        return;
      }
      if (String(kept[0]) >= position) return;
      const changed: number[] = [];
      for (let at = 0; at < values.length; at += 1)
        if (kept[at + 1] !== values[at]) changed.push(at);
      updateOf(changed).run(position, text, ...changed.map((at) => values[at]!), id);
    },
    /** Changes nothing unless the stored document has this position. */
    replace(id: string, position: Position, text: string, document: object): void {
      replacement.run(text, ...valuesOf(document), id, position);
    },
    remove(id: string, position: Position): void {
      removal.run(id, position);
    },
  };
};
