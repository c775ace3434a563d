import type { IndexFields } from './define.ts';
import type { Condition, OneOf, Query, Range, Scalar } from './views.ts';

// Chooses the index that a query walks, and the conditions to compare in each row. Both adapters use
// it instead of a query planner, so the number of rows that a query reads is bounded.

/** Most rows of one query. */
const LIMIT_MAX = 10_000;

const NAME = /^[a-z][A-Za-z0-9_]*$/;

/** Names come from code, but some characters have a meaning in SQL or MongoDB. */
export const checkedName = (name: string): string => {
  if (NAME.test(name)) return name;
  throw new Error(`${JSON.stringify(name)} cannot name a collection or field`);
};

const mustBeSound = ({ where, order, limit }: Query): void => {
  for (const name of [...Object.keys(where), order.field]) checkedName(name);
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX) return;
  throw new RangeError(`a limit is 1 to ${LIMIT_MAX}, not ${limit}`);
};

interface IndexField {
  name: string;
  descending: boolean;
  /** The index leaves out documents with null in this field. */
  sparse: boolean;
}

export const parseIndex = (fields: IndexFields): IndexField[] =>
  fields.map((field) => ({
    name: field.replace(/^-|\?$/g, ''),
    descending: field.startsWith('-'),
    sparse: field.endsWith('?'),
  }));

/** The fields that a collection's queries compare. */
export const comparedFields = (
  indexes: readonly IndexFields[],
  filters: readonly string[],
): readonly string[] => {
  const indexed = indexes.flatMap(parseIndex).map(({ name }) => name);
  return [...new Set([...indexed, ...filters])].map(checkedName);
};

export interface Walk {
  /** Number of the index. */
  index: number;
  /** Values of the leading fields. Rows with one of several values are sorted, so they must be few. */
  equal: (readonly [string, Scalar | OneOf])[];
  /** The range of the order's field. */
  range: Range;
  /** The conditions to compare in each row. */
  rest: (readonly [string, Condition])[];
}

export const isScalar = (condition: Condition): condition is Scalar =>
  typeof condition !== 'object' || condition === null;

const isOneOf = (condition: Condition): condition is OneOf =>
  !isScalar(condition) && 'in' in condition;

const isRange = (condition: Condition): condition is Range =>
  !isScalar(condition) && !['in', 'not', 'contains'].some((key) => key in condition);

/** Most rows of a short walk. Of several walks, the first short one is used. */
export const SHORT_WALK_ROWS = 1_000;

/** The range of an index for a condition on the order's field; undefined for other conditions. */
const rangeOf = (condition: Condition): Range | undefined => {
  if (isRange(condition)) return condition;
  const isPlace = typeof condition === 'string' || typeof condition === 'number';
  return isPlace ? { gte: condition, lte: condition } : undefined;
};

/** Number of leading fields with a given value before the order's field; -1 if unusable. */
const leading = (fields: readonly IndexField[], { where, order }: Query): number => {
  for (const [count, { name, sparse }] of fields.entries()) {
    const condition = Object.hasOwn(where, name) ? where[name] : undefined;
    // A sparse field without a given value would hide documents; a range has none with null.
    if (name === order.field) {
      const isRanged = sparse && condition !== undefined && rangeOf(condition) !== undefined;
      return fields.slice(isRanged ? count + 1 : count).some((one) => one.sparse) ? -1 : count;
    }
    if (condition === undefined || !(isScalar(condition) || isOneOf(condition))) return -1;
    if (sparse && condition === null) return -1;
  }
  return -1;
};

/**
 * The walks along the indexes with the most given leading fields. None when no index has the rows in
 * their order, or when the rows do not keep a field to compare: an older program made them. Throws for
 * an invalid query.
 */
export const walksOf = (
  indexes: readonly IndexFields[],
  query: Query,
  keeps: (field: string) => boolean = () => true,
): Walk[] => {
  mustBeSound(query);
  const counts = indexes.map((one) => leading(parseIndex(one), query));
  const most = Math.max(-1, ...counts);
  if (most === -1) return [];
  const walks = counts.flatMap((count, index) =>
    count === most ? [walkAlong(index, parseIndex(indexes[index]!).slice(0, count), query)] : [],
  );
  return walks.filter(({ rest }) => rest.every(([name]) => keeps(name)));
};

const walkAlong = (index: number, given: readonly IndexField[], query: Query): Walk => {
  const names = given.map(({ name }) => name);
  const { where, order } = query;
  const ordered = where[order.field];
  const range = ordered === undefined ? undefined : rangeOf(ordered);
  return {
    index,
    equal: names.map((name) => [name, where[name] as Scalar | OneOf] as const),
    range: range ?? {},
    rest: Object.entries(where).filter(([name]) =>
      name === order.field ? range === undefined : !names.includes(name),
    ),
  };
};

/** The walk that meets exactly the documents of a query; undefined without an index for all of it. */
export const exactWalk = (
  indexes: readonly IndexFields[],
  query: Pick<Query, 'where' | 'order'>,
): Walk | undefined =>
  walksOf(indexes, { ...query, limit: 1 }).find(({ rest }) => rest.length === 0);

/** The range, limited to the values after one value and up to another, in the walk's order. */
export const between = (
  range: Range,
  { direction }: Query['order'],
  after: string | number | undefined,
  upTo: string | number | undefined,
): Range => {
  const { gt, gte, lt, lte } = range;
  const upper = { ...(lt !== undefined && { lt }), ...(lte !== undefined && { lte }) };
  const lower = { ...(gt !== undefined && { gt }), ...(gte !== undefined && { gte }) };
  if (direction === 'descending') {
    return {
      ...(after === undefined ? upper : { lt: after }),
      ...(upTo === undefined ? lower : { gte: upTo }),
    };
  }
  return {
    ...(after === undefined ? lower : { gt: after }),
    ...(upTo === undefined ? upper : { lte: upTo }),
  };
};
