import { START } from '../../events/store.ts';
import { pause } from '../../shared/timing.ts';
import { furthestOf } from '../checkpoints.ts';
import { reload } from './apply.ts';
import { type CatchUp, catchUp } from './catch-up.ts';
import { type Holds, moversOf, placesOf } from './collection-writer.ts';
import type { createFollow } from './follow.ts';
import type { Retrying } from './retry.ts';
import { findDrift, type Slot, settleSlots, writersIn } from './slots.ts';

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

const writersOf = (slots: readonly Slot[]) => slots.flatMap(({ writer }) => writer ?? []);

/**
 * Lets what is furthest on follow the log from there, or from the log's end where all begin anew. So a backlog is
 * read once, for all read models at one place and for those who share the reading; what is behind catches up.
 */
const goLive = async ({ views, store, slots, group }: LiveSessionDeps): Promise<void> => {
  for (const { places } of writersIn(slots)) {
    for (const one of places.values()) one.isLive = false;
  }
  const writers = writersOf(slots);
  await reload(views, writers);
  const sound = writers.flatMap(placesOf).filter(({ halt }) => !halt);
  const furthest = furthestOf(sound.map(({ position }) => position));
  group.position = furthest === START ? await store.end() : furthest;
  for (const one of sound) one.isLive = one.position === group.position;
};

/**
 * One session lasts until the first failure, or until this process gets or loses partitions. Each reads the
 * serving collections and the checkpoints again. What is live stays so when only the partitions have changed, and
 * new ones catch up with it.
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
      const isAnyLive = moversOf(writersOf(slots), ({ isLive }) => isLive).length > 0;
      if (!goesOn || !isAnyLive) await goLive(deps);
    });
    goesOn = false;
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping, changed, ended.signal]);
    const catchingUp = catchUp(deps, writersOf(slots), retryOf(signal));
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
