import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import { type Kept, type Scan, type Scanned, Unserved } from '../views.ts';
import { between, exactWalk, SHORT_WALK_ROWS, type Walk, walksOf } from '../walk.ts';
import { type Connection, LIMIT_MS } from './connection.ts';
import { type Row, unpackAll } from './form.ts';
import {
  boundaryOf,
  filterOf,
  type KnownIndex,
  knownIndexes,
  type Search,
  type Stretch,
  searchOf,
} from './query.ts';

/** Enough for all generations of all projections. */
const COLLECTIONS_MAX = 1_000;

const NAMESPACE_NOT_FOUND = 26;

type Place = string | number;

interface Placed extends Row {
  fields?: Record<string, string | number>;
}

const picked = <Doc>(kept: Kept<Doc>, fields: readonly string[] | undefined): Kept<Doc> => {
  if (!fields) return kept;
  const whole = kept.document as Record<string, unknown>;
  const entries = fields.map((name) => [name, whole[name] ?? null]);
  return { ...kept, document: Object.fromEntries(entries) as Doc };
};

type RunSearch = <T>(
  search: Search,
  take: (cursor: AsyncIterable<Placed>) => Promise<T>,
) => Promise<T>;

/** Reads the indexes of a collection once; they never change. */
const createIndexReader = ({ call }: Pick<Connection, 'call'>) => {
  const known = new LRUCache<string, readonly KnownIndex[]>({ max: COLLECTIONS_MAX });

  return async (rows: Collection<Row>): Promise<readonly KnownIndex[]> => {
    const found = known.get(rows.collectionName);
    if (found) return found;
    const described = await call(LIMIT_MS.read, () =>
      rows.indexes().catch((error: { code?: unknown }) => {
        if (error.code === NAMESPACE_NOT_FOUND) return [];
        throw error;
      }),
    );
    const indexes = knownIndexes(described);
    if (indexes.length > 0) known.set(rows.collectionName, indexes);
    return indexes;
  };
};

/** A collection, and the fields that its rows keep to compare them. */
interface Searched {
  collection: string;
  rows: Collection<Row>;
  fields: readonly string[];
}

interface Walking {
  search: RunSearch;
  indexes: readonly KnownIndex[];
  scan: Scan;
}

const stretchOf = ({ indexes, scan: { order } }: Walking, walk: Walk, upTo?: Place): Stretch => ({
  walk,
  order,
  hint: indexes[walk.index]!.name,
  range: between(walk.range, order, undefined, upTo),
});

const placeOf = ({ fields }: Placed, { order }: Scan): Place | undefined => fields?.[order.field];

/** The places of the row at the end of `count` rows and of the next one, as far as they exist. */
const placesAt = async (walking: Walking, walk: Walk, count: number) => {
  const places: (Place | undefined)[] = [];
  await walking.search(boundaryOf(stretchOf(walking, walk), count), async (cursor) => {
    for await (const row of cursor) places.push(placeOf(row, walking.scan));
  });
  return places;
};

/** The first short walk; the first walk when none is short. */
const shortest = async (walking: Walking, walks: readonly Walk[]): Promise<Walk> => {
  if (walks.length > 1) {
    for (const walk of walks) {
      if ((await placesAt(walking, walk, SHORT_WALK_ROWS)).length === 0) return walk;
    }
  }
  return walks[0]!;
};

const readPage = async <Doc>(walking: Walking, walk: Walk): Promise<Scanned<Doc>> => {
  const { scan } = walking;
  const [upTo, beyond] = walk.rest.length === 0 ? [] : await placesAt(walking, walk, scan.rowsMax);
  const found: Placed[] = [];
  let last: Place | undefined;
  let characters = 0;
  const documents = searchOf(stretchOf(walking, walk, upTo), scan.limit + 1);
  const isFull = await walking.search(documents, async (cursor) => {
    for await (const row of cursor) {
      if (found.length === scan.limit || characters >= scan.charactersMax) return true;
      found.push(row);
      last = placeOf(row, scan);
      characters += row.document?.length ?? 0;
    }
    return false;
  });
  const rows = unpackAll<Doc>(found).map((one) => picked(one, scan.fields));
  if (isFull) return { rows, next: last ?? null };
  return { rows, next: beyond === undefined ? null : upTo! };
};

/**
 * Reads along an index of the collection. Reads the end of the page from the index first, so the number
 * of examined documents is bounded.
 */
export const createWalker = (connection: Pick<Connection, 'call'>) => {
  const indexesOf = createIndexReader(connection);

  /** The number of documents along an index. */
  const count = async (
    rows: Collection<Row>,
    collection: string,
    query: Pick<Scan, 'where' | 'order'>,
  ): Promise<number> => {
    const indexes = await indexesOf(rows);
    const walk = exactWalk(
      indexes.map(({ fields }) => fields),
      query,
    );
    if (!walk) throw new Unserved(collection, query);
    const { name: hint } = indexes[walk.index]!;
    const filter = filterOf({ walk, hint, order: query.order, range: walk.range });
    const options = { hint, maxTimeMS: LIMIT_MS.read };
    return connection.call(LIMIT_MS.read, () => rows.countDocuments(filter, options));
  };

  const scan = async <Doc>(
    { rows, fields, collection }: Searched,
    scan: Scan,
    signal?: AbortSignal,
  ): Promise<Scanned<Doc>> => {
    const search: RunSearch = ({ filter, options }, take) =>
      connection.call(LIMIT_MS.read, async () => {
        // The driver does not get the signal, because it would close the connection.
        signal?.throwIfAborted();
        const whole = { ...options, batchSize: options.limit + 1, maxTimeMS: LIMIT_MS.read };
        return take(rows.find(filter, whole) as unknown as AsyncIterable<Placed>);
      });
    const indexes = await indexesOf(rows);
    const walks = walksOf(
      indexes.map((index) => index.fields),
      scan,
      (field) => fields.includes(field),
    );
    if (walks.length === 0) throw new Unserved(collection, scan);
    const walking = { search, indexes, scan };
    return readPage<Doc>(walking, await shortest(walking, walks));
  };
  return { scan, count };
};
