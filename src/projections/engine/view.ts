import type { Position } from '../../events/store.ts';
import type { CollectionWriter } from './collection-writer.ts';
import type { LiveGroup } from './live-group.ts';
import type { Slot } from './slot.ts';
import type { EngineView } from './status.ts';
import type { createWaiters } from './waiters.ts';

/** The last failure of each retried work. */
export interface Failures {
  following: string | null;
  building: string | null;
}

const viewOf = (
  { serving, writers, next }: Slot,
  group: LiveGroup,
  { following, building }: Failures,
): EngineView => {
  const haltIn = (all: readonly CollectionWriter[] = []) =>
    all.find(({ halt }) => halt)?.halt ?? null;
  const halt = haltIn(writers) ?? haltIn(next?.writers);
  const failure = following ?? (next ? building : null);
  const error = halt
    ? { message: halt.reason, position: halt.position, stream: halt.stream }
    : { message: failure ?? '', position: null, stream: null };
  return {
    serving,
    halted: haltIn(writers.length > 0 ? writers : next?.writers) !== null,
    catchingUp: writers.some((one) => !one.halt && !group.writers.includes(one)),
    error: halt || failure !== null ? error : null,
  };
};

/** Whether these writers have all partitions of their collection. */
const isWhole = (writers: readonly CollectionWriter[]): boolean => {
  const held = writers.reduce((sum, { share }) => sum + share.held.size, 0);
  return writers.length > 0 && held === writers[0]!.share.count;
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
export const createView = ({ slots, group, waiters, failures, hurry }: Watched) => {
  const byName = new Map(slots.map((slot) => [slot.projection.name, slot]));

  const isThere = (name: string, position: Position): boolean => {
    const writers = byName.get(name)?.writers ?? [];
    return writers.every((one) => one.halt !== null || one.position >= position);
  };

  return {
    serving: (name: string): string | undefined => byName.get(name)?.serving,
    /** See `Reader.reached`. */
    reached(projections: readonly string[], position: Position, timeoutMs: number): Promise<void> {
      const isDone = () => projections.every((name) => isThere(name, position));
      if (isDone()) return Promise.resolve();
      const reached = waiters.wait({ projections, position, isDone }, timeoutMs);
      hurry();
      return reached;
    },
    /** Whether this process folds all partitions of all serving collections. */
    isWhole: () => slots.every(({ writers }) => isWhole(writers)),
    known(name: string): EngineView | undefined {
      const slot = byName.get(name);
      return slot && viewOf(slot, group, failures);
    },
  };
};
