import type { EventStore } from '../../events/store.ts';
import type { Projection } from '../../projections/define.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { AppError } from '../../shared/errors.ts';

/**
 * What it means that something is not in the read models: the refusal that is handed in, or, where
 * they are late, that nobody can tell yet. To be thrown.
 */
export type Missing = (refusal: Error) => Error;

/**
 * Waits until the read models have seen all that the log held when it was asked, so that a caller
 * sees what it wrote, on whichever instance. Bounded: a model that is late or halted is then
 * served as it is. What is not in it is judged by what this resolves to.
 */
export type CaughtUp = (...projections: readonly Projection[]) => Promise<Missing>;

const RETRY_AFTER_SECONDS = 5;

const behind = (cause: unknown) =>
  new AppError(
    'service.unavailable',
    'The service is behind its log: what was asked for may be there, and is not shown yet',
    { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) }, cause },
  );

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
      return (refusal) => refusal;
    } catch (error) {
      onLate(
        projections.map(({ name }) => name),
        error,
      );
      return () => behind(error);
    }
  };
};
