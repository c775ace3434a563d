import { LRUCache } from 'lru-cache';
import type { Position } from '../../events/store.ts';
import { createExclusive, type Exclusive } from '../../shared/exclusive.ts';
import type { Projection } from '../define.ts';
import type { Kept } from '../views.ts';

/** Why a projection halted, and at which event. */
export interface Halt {
  reason: string;
  position: Position;
  stream: string | null;
}

/** Folds the log into one collection of a projection. */
export interface CollectionWriter {
  readonly projection: Projection;
  readonly collection: string;
  /** The collection's checkpoint. */
  position: Position;
  /** Documents that this writer wrote last. No other process writes while the checkpoints agree. */
  readonly recent: LRUCache<string, Kept<object>>;
  halt: Halt | null;
  /** Another collection has replaced this one: write nothing more. */
  retired: boolean;
  /** What writes the collection, a batch or a chunk of a sweep, runs alone. */
  readonly exclusive: Exclusive;
  /** Sweeps that began. Events that were read before one hold what it takes away. */
  sweeps: number;
}

const RECENT_MAX = 4096;
export const createCollectionWriter = (
  projection: Projection,
  collection: string,
  position: Position,
): CollectionWriter => ({
  projection,
  collection,
  position,
  recent: new LRUCache({ max: RECENT_MAX }),
  halt: null,
  retired: false,
  exclusive: createExclusive(),
  sweeps: 0,
});
