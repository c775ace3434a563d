import type { EventStore } from '../events/store.ts';
import type { Projection } from '../projections/define.ts';
import type { Reader } from '../projections/reader.ts';

/**
 * Waits until the read models have seen all that the log held when it was asked, so that a caller
 * sees what it wrote, on whichever instance. Bounded: a model that is late or halted is then
 * served as it is.
 */
export type CaughtUp = (...projections: readonly Projection[]) => Promise<void>;

export const createCaughtUp = (deps: {
  store: Pick<EventStore, 'head'>;
  reader: Reader;
  /** Told of the models that were served late. */
  onLate: (projections: readonly string[], error: unknown) => void;
}): CaughtUp => {
  const { store, reader, onLate } = deps;
  return async (...projections) => {
    try {
      await reader.reached(projections, await store.head());
    } catch (error) {
      onLate(
        projections.map(({ name }) => name),
        error,
      );
    }
  };
};
