import { setTimeout as pause } from 'node:timers/promises';
import { bring, type CatchUp } from './catch-up.ts';
import type { Lane } from './fold.ts';
import type { createFollow } from './follow.ts';
import type { Retrying } from './retry.ts';
import { findDrift, settleTracks, type Track } from './tracks.ts';

export interface Sessions extends Omit<CatchUp, 'join'> {
  tracks: readonly Track[];
  follow: ReturnType<typeof createFollow>;
  stopping: AbortSignal;
  retryOf: (signal: AbortSignal) => Retrying;
  /** How late a loss of the views may be noticed while nothing is written. */
  lookEveryMs: number;
  dropLater: (collection: string) => void;
}

/**
 * Rejects when the tracks are no longer in line with the views: they were lost, or set back, or
 * another process lets something else serve. Resolves when the signal fires.
 */
const watchServing = async (
  { views, tracks, group, lookEveryMs }: Sessions,
  signal: AbortSignal,
): Promise<void> => {
  const drift = () => findDrift(views, tracks, (lane) => group.lanes.includes(lane));
  for (;;) {
    await pause(lookEveryMs, undefined, { signal }).catch(() => undefined);
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
 * in one is believed in the next: which collections serve is read again, and all lanes read their
 * checkpoints again and join once they have caught up with the group.
 */
export const createSession =
  (deps: Sessions) =>
  async (progressed: () => void): Promise<void> => {
    const { tracks, follow, stopping, retryOf, group } = deps;
    const join = async (lane: Lane) => {
      group.lanes = [...group.lanes, lane];
    };
    await follow.open(async (head) => {
      const obsolete = await settleTracks(deps.views, tracks, head);
      for (const collection of obsolete) deps.dropLater(collection);
    });
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping, ended.signal]);
    const lanes = tracks.flatMap(({ lane }) => (lane && !lane.halt ? [lane] : []));
    const bringing = bring({ ...deps, join }, lanes, retryOf(signal));
    const lost = new AbortController();
    const watching = watchServing(deps, signal).catch((error: unknown) => lost.abort(error));
    try {
      await follow.run(AbortSignal.any([stopping, lost.signal]), progressed);
      lost.signal.throwIfAborted();
    } finally {
      follow.close();
      ended.abort();
      await Promise.all([bringing, watching]);
    }
  };
