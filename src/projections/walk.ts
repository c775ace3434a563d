import type { IndexFields } from './define.ts';
import type { Condition, Query, Range, Scalar } from './views.ts';

// Which index a question walks, and what is left to look at in each row. Both adapters go by this
// and leave the choice to no planner, so the rows that a question reads can be counted beforehand.

/** The most that one question answers. */
const LIMIT_MAX = 10_000;

const NAME = /^[a-z][A-Za-z0-9_]*$/;

/** Names come from code, but both stores read some characters as more than a name. */
export const checkedName = (name: string): string => {
  if (NAME.test(name)) return name;
  throw new Error(`${JSON.stringify(name)} cannot name a collection or field`);
};

const mustBeSound = ({ where, order, limit }: Query): void => {
  for (const name of [...Object.keys(where), order.field]) checkedName(name);
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX) return;
  throw new RangeError(`a limit is 1 to ${LIMIT_MAX}, not ${limit}`);
};

export interface IndexField {
  name: string;
  descending: boolean;
  /** Documents in which it is null are not in the index. */
  sparse: boolean;
}

export const parseIndex = (fields: IndexFields): IndexField[] =>
  fields.map((field) => ({
    name: field.replace(/^-|\?$/g, ''),
    descending: field.startsWith('-'),
    sparse: field.endsWith('?'),
  }));

export interface Walk {
  /** Which of the indexes. */
  index: number;
  /** Values of its leading fields. */
  equal: (readonly [string, Scalar])[];
  /** The part of the order's field that is asked for. */
  range: Range;
  /** What each row must be like beside that. */
  rest: (readonly [string, Condition])[];
}

export const isScalar = (condition: Condition): condition is Scalar =>
  typeof condition !== 'object' || condition === null;

const isRange = (condition: Condition): condition is Range =>
  !isScalar(condition) && !['in', 'not', 'contains'].some((key) => key in condition);

/** Rows up to which a walk is short: of several the first short one is taken. */
export const SHORT_WALK_ROWS = 1_000;

/** The stretch of an index that a condition on its order's field stands for, if it is one. */
const rangeOf = (condition: Condition): Range | undefined => {
  if (isRange(condition)) return condition;
  const isPlace = typeof condition === 'string' || typeof condition === 'number';
  return isPlace ? { gte: condition, lte: condition } : undefined;
};

/** How many leading fields are given, where the order's field comes next; -1 where it does not. */
const leading = (fields: readonly IndexField[], { where, order }: Query): number => {
  for (const [count, { name, sparse }] of fields.entries()) {
    // What an index leaves out may be part of the answer, unless its field is given.
    if (name === order.field) return fields.slice(count).some((one) => one.sparse) ? -1 : count;
    const condition = Object.hasOwn(where, name) ? where[name] : undefined;
    if (condition === undefined || !isScalar(condition)) return -1;
    if (sparse && condition === null) return -1;
  }
  return -1;
};

/**
 * The walks along indexes with the most leading fields that are given; several where a question has
 * several such filters. None when no index leads to the rows in their order. Throws where nobody
 * could answer.
 */
export const walksOf = (indexes: readonly IndexFields[], query: Query): Walk[] => {
  mustBeSound(query);
  const counts = indexes.map((one) => leading(parseIndex(one), query));
  const most = Math.max(-1, ...counts);
  if (most === -1) return [];
  return counts.flatMap((count, index) =>
    count === most ? [walkAlong(index, parseIndex(indexes[index]!).slice(0, count), query)] : [],
  );
};

/** The one to go by where their lengths are not known. */
export const walkOf = (indexes: readonly IndexFields[], query: Query): Walk | undefined =>
  walksOf(indexes, query)[0];

const walkAlong = (index: number, given: readonly IndexField[], query: Query): Walk => {
  const names = given.map(({ name }) => name);
  const { where, order } = query;
  const ordered = where[order.field];
  const range = ordered === undefined ? undefined : rangeOf(ordered);
  return {
    index,
    equal: names.map((name) => [name, where[name] as Scalar] as const),
    range: range ?? {},
    rest: Object.entries(where).filter(([name]) =>
      name === order.field ? range === undefined : !names.includes(name),
    ),
  };
};

/** Narrower by what lies behind one value and not behind another, in the order of the walk. */
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
