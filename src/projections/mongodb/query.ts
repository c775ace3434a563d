import type { Filter, IndexDescription, Sort } from 'mongodb';
import type { IndexFields } from '../define.ts';
import type { Condition, Query, Range } from '../views.ts';
import { checkedName, isScalar, parseIndex, type Walk } from '../walk.ts';
import { FIELD_TEXT_MAX, REMOVED_KEPT_SECONDS, type Row } from './form.ts';

const pathOf = (name: string): string => `fields.${checkedName(name)}`;

const keyOf = (fields: IndexFields): Record<string, 1 | -1> =>
  Object.fromEntries(
    parseIndex(fields).map(({ name, descending }) => [pathOf(name), descending ? -1 : 1]),
  );

const partialOf = (fields: IndexFields): Pick<IndexDescription, 'partialFilterExpression'> => {
  const sparse = parseIndex(fields).filter((field) => field.sparse);
  if (sparse.length === 0) return {};
  const there = sparse.map(({ name }) => [pathOf(name), { $exists: true }]);
  return { partialFilterExpression: Object.fromEntries(there) };
};

/** The indexes of a projection, and the one by which MongoDB deletes rows of removed documents. */
export const indexesOf = (indexes: readonly IndexFields[]): IndexDescription[] => [
  ...indexes.map((fields) => ({ key: keyOf(fields), ...partialOf(fields) })),
  { key: { removedAt: 1 }, sparse: true, expireAfterSeconds: REMOVED_KEPT_SECONDS },
];

/** An index of a projection in MongoDB. */
export interface KnownIndex {
  name: string;
  fields: IndexFields;
}

const FIELDS = 'fields.';

/** The indexes that a projection of this or an older program created. */
export const knownIndexes = (described: readonly IndexDescription[]): KnownIndex[] =>
  described.flatMap(({ name = '', key, partialFilterExpression = {} }) => {
    const entries = Object.entries(key as Record<string, unknown>);
    if (!entries.every(([path]) => path.startsWith(FIELDS))) return [];
    const fields = entries.map(([path, direction]) => {
      const sign = direction === -1 ? '-' : '';
      return `${sign}${path.slice(FIELDS.length)}${path in partialFilterExpression ? '?' : ''}`;
    });
    return [{ name, fields }];
  });

/** Refuses long texts, because a field holds only the beginning of one. */
const comparable = <Value>(value: Value): Value => {
  if (typeof value === 'string' && value.length >= FIELD_TEXT_MAX) {
    throw new RangeError(`a query cannot compare texts of ${FIELD_TEXT_MAX} characters or more`);
  }
  return value;
};

const comparisons = ['gt', 'gte', 'lt', 'lte'] as const;

const rangeTerms = (name: string, range: Range): Record<string, unknown> => {
  const terms: Record<string, unknown> = {};
  for (const comparison of comparisons) {
    const bound = range[comparison];
    if (bound !== undefined) terms[`$${comparison}`] = comparable(bound);
  }
  if (Object.keys(terms).length === 0) throw new Error(`the condition on ${name} says nothing`);
  return terms;
};

const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

const conditionOf = (name: string, condition: Condition): Record<string, unknown> | null => {
  if (condition === null) return null;
  if (isScalar(condition)) return { $eq: comparable(condition) };
  if ('in' in condition) return { $in: condition.in.map(comparable) };
  if ('not' in condition) return { $not: rangeTerms(name, condition.not) };
  if ('contains' in condition) {
    const escaped = comparable(condition.contains).replace(SPECIAL, '\\$&');
    // MongoDB takes no such character in a pattern.
    return { $regex: escaped.replaceAll('\0', '\\x00') };
  }
  return rangeTerms(name, condition);
};

/** The part of an index that a walk reads. */
export interface Stretch {
  walk: Walk;
  order: Query['order'];
  range: Range;
  /** Name of the index, so that MongoDB does not choose one. */
  hint: string;
}

export interface Search {
  filter: Filter<Row>;
  options: {
    sort: Sort;
    hint: string;
    limit: number;
    projection: Record<string, 0 | 1>;
    skip?: number;
  };
}

const walking = ({ walk, order, range, hint }: Stretch) => {
  const by = pathOf(order.field);
  const filter: Record<string, unknown> = {};
  for (const [name, value] of walk.equal) filter[pathOf(name)] = conditionOf(name, value);
  if (Object.keys(range).length > 0) filter[by] = rangeTerms(order.field, range);
  const sort: Sort = { [by]: order.direction === 'descending' ? -1 : 1 };
  return { by, filter, options: { sort, hint } };
};

/** The places of the row at the end of `rows` rows and of the next one. Reads only the index. */
export const boundaryOf = (stretch: Stretch, rows: number): Search => {
  const { by, filter, options } = walking(stretch);
  const projection = { _id: 0 as const, [by]: 1 as const };
  const skip = rows - 1;
  return { filter: filter as Filter<Row>, options: { ...options, projection, skip, limit: 2 } };
};

/** The documents of a stretch without further conditions. Reads only the index where a value or a range is given. */
export const filterOf = (stretch: Stretch): Filter<Row> => {
  const { filter } = walking(stretch);
  // Rows of removed documents have no fields.
  const isBare = Object.values(filter).every((condition) => condition === null);
  return { ...filter, ...(isBare && { document: { $exists: true } }) } as Filter<Row>;
};

/** The documents of a stretch that match the walk's conditions. */
export const searchOf = (stretch: Stretch, limit: number): Search => {
  const { filter, options } = walking(stretch);
  for (const [name, condition] of stretch.walk.rest) {
    filter[pathOf(name)] = conditionOf(name, condition);
  }
  // Excludes removed documents; few queries meet one, as it has no fields.
  filter.document = { $exists: true };
  const projection = { position: 1 as const, document: 1 as const, fields: 1 as const };
  return {
    filter: filter as Filter<Row>,
    options: { ...options, projection, limit },
  };
};
