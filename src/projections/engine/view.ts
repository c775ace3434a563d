import type { Position } from '../../events/store.ts';
import type { Halt } from '../views.ts';
import { type CollectionWriter, placesOf } from './collection-writer.ts';
import type { LiveGroup } from './live-group.ts';
import { type Shown, shownOf } from './reader.ts';
import type { Slot } from './slots.ts';
import { type EngineView, errorAt } from './status.ts';
import type { createWaiters } from './waiters.ts';

/** The last failure of each retried work. */
export interface Failures {
  following: string | null;
  building: string | null;
}

const haltIn = (writer: CollectionWriter | undefined): Halt | null =>
  placesOf(writer).find(({ halt }) => halt)?.halt ?? null;

const viewOf = ({ serving, writer, next }: Slot, { following, building }: Failures): EngineView => {
  const halt = haltIn(writer) ?? haltIn(next?.writer);
  const failure = following ?? (next ? building : null);
  const error = halt ? errorAt(halt) : { message: failure ?? '', position: null, stream: null };
  return {
    serving,
    halted: haltIn(writer?.places.size ? writer : next?.writer) !== null,
    catchingUp: placesOf(writer).some(({ isLive, halt }) => !halt && !isLive),
    error: halt || failure !== null ? error : null,
  };
};

export interface Watched {
  slots: readonly Slot[];
  group: LiveGroup;
  waiters: ReturnType<typeof createWaiters>;
  failures: Failures;
  /** Ends the batch delay. */
  hurry: () => void;
}

/** The queries of a run. */
export const createView = ({ slots, waiters, failures, hurry }: Omit<Watched, 'group'>) => {
  const byName = new Map(slots.map((slot) => [slot.projection.name, slot]));

  /** Nobody folds an older version that serves. */
  const stateOf = (name: string, position: Position): Shown | 'behind' => {
    let shown: Shown = 'older';
    for (const { position: at, halt } of placesOf(byName.get(name)?.writer)) {
      if (at < position && !halt) return 'behind';
      if (shown !== 'halted') shown = at < position ? 'halted' : 'all';
    }
    return shown;
  };

  return {
    serving: (name: string): string | undefined => byName.get(name)?.serving,
    /** See `Reader.reached`. */
    async reached(
      projections: readonly string[],
      position: Position,
      timeoutMs: number,
    ): Promise<Shown> {
      const isDone = () => projections.every((name) => stateOf(name, position) !== 'behind');
      if (!isDone()) {
        const reached = waiters.wait({ projections, position, isDone }, timeoutMs);
        hurry();
        await reached;
      }
      return shownOf(projections.map((name) => stateOf(name, position)));
    },
    /** Whether this process folds all partitions of all serving collections. */
    isWhole: () => slots.every(({ writer }) => writer && writer.places.size === writer.count),
    known(name: string): EngineView | undefined {
      const slot = byName.get(name);
      return slot && viewOf(slot, failures);
    },
  };
};
