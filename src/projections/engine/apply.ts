import type { Position, Recorded } from '../../events/store.ts';
import { Unwritable, type Views } from '../views.ts';
import { foldEvents, type Lane, refuse, settle, unreadableType } from './fold.ts';

export interface Applying {
  views: Views;
  /** A lane has just halted. */
  onHalt: (lane: Lane) => void;
  /** An event that cannot be read; lanes that handle its type halt at it. */
  onUnreadable: (event: Recorded, type: string) => void;
}

/**
 * Folds a batch into all lanes and commits it as one. A lane that meets an event which it cannot
 * fold, or makes a document which cannot be kept, halts; the others go on. Anything else that goes
 * wrong is thrown, and leaves the lanes where they were.
 */
export const applyBatch = async (
  { views, onHalt, onUnreadable }: Applying,
  lanes: readonly Lane[],
  batch: { events: readonly Recorded[]; to: Position },
): Promise<void> => {
  let folded = await foldEvents(views, lanes, batch.events, batch.to);
  // Each further round leaves one lane out.
  for (let round = 0; round <= lanes.length; round += 1) {
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
  for (const lane of lanes) if (lane.halt) onHalt(lane);
};

const isOf =
  (collection: string) =>
  ({ commit }: { commit: { collection: string } }) =>
    commit.collection === collection;

/**
 * Reads again how far the collections are, and forgets what was known of their documents. A
 * collection that is gone, as after a loss of the views, is made again and filled from the start.
 */
export const reload = async (views: Views, lanes: readonly Lane[]): Promise<void> => {
  await Promise.all(
    lanes.map(async (lane) => {
      lane.recent.clear();
      const { indexes, filters } = lane.projection;
      await views.prepare(lane.collection, indexes, filters);
      lane.position = await views.checkpoint(lane.collection);
    }),
  );
};
