import { type EventReader, StoreUnavailable } from '../../events/store.ts';
import type { Projection } from '../../projections/define.ts';
import type { Lists } from '../../projections/engine/lists.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { ViewsUnavailable } from '../../projections/views.ts';
import { AppError } from '../../shared/errors.ts';
import { retry } from '../../shared/retry.ts';

/** Read models that have seen every event of the log, or, after a bounded wait, as many as they have. */
export interface ReadModels extends Pick<Reader, 'get' | 'getMany' | 'find' | 'count'>, Lists {
  /**
   * The error for a missing document: the given one, or 503 while the read models do not show all, because
   * the document may exist.
   */
  notFound(error: Error): Error;
}

/**
 * Waits until these projections have seen the head of the log, so that callers read their writes. Of a
 * request that `writes`, it asks a log again that does not tell its ends in time: the log is there.
 */
export type UpToDate = (
  projections: readonly Projection[],
  of?: { writes: boolean },
) => Promise<ReadModels>;

/** Pauses before the log is asked again for its ends, each of which it has 1 s to tell. */
const ASK_AGAIN_MS = [300, 300, 500];
/** After this time it is asked no more. */
const ASK_WITHIN_MS = 4_000;

const RETRY_AFTER_SECONDS = 5;

const behind = (cause: unknown) =>
  new AppError(
    'service.unavailable',
    'The service is behind its log: what was asked for may be there, and is not shown yet',
    { retryAfterSeconds: RETRY_AFTER_SECONDS, cause },
  );

/** A lagging or halted projection is served as it is after the wait; `onLate` reports it. */
export const createUpToDate = (deps: {
  store: Pick<EventReader, 'head'>;
  reader: Reader;
  lists: Lists;
  onLate: (projections: readonly string[], error: unknown) => void;
}): UpToDate => {
  const { store, reader, lists, onLate } = deps;
  return async (projections, { writes } = { writes: false }) => {
    const delays = writes ? ASK_AGAIN_MS : [];
    const latestAt = performance.now() + ASK_WITHIN_MS;
    const mayCome = (error: unknown) =>
      error instanceof StoreUnavailable &&
      !(error instanceof ViewsUnavailable) &&
      performance.now() < latestAt;
    let lateness: unknown;
    try {
      const reach = async () => reader.reached(projections, await store.head());
      const shown = await retry(reach, { delays, while: mayCome });
      if (shown !== 'all') lateness = new ViewsUnavailable(`not all is shown: ${shown}`);
    } catch (error) {
      lateness = error;
      onLate(
        projections.map(({ name }) => name),
        error,
      );
    }
    const declared = <Doc>(projection: Projection<Doc>): Projection<Doc> => {
      if (projections.some(({ name }) => name === projection.name)) return projection;
      throw new Error(`the route does not declare that it reads ${projection.name}`);
    };
    return {
      get: (projection, id) => reader.get(declared(projection), id),
      getMany: (projection, ids) => reader.getMany(declared(projection), ids),
      find: (projection, query) => reader.find(declared(projection), query),
      count: (projection, query) => reader.count(declared(projection), query),
      page: (owner, projection, query) => lists.page(owner, declared(projection), query),
      all: (owner, projection, query) => lists.all(owner, declared(projection), query),
      notFound: (error) => (lateness === undefined ? error : behind(lateness)),
    };
  };
};
