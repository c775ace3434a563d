import type { IndexFields } from './define.ts';
import type { Query, Range, Scalar } from './views.ts';

/** The most that one question answers. */
const LIMIT_MAX = 10_000;

const NAME = /^[a-z][A-Za-z0-9_]*$/;

/** Names come from code, but they stand in SQL text: nothing else may. */
export const checkedName = (name: string): string => {
  if (!NAME.test(name))
    throw new Error(`${JSON.stringify(name)} cannot name a collection or field`);
  return name;
};

/** Indexes and questions name a field by the same expression, so that one serves the other. */
const fieldOf = (name: string): string => `json_extract(document, '$.${checkedName(name)}')`;

/** The statements that make a collection and its indexes where they are not there. */
export const tableOf = (collection: string, indexes: readonly IndexFields[]): string[] => {
  const table = checkedName(collection);
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
      id TEXT PRIMARY KEY, position TEXT NOT NULL, document TEXT NOT NULL
    ) STRICT`,
    ...indexes.map((fields, number) => {
      const columns = fields.map((field) =>
        field.startsWith('-') ? `${fieldOf(field.slice(1))} DESC` : fieldOf(field),
      );
      return `CREATE INDEX IF NOT EXISTS ${table}__${number} ON ${table} (${columns.join(', ')})`;
    }),
  ];
};

type Parameter = string | number;

export interface Sql {
  text: string;
  parameters: Parameter[];
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const isRange = (condition: Scalar | Range): condition is Range =>
  typeof condition === 'object' && condition !== null;

const conditionOf = (name: string, condition: Scalar | Range, parameters: Parameter[]): string => {
  const field = fieldOf(name);
  if (condition === null) return `${field} IS NULL`;
  if (!isRange(condition)) {
    parameters.push(typeof condition === 'boolean' ? Number(condition) : condition);
    return `${field} = ?`;
  }
  const terms = [];
  for (const [key, operator] of Object.entries(comparisons)) {
    const bound = condition[key as keyof typeof comparisons];
    if (bound === undefined) continue;
    parameters.push(bound);
    terms.push(`${field} ${operator} ?`);
  }
  if (condition.in) {
    parameters.push(JSON.stringify(condition.in));
    terms.push(`${field} IN (SELECT value FROM json_each(?))`);
  }
  if (terms.length === 0) throw new Error(`the condition on ${name} says nothing`);
  return terms.join(' AND ');
};

/** What a question fixes to one value needs no sorting by it; SQLite would sort all the same. */
const sortOf = (where: Query['where'], { field, direction }: Query['order']): string => {
  const by = fieldOf(field);
  const fixed = where[field];
  if (fixed !== undefined && !isRange(fixed)) return '';
  return ` ORDER BY ${by} ${direction === 'descending' ? 'DESC' : 'ASC'}`;
};

export const selectOf = (collection: string, { where, order, limit }: Query): Sql => {
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new RangeError(`a limit is 1 to ${LIMIT_MAX}, not ${limit}`);
  }
  const parameters: Parameter[] = [];
  const terms = Object.entries(where).map(([name, condition]) =>
    conditionOf(name, condition, parameters),
  );
  const filter = terms.length > 0 ? ` WHERE ${terms.join(' AND ')}` : '';
  parameters.push(limit);
  return {
    text:
      `SELECT id, position, document FROM ${checkedName(collection)}${filter}` +
      `${sortOf(where, order)} LIMIT ?`,
    parameters,
  };
};
