import { type Position, START } from '../../events/store.ts';
import type { CollectionWriter } from './collection-writer.ts';

/** The collection writers that follow the log together. All are at the group's position. */
export interface LiveGroup {
  writers: readonly CollectionWriter[];
  position: Position;
  /** False while the log is not followed; no writer can join then. */
  open: boolean;
  /** Runs one work at a time; between two batches no position moves, and writers can join. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

export const createLiveGroup = (): LiveGroup => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    writers: [],
    position: START,
    open: false,
    exclusive(work) {
      const done = last.then(work);
      last = done.catch(() => undefined);
      return done;
    },
  };
};
