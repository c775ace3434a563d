import type { LRUCache } from 'lru-cache';
import { bucketOf, bucketOfAccount, NONE } from '../../events/bucket.ts';
import { type Position, START } from '../../events/store.ts';
import { createGrowingCache } from '../../shared/growing-cache.ts';
import type { Checkpoints } from '../checkpoints.ts';
import type { Projection } from '../define.ts';
import type { Halt, Kept, Views } from '../views.ts';
import { prepareCollection } from './collections.ts';

/** A partition of a collection that this process folds. */
export interface Place {
  /** Its checkpoint. */
  position: Position;
  halt: Halt | null;
  /** Whether it follows the log with the others, at the group's position. */
  isLive: boolean;
}

/** Folds the log into the documents of one collection that are in its partitions. */
export interface CollectionWriter {
  readonly projection: Projection;
  readonly collection: string;
  /** Of all partitions: the buckets of accounts where processes share the work, else one. */
  readonly count: number;
  /** By partition; one comes or goes only between two batches. None once another collection serves. */
  readonly places: Map<number, Place>;
  /** Documents that this writer wrote last. No other process writes while the checkpoints agree. */
  readonly recent: LRUCache<string, Kept<object>>;
}

export const placesOf = (writer: CollectionWriter | undefined): Place[] => [
  ...(writer?.places.values() ?? []),
];

const RECENT_MAX = 4096;

const placeAt = (position: Position): Place => ({ position, halt: null, isLive: false });

export const createCollectionWriter = (
  projection: Projection,
  collection: string,
  checkpoints: readonly Position[],
  holds: Holds = () => true,
): CollectionWriter => {
  const held = [...checkpoints.entries()].filter(([partition]) => holds(partition));
  return {
    projection,
    collection,
    count: checkpoints.length,
    places: new Map(held.map(([partition, position]) => [partition, placeAt(position)])),
    recent: createGrowingCache(RECENT_MAX),
  };
};

/** Whether this process folds the documents of a partition. */
export type Holds = (partition: number) => boolean;

export interface Opening {
  views: Views;
  holds: Holds;
  /** The checkpoints of all collections, as found. */
  found: Readonly<Record<string, Checkpoints>>;
}

/** The writer of what this process holds of a collection: the known one where that goes on. */
export const openWriter = async (
  { views, holds, found }: Opening,
  projection: Projection,
  collection: string,
  known: CollectionWriter | undefined,
): Promise<CollectionWriter> => {
  const isOpen = known?.collection === collection;
  if (!isOpen) await prepareCollection(views, projection, collection);
  const checkpoints = (isOpen ? found : await views.checkpoints())[collection] ?? [START];
  if (!isOpen || known.count !== checkpoints.length) {
    known?.places.clear();
    return createCollectionWriter(projection, collection, checkpoints, holds);
  }
  for (const [partition, position] of checkpoints.entries()) {
    if (!holds(partition) || known.places.has(partition)) continue;
    known.places.set(partition, placeAt(position));
    // Another worker may have changed what this one remembers.
    known.recent.clear();
  }
  return known;
};

/** The partition of the documents that the events of a stream touch. */
export const partitionOf = ({ count }: CollectionWriter, stream: string): number =>
  count === 1 ? 0 : bucketOf(stream);

/** Whether the writer folds a document that holds personal data. */
export const holdsDocument = (
  { projection, count, places }: CollectionWriter,
  { document }: { document: object },
): boolean => {
  const { accountId = null } = document as { accountId?: string | null };
  const bucket = projection.erase?.ofNone ? NONE : bucketOfAccount(accountId);
  return places.size === count || places.has(bucket);
};

/** Partitions of a writer that move together, from one place. */
export interface Mover {
  writer: CollectionWriter;
  position: Position;
  partitions: ReadonlySet<number>;
}

/** Whether the partition of a stream moves. */
export const moves = ({ writer, partitions }: Mover, stream: string): boolean =>
  partitions.size === writer.count || partitions.has(partitionOf(writer, stream));

/** What moves of these places, unless it has halted. */
export const moversOf = (
  writers: readonly CollectionWriter[],
  isAsked: (place: Place, partition: number) => boolean,
): readonly Mover[] =>
  writers.flatMap((writer) => {
    const movers = new Map<Position, Set<number>>();
    for (const [partition, place] of writer.places) {
      if (place.halt || !isAsked(place, partition)) continue;
      const together = movers.get(place.position);
      if (together) together.add(partition);
      else movers.set(place.position, new Set([partition]));
    }
    return [...movers].map(([position, partitions]) => ({ writer, position, partitions }));
  });
