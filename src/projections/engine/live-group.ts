import { type Position, START } from '../../events/store.ts';
import { createMutex, type Mutex } from '../../shared/concurrency.ts';
import { absorb, type CollectionWriter } from './collection-writer.ts';

/** The collection writers that follow the log together. All are at the group's position. */
export interface LiveGroup {
  writers: readonly CollectionWriter[];
  position: Position;
  /** False while the log is not followed; no writer can join then. */
  open: boolean;
  /** Between two batches no position moves, and writers can join. */
  exclusive: Mutex;
  /** For the batches of writers that are not in the group yet, which it does not wait for. */
  catchingUp: Mutex;
}

/** Runs while no batch is written, by the group or by those that catch up. */
export const whileNoneWrites = <T>(group: LiveGroup, work: () => Promise<T>): Promise<T> =>
  group.exclusive(() => group.catchingUp(work));

/**
 * Adds a writer at the group's position, under the group's lock. One that writes the same collection
 * takes over its partitions, so that a batch has one commit for each collection.
 */
export const joinGroup = (group: LiveGroup, writer: CollectionWriter): void => {
  group.writers = group.writers.filter(({ retired }) => !retired);
  const same = group.writers.find(
    ({ collection, halt }) => collection === writer.collection && !halt,
  );
  if (same === writer) return;
  if (same) absorb(same, writer);
  else group.writers = [...group.writers, writer];
};

export const createLiveGroup = (): LiveGroup => ({
  writers: [],
  position: START,
  open: false,
  exclusive: createMutex(),
  catchingUp: createMutex(),
});
