import { type Position, START } from '../../events/store.ts';
import type { Lane } from './fold.ts';

/** The lanes that follow the log together. All of them are at the group's position. */
export interface Group {
  lanes: readonly Lane[];
  position: Position;
  /** False while the log is not followed; nobody can join then. */
  open: boolean;
  /** One after the other: between two batches nothing moves, and others can join. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

export const createGroup = (): Group => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    lanes: [],
    position: START,
    open: false,
    exclusive(work) {
      const done = last.then(work);
      last = done.catch(() => undefined);
      return done;
    },
  };
};
