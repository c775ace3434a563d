import { pause } from '../../shared/timing.ts';
import { type CatchUp, catchUp } from './catch-up.ts';
import type { CollectionWriter } from './fold.ts';
import type { createFollow } from './follow.ts';
import type { Retrying } from './retry.ts';
import { findDrift, type Slot, settleSlots } from './slots.ts';

export interface LiveSessionDeps extends Omit<CatchUp, 'join'> {
  slots: readonly Slot[];
  follow: ReturnType<typeof createFollow>;
  stopping: AbortSignal;
  retryOf: (signal: AbortSignal) => Retrying;
  /** How late a loss of the views may be noticed while nothing is written. */
  lookEveryMs: number;
  dropLater: (collection: string) => void;
}

/**
 * Rejects when the slots are no longer in line with the views: they were lost, or set back, or
 * another process lets something else serve. Resolves when the signal fires.
 */
const watchServing = async (
  { views, slots, group, lookEveryMs }: LiveSessionDeps,
  signal: AbortSignal,
): Promise<void> => {
  const drift = () => findDrift(views, slots, (writer) => group.writers.includes(writer));
  for (;;) {
    await pause(lookEveryMs, signal);
    if (signal.aborted) return;
    // Views that cannot be reached now are not lost. Between two batches nothing moves: what is
    // seen then is no trace of what this process does itself.
    const suspicion = await drift().catch(() => undefined);
    const found = suspicion && (await group.exclusive(drift).catch(() => undefined));
    if (found !== undefined) throw new Error(found);
  }
};

/**
 * One session lasts from a look at the end of the log to the first failure. Nothing that was known
 * in one is believed in the next: which collections serve is read again, and all writers read their
 * checkpoints again and join once they have caught up with the group.
 */
export const createLiveSession =
  (deps: LiveSessionDeps) =>
  async (progressed: () => void): Promise<void> => {
    const { slots, follow, stopping, retryOf, group } = deps;
    const join = async (writer: CollectionWriter) => {
      group.writers = [...group.writers, writer];
    };
    await follow.open(async (head) => {
      const obsolete = await settleSlots(deps.views, slots, head);
      for (const collection of obsolete) deps.dropLater(collection);
    });
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping, ended.signal]);
    const writers = slots.flatMap(({ writer }) => (writer && !writer.halt ? [writer] : []));
    const catchingUp = catchUp({ ...deps, join }, writers, retryOf(signal));
    const lost = new AbortController();
    const watching = watchServing(deps, signal).catch((error: unknown) => lost.abort(error));
    try {
      await follow.run(AbortSignal.any([stopping, lost.signal]), progressed);
      lost.signal.throwIfAborted();
    } finally {
      follow.close();
      ended.abort();
      await Promise.all([catchingUp, watching]);
    }
  };
