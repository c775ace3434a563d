import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Id, position and JSON text of a document, and its fields that have a column. */
export type StoredRow = readonly (string | number | null)[];

const COLUMN = 'f_';
const FIELDS_AT = 3;
/** What a column holds of a value: the same as SQLite would extract from the JSON text. */
const columnOf = (value: unknown): string | number | null => {
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

export const columnsOf = (
  document: object | null,
  fields: readonly string[],
): (string | number | null)[] =>
  fields.map((field) => document && columnOf((document as Record<string, unknown>)[field]));

/** Which fields change together; more than a few combinations are never met. */
const UPDATES_MAX = 1_000;

/**
 * Writes the documents of one collection. A document that is there already is looked at first, and
 * only the columns that have changed are written: SQLite goes to every index of a column that a
 * statement names, also where its value stays.
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

  return {
    /** Changes nothing where what is there is as new. */
    put(row: StoredRow): void {
      const [id = null, position = null, document = null] = row;
      const kept = look.get(id) as unknown as StoredRow | undefined;
      if (!kept) {
        insert.run(...row);
        return;
      }
      if (String(kept[0]) >= String(position)) return;
      const changed: number[] = [];
      for (let at = 0; at < columns.length; at += 1) {
        if (kept[at + 1] !== row[at + FIELDS_AT]) changed.push(at);
      }
      const values = changed.map((at) => row[at + FIELDS_AT]!);
      updateOf(changed).run(position, document, ...values, id);
    },
    remove([id = null, position = null]: StoredRow): void {
      removal.run(id, position);
    },
  };
};
