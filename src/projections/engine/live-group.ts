import { type Position, START } from '../../events/store.ts';
import { createMutex, type Mutex } from '../../shared/concurrency.ts';

/** What follows the log together: the places that are live, at the group's position or further on. */
export interface LiveGroup {
  position: Position;
  /** False while the log is not followed; no place can join then. */
  open: boolean;
  /** Between two batches no position moves, and places can join. */
  exclusive: Mutex;
  /** For the batches of places that are not in the group yet; it waits for one only where places join. */
  catchingUp: Mutex;
}

/** Runs while no batch is written, by the group or by those that catch up. */
export const whileNoneWrites = <T>(group: LiveGroup, work: () => Promise<T>): Promise<T> =>
  group.exclusive(() => group.catchingUp(work));

export const createLiveGroup = (): LiveGroup => ({
  position: START,
  open: false,
  exclusive: createMutex(),
  catchingUp: createMutex(),
});
