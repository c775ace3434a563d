import { type Position, START } from '../../events/store.ts';
import { createExclusive, type Exclusive } from '../../shared/exclusive.ts';
import type { CollectionWriter } from './collection-writer.ts';

/** The collection writers that follow the log together. All are at the group's position. */
export interface LiveGroup {
  writers: readonly CollectionWriter[];
  position: Position;
  /** False while the log is not followed; no writer can join then. */
  open: boolean;
  /** Between two batches no position moves, and writers can join. */
  exclusive: Exclusive;
}

export const createLiveGroup = (): LiveGroup => ({
  writers: [],
  position: START,
  open: false,
  exclusive: createExclusive(),
});
