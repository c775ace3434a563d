import { setTimeout as pause } from 'node:timers/promises';
import { bring, type CatchUp } from './catchup.ts';
import type { Lane } from './fold.ts';
import type { createFollow } from './follow.ts';
import type { Retrying } from './retry.ts';
import type { Track } from './tracks.ts';
import type { Views } from './views.ts';

export interface Sessions extends Omit<CatchUp, 'join'> {
  tracks: readonly Track[];
  follow: ReturnType<typeof createFollow>;
  stopping: AbortSignal;
  retryOf: (signal: AbortSignal) => Retrying;
}

/** After a loss of the views nobody is served what is being filled, unless it is said again. */
const promoteServing = async (views: Views, tracks: readonly Track[]): Promise<void> => {
  const live = await views.live();
  for (const { projection, serving } of tracks) {
    if (live[projection.name] === undefined) await views.promote(projection.name, serving);
  }
};

/** How late a loss of the views may be noticed while nothing is written. */
const LOOK_EVERY_MS = 1_000;

/** Rejects when nothing serves a projection any more; resolves when the signal fires. */
const watchServing = async (
  views: Views,
  tracks: readonly Track[],
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    // Views that cannot be reached now are not lost.
    const live = await views.live().catch(() => undefined);
    const gone = live && tracks.find(({ projection }) => live[projection.name] === undefined);
    if (gone) throw new Error(`the views of ${gone.projection.name} are lost`);
  }
};

/**
 * One session lasts from a look at the end of the log to the first failure. Nothing that was known
 * in one is believed in the next: all lanes read their checkpoints again, and join once they have
 * caught up with the group.
 */
export const createSession =
  ({ tracks, follow, stopping, retryOf, ...deps }: Sessions) =>
  async (progressed: () => void): Promise<void> => {
    const { group } = deps;
    const join = async (lane: Lane) => {
      group.lanes = [...group.lanes, lane];
    };
    await follow.open();
    await promoteServing(deps.views, tracks);
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping, ended.signal]);
    const lanes = tracks.flatMap(({ lane }) => (lane && !lane.halt ? [lane] : []));
    const bringing = bring({ ...deps, join }, lanes, retryOf(signal));
    const lost = new AbortController();
    const watching = watchServing(deps.views, tracks, signal).catch((error: unknown) =>
      lost.abort(error),
    );
    try {
      await follow.run(AbortSignal.any([stopping, lost.signal]), progressed);
      lost.signal.throwIfAborted();
    } finally {
      follow.close();
      ended.abort();
      await Promise.all([bringing, watching]);
    }
  };
