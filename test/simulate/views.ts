import { type Position, START } from '../../src/events/store.ts';
import { type Checkpoints, slowestOf } from '../../src/projections/checkpoints.ts';
import type { IndexFields } from '../../src/projections/define.ts';
import {
  type Commit,
  type Condition,
  FIND_ROWS_MAX,
  type Kept,
  type Query,
  type Range,
  type Scalar,
  StaleCheckpoint,
  Unserved,
  Unwritable,
  type Views,
} from '../../src/projections/views.ts';
import {
  checkedName,
  comparedFields,
  exactWalk,
  isScalar,
  parseIndex,
  SHORT_WALK_ROWS,
  type Walk,
  walksOf,
} from '../../src/projections/walk.ts';
import type { Way } from './log.ts';

interface Held {
  indexes: readonly IndexFields[];
  compared: readonly string[];
  checkpoints: Position[];
  documents: Map<string, { position: Position; text: string; fields: Record<string, unknown> }>;
}
type Row = Kept<Record<string, unknown>> & { text: string };

const isWithin = (value: unknown, { gt, gte, lt, lte }: Range): boolean => {
  if (value === null || value === undefined) return false;
  const one = value as string;
  return (
    (gt === undefined || one > (gt as string)) &&
    (gte === undefined || one >= (gte as string)) &&
    (lt === undefined || one < (lt as string)) &&
    (lte === undefined || one <= (lte as string))
  );
};

const holds = (value: unknown, condition: Condition): boolean => {
  if (isScalar(condition)) return (value ?? null) === condition;
  if ('in' in condition) return condition.in.includes(value as string);
  if ('not' in condition) return !isWithin(value, condition.not);
  if ('contains' in condition)
    return typeof value === 'string' && value.includes(condition.contains);
  return isWithin(value, condition);
};

/** Missing values come first. */
const compare = (one: unknown, other: unknown): number => {
  const [a, b] = [one ?? null, other ?? null] as (Scalar & string)[];
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a! < b! ? -1 : 1;
};

const atOnce: Way = { to: async () => undefined, back: async () => undefined };

/** Read models in memory, or a copy of others. Each handle is that of one process. */
export const createMemoryViews = (partitions = 1, before?: MemoryViews['state']) => {
  const copies = [...(before?.collections ?? [])].map(
    ([name, { checkpoints, documents, ...made }]): [string, Held] => [
      name,
      { ...made, checkpoints: [...checkpoints], documents: new Map(documents) },
    ],
  );
  const collections = new Map<string, Held>(copies);
  const live = new Map<string, string>(before?.live);

  const held = (collection: string): Held => {
    const found = collections.get(checkedName(collection));
    if (!found) throw new Error(`${collection} is not prepared`);
    return found;
  };
  const kept = (collection: string, id: string): Row | undefined => {
    const one = collections.get(checkedName(collection))?.documents.get(id);
    if (!one) return undefined;
    return { id, position: one.position, document: JSON.parse(one.text), text: one.text };
  };
  /** The rows along a walk, in its order. */
  const along = (collection: string, walk: Walk, { order }: Pick<Query, 'order'>): Row[] => {
    const { indexes, documents } = held(collection);
    const sparse = parseIndex(indexes[walk.index]!).filter((field) => field.sparse);
    const rows: { id: string; value: unknown }[] = [];
    for (const [id, { fields }] of documents) {
      const isIn =
        sparse.every(({ name }) => (fields[name] ?? null) !== null) &&
        walk.equal.every(([name, condition]) => holds(fields[name], condition)) &&
        (Object.keys(walk.range).length === 0 || isWithin(fields[order.field], walk.range));
      if (isIn) rows.push({ id, value: fields[order.field] });
    }
    rows.sort((a, b) => compare(a.value, b.value) || (a.id < b.id ? -1 : 1));
    if (order.direction === 'descending') rows.reverse();
    return rows.map(({ id }) => kept(collection, id)!);
  };
  const isMet = ({ rest }: Walk, { document }: Row) =>
    rest.every(([name, condition]) => holds(document[name], condition));
  const walked = (collection: string, query: Query): { walk: Walk; rows: Row[] } => {
    const { indexes, compared } = held(collection);
    const found = walksOf(indexes, query, (field) => compared.includes(field)).map((walk) => ({
      walk,
      rows: along(collection, walk, query),
    }));
    if (found.length === 0) throw new Unserved(collection, query);
    return found.find(({ rows }) => rows.length <= SHORT_WALK_ROWS) ?? found[0]!;
  };
  const shown = ({ id, position, document }: Row, fields?: readonly string[]): Kept<never> => ({
    id,
    position,
    document: (fields
      ? Object.fromEntries(fields.map((name) => [name, document[name] ?? null]))
      : document) as never,
  });

  const stored = (collection: string, { writes }: Commit) =>
    writes.map((write) => {
      try {
        const text = JSON.stringify(write.document);
        return { ...write, text, fields: JSON.parse(text) as Record<string, unknown> };
      } catch (error) {
        throw new Unwritable(collection, write, error);
      }
    });

  const commit = (commits: readonly Commit[]): void => {
    const work = commits.map((one) => {
      const { checkpoints, documents } = held(one.collection);
      const places = one.partitions ?? checkpoints.keys().toArray();
      if (places.some((place) => checkpoints[place] !== one.from)) {
        throw new StaleCheckpoint(one.collection);
      }
      return { one, checkpoints, documents, places, writes: stored(one.collection, one) };
    });
    for (const { one, checkpoints, documents, places, writes } of work) {
      for (const { id, position, document, text, fields } of writes) {
        const before = documents.get(id);
        if (before && before.position >= position) continue;
        if (document === null) documents.delete(id);
        else documents.set(id, { position, text, fields });
      }
      for (const place of places) checkpoints[place] = one.to;
    }
  };

  const open = ({ to, back }: Way = atOnce): Views => {
    const step = async <T>(what: string, work: () => T): Promise<T> => {
      await to(what);
      const done = work();
      await back(what);
      return done;
    };
    return {
      partitions,
      get: (collection, id) =>
        step(`get from ${collection}`, () => {
          const row = kept(collection, id);
          return row && shown(row);
        }),
      getMany: (collection, ids) =>
        step(`get ${ids.length} from ${collection}`, () =>
          ids.flatMap((id) => kept(collection, id) ?? []).map((row) => shown(row)),
        ),
      find: (collection, query) =>
        step(`find in ${collection}`, () => {
          const { walk, rows } = walked(collection, query);
          if (rows.length > FIND_ROWS_MAX) throw new Unserved(collection, query);
          const met = rows.filter((row) => isMet(walk, row)).slice(0, query.limit);
          return met.map((row) => shown(row, query.fields));
        }),
      scan: async (collection, scan, signal) => {
        signal?.throwIfAborted();
        return step(`scan ${collection}`, () => {
          const { walk, rows } = walked(collection, scan);
          const found: Row[] = [];
          let characters = 0;
          let last: Row | undefined;
          for (const row of rows.slice(0, scan.rowsMax)) {
            const met = isMet(walk, row);
            if (met && found.length === scan.limit) {
              last = found.at(-1);
              break;
            }
            last = row;
            if (!met) continue;
            found.push(row);
            characters += row.text.length;
            if (characters > scan.charactersMax) break;
          }
          const next = last === rows.at(-1) ? null : last?.document[scan.order.field];
          const shownRows = found.map((row) => shown(row, scan.fields));
          return { rows: shownRows, next: next as string | null };
        });
      },
      count: (collection, query) =>
        step(`count ${collection}`, () => {
          const walk = exactWalk(held(collection).indexes, query);
          if (!walk) throw new Unserved(collection, query);
          return along(collection, walk, query).length;
        }),
      checkpoint: (collection) =>
        step(`the checkpoint of ${collection}`, () =>
          slowestOf(collections.get(collection)?.checkpoints ?? [START]),
        ),
      checkpoints: () =>
        step('all checkpoints', () =>
          Object.fromEntries(
            [...collections].map(([name, one]): [string, Checkpoints] => [
              name,
              [...one.checkpoints],
            ]),
          ),
        ),
      halts: async () => ({}),
      live: () => step('what serves', () => Object.fromEntries(live)),
      collections: () => step('all collections', () => [...collections.keys()]),
      health: async () => ({ ok: true }),
      close: async () => undefined,
      halt: async () => undefined,
      prepare: (collection, indexes, filters = []) =>
        step(`prepare ${collection}`, () => {
          const compared = comparedFields(indexes, filters);
          if (collections.has(checkedName(collection))) return;
          const checkpoints = Array<Position>(partitions).fill(START);
          collections.set(collection, { indexes, compared, checkpoints, documents: new Map() });
        }),
      commit: (commits) =>
        step(`commit ${commits.map(({ collection }) => collection).join(', ')}`, () =>
          commit(commits),
        ),
      replace: (collection, documents) =>
        step(`replace ${documents.length} in ${collection}`, () => {
          const own = held(collection).documents;
          for (const { id, position, document } of documents) {
            if (own.get(id)?.position !== position) continue;
            const text = JSON.stringify(document);
            own.set(id, { position, text, fields: JSON.parse(text) });
          }
        }),
      clean: () => step('clean the read models', () => undefined),
      promote: (projection, collection, instead) =>
        step(`promote ${collection}`, () => {
          if (live.get(projection) === checkedName(collection)) return true;
          if (live.get(projection) !== instead || !collections.has(collection)) return false;
          live.set(projection, collection);
          return true;
        }),
      drop: (collection) =>
        step(`drop ${collection}`, () => {
          if ([...live.values()].includes(collection)) return false;
          collections.delete(checkedName(collection));
          return true;
        }),
    };
  };
  return {
    open,
    state: { collections, live },
    /** Whether all collections that serve have seen the log up to there. */
    areAt: (position: Position) =>
      [...live.values()].every((name) => slowestOf(held(name).checkpoints) >= position),
  };
};

export interface MemoryViews {
  state: {
    collections: ReadonlyMap<string, Readonly<Held>>;
    live: ReadonlyMap<string, string>;
  };
}
