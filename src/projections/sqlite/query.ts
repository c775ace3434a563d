import type { Condition, Query, Range, Scalar } from '../views.ts';
import { checkedName, isScalar, type Walk } from '../walk.ts';
import { type Column, indexName, type Kind, type Shape } from './shape.ts';
import { bound, comparedOf, type Parameter } from './values.ts';

/** A field in a statement. */
type Operand = Pick<Column, 'name' | 'kind'>;

/** Without a column only in a collection of an older program, whose documents are whole. */
const operandOf = (field: string, { columns }: Shape): Operand =>
  columns.find((one) => one.field === checkedName(field)) ?? {
    name: `json_extract(document, '$.${field}')`,
    kind: 'value',
  };

export interface Sql {
  text: string;
  parameters: Parameter[];
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const rangeTerms = ({ name, kind }: Operand, range: Range, parameters: Parameter[]): string => {
  const terms = [];
  for (const [key, operator] of Object.entries(comparisons)) {
    const limit = range[key as keyof typeof comparisons];
    if (limit === undefined) continue;
    parameters.push(bound(comparedOf(kind, limit)));
    terms.push(`${name} ${operator} ?`);
  }
  if (terms.length === 0) throw new Error(`the condition on ${name} says nothing`);
  return terms.join(' AND ');
};

/** A parameter, as the column holds its value. */
const placeholders: Readonly<Record<Kind, string>> = {
  word: '(SELECT number FROM _words WHERE word = ?)',
  position: '?',
  value: '?',
};

const equals = ({ name, kind }: Operand, value: Scalar, parameters: Parameter[]): string => {
  if (value === null) return `${name} IS NULL`;
  parameters.push(bound(comparedOf(kind, value)));
  return `${name} = ${placeholders[kind]}`;
};

const isOneOf = (
  { name, kind }: Operand,
  list: readonly (string | number)[],
  parameters: Parameter[],
): string => {
  parameters.push(JSON.stringify(list.map((value) => comparedOf(kind, value))));
  const values = 'SELECT value FROM json_each(?)';
  return kind === 'word'
    ? `${name} IN (SELECT number FROM _words WHERE word IN (${values}))`
    : `${name} IN (${values})`;
};

const conditionOf = (operand: Operand, condition: Condition, parameters: Parameter[]): string => {
  if (isScalar(condition)) return equals(operand, condition, parameters);
  if ('in' in condition) return isOneOf(operand, condition.in, parameters);
  if (operand.kind === 'word') throw new Error(`${operand.name} can be compared for equality only`);
  if ('contains' in condition) {
    parameters.push(condition.contains);
    return `instr(${operand.name}, ?) > 0`;
  }
  if ('not' in condition) {
    return `(${rangeTerms(operand, condition.not, parameters)}) IS NOT TRUE`;
  }
  return rangeTerms(operand, condition, parameters);
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
  const operand = operandOf(order.field, shape);
  const terms = walk.equal.map(([name, value]) =>
    conditionOf(operandOf(name, shape), value, parameters),
  );
  if (Object.keys(range).length > 0) terms.push(rangeTerms(operand, range, parameters));
  const by = operand.name;
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

/** What `Row` holds. */
const rowOf = ({ columns }: Shape): string =>
  ['id', 'position', 'document', ...columns.map(({ name }) => name)].join(', ');

/** The documents of a stretch that match the walk's conditions. */
export const selectOf = (stretch: Stretch, limit: number): Sql => {
  const parameters: Parameter[] = [];
  const { shape, walk } = stretch;
  const { by, terms, from, sort } = walking(stretch, parameters);
  for (const [name, condition] of walk.rest) {
    terms.push(conditionOf(operandOf(name, shape), condition, parameters));
  }
  parameters.push(limit);
  return {
    text: `SELECT ${rowOf(shape)}, ${by} ${from}${filterOf(terms)} ${sort} LIMIT ?`,
    parameters,
  };
};

/** One document. */
export const selectOne = (shape: Shape): string =>
  `SELECT ${rowOf(shape)} FROM ${shape.table} WHERE id = ?`;

/** The documents of a list of ids. */
export const selectById = (shape: Shape, ids: readonly string[]): Sql => ({
  text: `SELECT ${rowOf(shape)} FROM ${shape.table} WHERE id IN (SELECT value FROM json_each(?))`,
  parameters: [JSON.stringify(ids)],
});
