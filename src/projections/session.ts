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
    try {
      await follow.run(stopping, progressed);
    } finally {
      follow.close();
      ended.abort();
      await bringing;
    }
  };
