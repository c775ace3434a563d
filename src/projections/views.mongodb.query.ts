import type { Filter, IndexDescription, Sort } from 'mongodb';
import type { IndexFields } from './define.ts';
import {
  FIELD_NAME,
  FIELD_TEXT_MAX,
  REMOVED_KEPT_SECONDS,
  type Row,
} from './views.mongodb.form.ts';
import type { Query, Range, Scalar } from './views.ts';

/** The most that one question answers. */
const LIMIT_MAX = 10_000;

/** Names come from code, but dots and dollars mean something to MongoDB: nothing else may pass. */
export const checkedName = (name: string): string => {
  if (!FIELD_NAME.test(name)) {
    throw new Error(`${JSON.stringify(name)} cannot name a collection or field`);
  }
  return name;
};

const pathOf = (name: string): string => `fields.${checkedName(name)}`;

const keyOf = (fields: IndexFields): Record<string, 1 | -1> =>
  Object.fromEntries(
    fields.map((field) =>
      field.startsWith('-') ? [pathOf(field.slice(1)), -1] : [pathOf(field), 1],
    ),
  );

/** The indexes of a projection, and the one by which MongoDB clears away what was removed. */
export const indexesOf = (indexes: readonly IndexFields[]): IndexDescription[] => [
  ...indexes.map((fields) => ({ key: keyOf(fields) })),
  { key: { removedAt: 1 }, sparse: true, expireAfterSeconds: REMOVED_KEPT_SECONDS },
];

const isRange = (condition: Scalar | Range): condition is Range =>
  typeof condition === 'object' && condition !== null;

/** A field has the beginning only of a long text, so none can be told by all of it. */
const comparable = <Value>(value: Value): Value => {
  if (typeof value === 'string' && value.length >= FIELD_TEXT_MAX) {
    throw new RangeError(`a text of ${FIELD_TEXT_MAX} characters or more cannot be asked for`);
  }
  return value;
};

const comparisons = ['gt', 'gte', 'lt', 'lte'] as const;

const conditionOf = (name: string, condition: Scalar | Range): Record<string, unknown> | null => {
  if (condition === null) return null;
  if (!isRange(condition)) return { $eq: comparable(condition) };
  const terms: Record<string, unknown> = {};
  for (const comparison of comparisons) {
    const bound = condition[comparison];
    if (bound !== undefined) terms[`$${comparison}`] = comparable(bound);
  }
  if (condition.in) terms.$in = condition.in.map(comparable);
  if (Object.keys(terms).length === 0) throw new Error(`the condition on ${name} says nothing`);
  return terms;
};

export interface Search {
  filter: Filter<Row>;
  options: { sort?: Sort; limit: number; batchSize: number };
}

export const searchOf = ({ where, order, limit }: Query): Search => {
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw new RangeError(`a limit is 1 to ${LIMIT_MAX}, not ${limit}`);
  }
  const filter: Record<string, unknown> = {};
  for (const [name, condition] of Object.entries(where)) {
    filter[pathOf(name)] = conditionOf(name, condition);
  }
  // A removed document has no fields, so few questions meet one.
  filter.document = { $exists: true };
  const by = pathOf(order.field);
  const fixed = where[order.field];
  const isFixed = fixed !== undefined && !isRange(fixed);
  const sort = { [by]: order.direction === 'descending' ? (-1 as const) : (1 as const) };
  const options = { limit, batchSize: limit, ...(!isFixed && { sort }) };
  return { filter: filter as Filter<Row>, options };
};
