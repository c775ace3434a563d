import type { Position } from '../../events/store.ts';
import type { Projection } from '../define.ts';
import type { CollectionWriter } from './collection-writer.ts';

/** One projection with its serving collection and the writers of that and of the next one. */
export interface Slot {
  readonly projection: Projection;
  serving: string;
  /** They write the serving collection; none while that has another version or another log. */
  writers: readonly CollectionWriter[];
  /** The build of the next collection. */
  next: Build | undefined;
}

export interface Build {
  readonly collection: string;
  writers: readonly CollectionWriter[];
  /** Where its writers here had caught up. */
  livePosition?: Position;
}

/** Where the writers of a collection are; undefined for a collection that no slot knows. */
const placeOf = (slots: readonly Slot[], collection: string): Build | Slot | undefined => {
  for (const slot of slots) {
    if (slot.serving === collection) return slot;
    if (slot.next?.collection === collection) return slot.next;
  }
  return undefined;
};

/** Adds the writer of some partitions that another one had before. */
export const addPart = (slots: readonly Slot[], part: CollectionWriter): void => {
  const place = placeOf(slots, part.collection);
  if (place) place.writers = [...place.writers, part];
};

/** All writers, of serving collections and of builds. */
export const writersIn = (slots: readonly Slot[]): CollectionWriter[] =>
  slots.flatMap(({ writers, next }) => [...writers, ...(next?.writers ?? [])]);

/** Leaves out the writers without partitions. */
export const tidySlots = (slots: readonly Slot[]): void => {
  const isUsed = ({ share }: CollectionWriter) => share.held.size > 0;
  for (const slot of slots) {
    slot.writers = slot.writers.filter(isUsed);
    if (slot.next) slot.next.writers = slot.next.writers.filter(isUsed);
  }
};
