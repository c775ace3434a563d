import type { Position, Recorded } from '../../events/store.ts';
import { Unwritable, type Views } from '../views.ts';
import type { CollectionWriter } from './collection-writer.ts';
import { prepareCollection } from './collections.ts';
import { foldEvents, refuse, settle, unreadableType } from './fold.ts';

export interface Applying {
  views: Views;
  /** Called when a writer halts. */
  onHalt: (writer: CollectionWriter) => void;
  /** Called for an unreadable event. Writers that handle its type halt at it. */
  onUnreadable: (event: Recorded, type: string) => void;
}

/**
 * Folds a batch into all writers and commits it as one. A writer halts at an event that it cannot
 * fold and at a document that the views cannot keep; the others continue. Throws any other failure,
 * which leaves the writers unchanged.
 */
export const applyBatch = (
  deps: Applying,
  writers: readonly CollectionWriter[],
  batch: { events: readonly Recorded[]; to: Position },
): Promise<void> =>
  writers.reduce<() => Promise<void>>(
    (work, writer) => () => writer.exclusive(work),
    () => applyAlone(deps, writers, batch),
  )();

const applyAlone = async (
  { views, onHalt, onUnreadable }: Applying,
  writers: readonly CollectionWriter[],
  batch: { events: readonly Recorded[]; to: Position },
): Promise<void> => {
  let folded = await foldEvents(views, writers, batch.events, batch.to);
  // Each further round leaves one writer out.
  for (let round = 0; round <= writers.length; round += 1) {
    try {
      const moved = folded.filter(({ commit }) => commit.to > commit.from);
      if (moved.length > 0) await views.commit(moved.map(({ commit }) => commit));
      break;
    } catch (error) {
      const refused = error instanceof Unwritable && folded.find(isOf(error.collection));
      if (!refused) throw error;
      refuse(refused, error);
      folded = folded.filter((one) => one !== refused);
    }
  }
  for (const one of folded) settle(one);
  for (const event of batch.events) {
    const type = unreadableType(event);
    if (type !== undefined) onUnreadable(event, type);
  }
  for (const writer of writers) if (writer.halt) onHalt(writer);
};

const isOf =
  (collection: string) =>
  ({ commit }: { commit: { collection: string } }) =>
    commit.collection === collection;

/**
 * Reads the checkpoints again and forgets the cached documents. Creates a missing collection, as
 * after a loss of the views; it is then built from the start of the log.
 */
export const reload = async (views: Views, writers: readonly CollectionWriter[]): Promise<void> => {
  await Promise.all(
    writers.map(async (writer) => {
      writer.recent.clear();
      await prepareCollection(views, writer.projection, writer.collection);
      writer.position = await views.checkpoint(writer.collection);
    }),
  );
};
