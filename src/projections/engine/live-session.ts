import { pause } from '../../shared/timing.ts';
import { type CatchUp, catchUp } from './catch-up.ts';
import type { CollectionWriter } from './collection-writer.ts';
import type { createFollow } from './follow.ts';
import type { Retrying } from './retry.ts';
import { findDrift, type Slot, settleSlots } from './slots.ts';

export interface LiveSessionDeps extends Omit<CatchUp, 'join'> {
  slots: readonly Slot[];
  follow: ReturnType<typeof createFollow>;
  stopping: AbortSignal;
  retryOf: (signal: AbortSignal) => Retrying;
  /** Delay until a loss of the views is noticed while nothing is written. */
  lookEveryMs: number;
  dropLater: (collection: string) => void;
}

/**
 * Rejects when the slots no longer match the views: the views were lost or set back, or another
 * process promoted another collection. Resolves when the signal fires.
 */
const watchServing = async (
  { views, slots, group, lookEveryMs }: LiveSessionDeps,
  signal: AbortSignal,
): Promise<void> => {
  const drift = () => findDrift(views, slots, (writer) => group.writers.includes(writer));
  for (;;) {
    await pause(lookEveryMs, signal);
    if (signal.aborted) return;
    // Unreachable views are not lost. The second look runs between two batches, so that a commit
    // of this process cannot look like a drift.
    const suspicion = await drift().catch(() => undefined);
    const found = suspicion && (await group.exclusive(drift).catch(() => undefined));
    if (found !== undefined) throw new Error(found);
  }
};

/**
 * One session lasts until the first failure. Each session reads the serving collections and the
 * checkpoints again, and all writers catch up with the group and join it.
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
