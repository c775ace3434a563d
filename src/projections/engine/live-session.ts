import { pause } from '../../shared/timing.ts';
import { type CatchUp, catchUp } from './catch-up.ts';
import type { Holds } from './collection-writer.ts';
import type { createFollow } from './follow.ts';
import type { Retrying } from './retry.ts';
import { findDrift, type Slot, settleSlots } from './slots.ts';

interface LiveSessionDeps extends Omit<CatchUp, 'onJoin'> {
  slots: readonly Slot[];
  holds: Holds;
  follow: ReturnType<typeof createFollow>;
  stopping: AbortSignal;
  /** A signal that fires when this process gets or loses partitions: a new session opens them. */
  changed: () => AbortSignal;
  /** Promotes the builds that are complete. */
  promote: () => Promise<void>;
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
  { views, slots, group, lookEveryMs, promote }: LiveSessionDeps,
  signal: AbortSignal,
): Promise<void> => {
  const drift = () => findDrift(views, slots);
  for (;;) {
    await pause(lookEveryMs, signal);
    if (signal.aborted) return;
    await promote().catch(() => undefined);
    // Unreachable views are not lost. The second look runs between two batches, so that a commit
    // of this process cannot look like a drift.
    const suspicion = await drift().catch(() => undefined);
    const found = suspicion && (await group.exclusive(drift).catch(() => undefined));
    if (found !== undefined) throw new Error(found);
  }
};

/**
 * One session lasts until the first failure, or until this process gets or loses partitions. Each reads the
 * serving collections and the checkpoints again. What is live stays so when only the partitions have changed;
 * all others catch up with the group and join it.
 */
export const createLiveSession = (deps: LiveSessionDeps) => {
  const { store, views, holds, slots, follow, stopping, retryOf } = deps;
  /** Whether the last session ended without a failure. */
  let goesOn = false;

  return async (progressed: () => void): Promise<void> => {
    const changed = deps.changed();
    await follow.open(async () => {
      const obsolete = await settleSlots({ views, holds, store }, slots);
      for (const collection of obsolete) deps.dropLater(collection);
    }, goesOn);
    goesOn = false;
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping, changed, ended.signal]);
    const writers = slots.flatMap(({ writer }) => writer ?? []);
    const catchingUp = catchUp(deps, writers, retryOf(signal));
    const lost = new AbortController();
    const watching = watchServing(deps, signal).catch((error: unknown) => lost.abort(error));
    try {
      await follow.run(AbortSignal.any([stopping, changed, lost.signal]), progressed);
      lost.signal.throwIfAborted();
      goesOn = true;
    } finally {
      follow.close();
      ended.abort();
      await Promise.all([catchingUp, watching]);
    }
  };
};
