import type { IndexFields } from '../define.ts';
import type { Condition, Query, Range, Scalar } from '../views.ts';
import { checkedName, isScalar, parseIndex, type Walk } from '../walk.ts';

/**
 * The table of a collection: documents as JSON text, and some fields in columns of their own, so that
 * indexes and filters need no JSON. Collections of an older program have indexes over expressions
 * instead of columns.
 */
export interface Shape {
  table: string;
  /** Fields that have a column. */
  fields: readonly string[];
  /** By the number in the name of the index. */
  indexes: readonly IndexFields[];
}

const COLUMN = 'f_';

const fieldOf = (name: string, { fields }: Pick<Shape, 'fields'>): string =>
  fields.includes(checkedName(name)) ? COLUMN + name : `json_extract(document, '$.${name}')`;

/** The fields with a column. */
export const fieldsOf = (
  indexes: readonly IndexFields[],
  filters: readonly string[],
): readonly string[] => {
  const indexed = indexes.flatMap(parseIndex).map(({ name }) => name);
  return [...new Set([...indexed, ...filters])].map(checkedName);
};

/** The statements that create a collection and its indexes when missing. */
export const tableOf = (
  collection: string,
  indexes: readonly IndexFields[],
  filters: readonly string[],
): string[] => {
  const table = checkedName(collection);
  const columns = fieldsOf(indexes, filters)
    .map((name) => `${COLUMN}${name} ANY, `)
    .join('');
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
      id TEXT PRIMARY KEY, position TEXT NOT NULL, ${columns}document TEXT NOT NULL
    ) STRICT`,
    ...indexes.map((one, number) => {
      const parts = parseIndex(one);
      const keys = parts.map(({ name, descending }) => COLUMN + name + (descending ? ' DESC' : ''));
      const sparse = parts.filter((part) => part.sparse);
      const where = sparse.map(({ name }) => `${COLUMN}${name} IS NOT NULL`).join(' AND ');
      return (
        `CREATE INDEX IF NOT EXISTS ${indexName(table, number)} ON ${table} ` +
        `(${keys.join(', ')})${where && ` WHERE ${where}`}`
      );
    }),
  ];
};

const indexName = (table: string, number: number): string => `${table}__${number}`;

const INDEXED = /(?:f_(\w+)|json_extract\(document, '\$\.(\w+)'\))( DESC)?/g;

const fieldsIn = (text: string): string[] => {
  const [, keys = '', where = ''] =
    /\((.*?)\)(?: WHERE (.*))?$/s.exec(text.replace(/^.*? ON \w+ /s, '')) ?? [];
  return [...keys.matchAll(INDEXED)].map(([, column, extracted, descending]) => {
    const name = column ?? extracted!;
    return `${descending ? '-' : ''}${name}${where.includes(`${COLUMN}${name} `) ? '?' : ''}`;
  });
};

/** A collection's shape, from SQLite's schema; undefined for a missing collection. */
export const shapeOf = (
  collection: string,
  all: (text: string, parameter: string) => readonly unknown[],
): Shape | undefined => {
  const table = checkedName(collection);
  const columns = all('SELECT name FROM pragma_table_info(?)', table) as { name: string }[];
  if (columns.length === 0) return undefined;
  const indexes: IndexFields[] = [];
  const made = all(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?`,
    table,
  ) as { name: string; sql: string }[];
  for (const { name, sql } of made)
    indexes[Number(name.slice(indexName(table, 0).length - 1))] = fieldsIn(sql);
  const fields = columns.flatMap(({ name }) =>
    name.startsWith(COLUMN) ? name.slice(COLUMN.length) : [],
  );
  return { table, fields, indexes };
};

export type Parameter = string | number;

export interface Sql {
  text: string;
  parameters: Parameter[];
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const rangeTerms = (name: string, field: string, range: Range, parameters: Parameter[]): string => {
  const terms = [];
  for (const [key, operator] of Object.entries(comparisons)) {
    const bound = range[key as keyof typeof comparisons];
    if (bound === undefined) continue;
    parameters.push(bound);
    terms.push(`${field} ${operator} ?`);
  }
  if (terms.length === 0) throw new Error(`the condition on ${name} says nothing`);
  return terms.join(' AND ');
};

const equals = (field: string, value: Scalar, parameters: Parameter[]): string => {
  if (value === null) return `${field} IS NULL`;
  parameters.push(typeof value === 'boolean' ? Number(value) : value);
  return `${field} = ?`;
};

const conditionOf = (
  name: string,
  condition: Condition,
  shape: Shape,
  parameters: Parameter[],
): string => {
  const field = fieldOf(name, shape);
  if (isScalar(condition)) return equals(field, condition, parameters);
  if ('in' in condition) {
    parameters.push(JSON.stringify(condition.in));
    return `${field} IN (SELECT value FROM json_each(?))`;
  }
  if ('contains' in condition) {
    parameters.push(condition.contains);
    return `instr(${field}, ?) > 0`;
  }
  if ('not' in condition) {
    return `(${rangeTerms(name, field, condition.not, parameters)}) IS NOT TRUE`;
  }
  return rangeTerms(name, field, condition, parameters);
};

/** The part of an index that a walk reads. */
export interface Stretch {
  shape: Shape;
  walk: Walk;
  order: Query['order'];
  range: Range;
}

/** The common parts of all queries of a stretch. They name the index, so that SQLite chooses none. */
export const walking = ({ shape, walk, range, order }: Stretch, parameters: Parameter[]) => {
  const by = fieldOf(order.field, shape);
  const terms = walk.equal.map(([name, value]) => equals(fieldOf(name, shape), value, parameters));
  if (Object.keys(range).length > 0) terms.push(rangeTerms(order.field, by, range, parameters));
  return {
    by,
    terms,
    from: `FROM ${shape.table} INDEXED BY ${indexName(shape.table, walk.index)}`,
    sort: `ORDER BY ${by} ${order.direction === 'descending' ? 'DESC' : 'ASC'}`,
  };
};

export const filterOf = (terms: readonly string[]): string =>
  terms.length > 0 ? ` WHERE ${terms.join(' AND ')}` : '';

/** The places of the row at the end of `rows` rows and of the next one. Reads only the index. */
export const boundaryOf = (stretch: Stretch, rows: number): Sql => {
  const parameters: Parameter[] = [];
  const { by, terms, from, sort } = walking(stretch, parameters);
  parameters.push(rows - 1);
  return {
    text: `SELECT ${by} AS at ${from}${filterOf(terms)} ${sort} LIMIT 2 OFFSET ?`,
    parameters,
  };
};

const documentOf = (fields: readonly string[] | undefined): string => {
  if (!fields) return 'document';
  const parts = fields.map((name) => `'${checkedName(name)}', document -> '$.${name}'`);
  return `json_object(${parts.join(', ')})`;
};

/** The documents of a stretch that match the walk's conditions. */
export const selectOf = (stretch: Stretch, limit: number, fields?: readonly string[]): Sql => {
  const parameters: Parameter[] = [];
  const { by, terms, from, sort } = walking(stretch, parameters);
  for (const [name, condition] of stretch.walk.rest) {
    terms.push(conditionOf(name, condition, stretch.shape, parameters));
  }
  parameters.push(limit);
  const filter = filterOf(terms);
  return {
    text:
      `SELECT id, position, ${documentOf(fields)} AS document, ${by} AS at ` +
      `${from}${filter} ${sort} LIMIT ?`,
    parameters,
  };
};
