import { type Position, START } from '../../events/store.ts';
import {
  createSaving,
  createStored,
  earlierOf,
  laterOf,
  type Place,
  type Store,
} from './reactor-places.ts';
import type { Unsettled } from './unsettled.ts';

/**
 * How far a reactor has come in each of its partitions that this process has. The checkpoints lie in
 * the log's own snapshots, so dropping the read models does not make the reactor run again. Each says
 * only what is done, so one that a late process writes may repeat work but never leave any out.
 */
export const createCheckpoints = (
  name: string,
  count: number,
  store: Store,
  monotonicMs: () => number = () => performance.now(),
) => {
  const stored = createStored(name, count, store);
  const saving = createSaving(count, store, monotonicMs);
  const places = new Map<number, Place>();
  /** How far this process has read. A partition that was further on stays there. */
  let reached: Position = START;
  const at = ({ from }: Place): Position => laterOf(from, reached);
  const slowest = (): Position => [...places.values()].map(at).reduce(earlierOf, at(first()));
  const first = (): Place => places.values().next().value!;

  return {
    /** Of the slowest partition. */
    position: (): Position => (places.size === 0 ? START : slowest()),
    /** Adds partitions. The log must be read from `position` after that. */
    async load(partitions: readonly number[]): Promise<void> {
      const added = await stored.load(partitions);
      for (const place of places.values()) place.from = at(place);
      reached = START;
      for (const [partition, place] of added) {
        saving.note(place);
        places.set(partition, place);
      }
      reached = slowest();
    },
    /** The partitions, or of one the only one, that have not seen what is at this position. */
    newTo: (position: Position, partition: number | null): readonly Place[] => {
      const asked = partition === null ? [...places.values()] : [places.get(partition)];
      return asked.filter((place) => place !== undefined && place.from < position) as Place[];
    },
    moveTo(position: Position, events: number): void {
      reached = position;
      saving.pass(events);
    },
    /** Something is done for these partitions; what has not settled may go on. */
    note(of: readonly Place[], unsettled: Unsettled | undefined): void {
      for (const place of of) {
        place.isBusy = true;
        if (!unsettled) continue;
        const before = at(place);
        const position = () => unsettled.standsAt?.() ?? before;
        place.open.add(position);
        const close = () => {
          place.open.delete(position);
          place.isBusy = true;
        };
        unsettled.settled.then(close, close);
      }
    },
    /** Saves those that have changed; those for which nothing was done more seldom, unless `all`. */
    async save({ all = false } = {}): Promise<void> {
      const due = [...places.values()].filter((place) => all || saving.isDue(place));
      await Promise.all(due.map((place) => saving.save(place, at(place))));
    },
  };
};
