import type { DatabaseSync } from 'node:sqlite';
import { boundaryOf, selectOf } from '../../src/projections/sqlite/query.ts';
import { shapeOf } from '../../src/projections/sqlite/shape.ts';
import type { Query } from '../../src/projections/views.ts';
import { type Walk, walksOf } from '../../src/projections/walk.ts';

/** What SQLite does for a page of a question, and to find where a scan for it ends. */
export const queryPlans = (
  database: DatabaseSync,
  collection: string,
  query: Query,
  along?: Walk,
): string[] => {
  const shape = shapeOf(collection, (text, parameter) => database.prepare(text).all(parameter))!;
  const walk = along ?? walksOf(shape.indexes, query)[0]!;
  const stretch = { shape, walk, order: query.order, range: walk.range };
  return [selectOf(stretch, query.limit), boundaryOf(stretch, 100)].map(({ text, parameters }) => {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...parameters);
    const own = steps.map(({ detail }) => String(detail));
    return own.filter((detail) => !/SUBQUERY|_words/.test(detail)).join('; ');
  });
};
