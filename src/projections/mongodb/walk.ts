import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import { type Kept, type Scan, type Scanned, Unserved } from '../views.ts';
import { between, walkOf } from '../walk.ts';
import { type Connection, LIMIT_MS } from './connection.ts';
import { type Row, unpack } from './form.ts';
import {
  boundaryOf,
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

/**
 * Goes along an index that the collection has, which need not be of this program's version. Where
 * a page must end is read from the index first, so the documents that are looked at are counted.
 */
export const createWalker = ({ call }: Pick<Connection, 'call'>) => {
  const known = new LRUCache<string, readonly KnownIndex[]>({ max: COLLECTIONS_MAX });

  const indexesOf = async (rows: Collection<Row>): Promise<readonly KnownIndex[]> => {
    const name = rows.collectionName;
    const found = known.get(name);
    if (found) return found;
    const described = await call(LIMIT_MS.read, () =>
      rows.indexes().catch((error: { code?: unknown }) => {
        if (error.code === NAMESPACE_NOT_FOUND) return [];
        throw error;
      }),
    );
    const indexes = knownIndexes(described);
    if (indexes.length > 0) known.set(name, indexes);
    return indexes;
  };

  const search = <T>(
    rows: Collection<Row>,
    { filter, options }: Search,
    take: (cursor: AsyncIterable<Placed>) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> =>
    call(LIMIT_MS.read, async () => {
      // Not handed to the driver, which would close its connection: the server has a time limit.
      signal?.throwIfAborted();
      const whole = { ...options, batchSize: options.limit + 1, maxTimeMS: LIMIT_MS.read };
      const cursor = rows.find(filter, whole);
      return take(cursor as unknown as AsyncIterable<Placed>);
    });

  return async <Doc>(
    rows: Collection<Row>,
    collection: string,
    scan: Scan,
    signal?: AbortSignal,
  ): Promise<Scanned<Doc>> => {
    const indexes = await indexesOf(rows);
    const walk = walkOf(
      indexes.map(({ fields }) => fields),
      scan,
    );
    if (!walk) throw new Unserved(collection, scan);
    const { order, limit, rowsMax, charactersMax } = scan;
    const placeOf = ({ fields }: Placed): Place | undefined => fields?.[order.field];
    const stretch = (upTo?: Place): Stretch => ({
      ...{ walk, order, hint: indexes[walk.index]!.name },
      range: between(walk.range, order, undefined, upTo),
    });

    const ends = async (): Promise<(Place | undefined)[]> => {
      if (walk.rest.length === 0) return [];
      const places: (Place | undefined)[] = [];
      await search(
        rows,
        boundaryOf(stretch(), rowsMax),
        async (cursor) => {
          for await (const row of cursor) places.push(placeOf(row));
        },
        signal,
      );
      return places;
    };

    const [upTo, beyond] = await ends();
    const found: Kept<Doc>[] = [];
    let last: Place | undefined;
    let characters = 0;
    const isFull = await search(
      rows,
      searchOf(stretch(upTo), limit + 1),
      async (cursor) => {
        for await (const row of cursor) {
          if (found.length === limit || characters >= charactersMax) return true;
          found.push(picked(unpack<Doc>(row)!, scan.fields));
          last = placeOf(row);
          characters += row.document!.length;
        }
        return false;
      },
      signal,
    );
    if (isFull) return { rows: found, next: last ?? null };
    return { rows: found, next: beyond === undefined ? null : upTo! };
  };
};
