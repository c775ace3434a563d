import type { LRUCache } from 'lru-cache';
import type { Position } from '../../events/store.ts';
import { createGrowingCache } from '../../shared/growing-cache.ts';
import type { Projection } from '../define.ts';
import type { Kept } from '../views.ts';
import type { Share } from './partitions.ts';

/** Why a projection halted, and at which event. */
export interface Halt {
  reason: string;
  position: Position;
  stream: string | null;
}

/** Folds the log into one collection of a projection: into the documents of its share. */
export interface CollectionWriter {
  readonly projection: Projection;
  readonly collection: string;
  readonly share: Share;
  /** The checkpoint of its partitions. */
  position: Position;
  /** Documents that this writer wrote last. No other process writes while the checkpoints agree. */
  readonly recent: LRUCache<string, Kept<object>>;
  halt: Halt | null;
  /** Another collection has replaced this one: write nothing more. */
  retired: boolean;
}

const RECENT_MAX = 4096;
const whole = (): Share => ({ count: 1, held: new Set([0]) });

export const createCollectionWriter = (
  projection: Projection,
  collection: string,
  position: Position,
  share = whole(),
): CollectionWriter => ({
  projection,
  collection,
  share,
  position,
  recent: createGrowingCache(RECENT_MAX),
  halt: null,
  retired: false,
});

/** A writer of this partition at the same place, with the same documents in memory. */
export const splitOff = (writer: CollectionWriter, partition: number): CollectionWriter => {
  const { projection, collection, share, position } = writer;
  const held = new Set([partition]);
  share.held.delete(partition);
  const part = createCollectionWriter(projection, collection, position, {
    count: share.count,
    held,
  });
  for (const [id, kept] of writer.recent.entries()) part.recent.set(id, kept);
  return part;
};

/** Takes these partitions from a writer, between two of its batches. */
export const takeFrom = (
  writer: CollectionWriter,
  isLost: (partition: number) => boolean,
): void => {
  for (const partition of writer.share.held) {
    if (isLost(partition)) writer.share.held.delete(partition);
  }
  if (writer.share.held.size === 0) writer.retired = true;
};

/** Takes over all partitions of another writer at the same position. */
export const absorb = (into: CollectionWriter, writer: CollectionWriter): void => {
  for (const partition of writer.share.held) into.share.held.add(partition);
  for (const [id, kept] of writer.recent.entries()) into.recent.set(id, kept);
  writer.share.held.clear();
  writer.retired = true;
};
