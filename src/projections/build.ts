import { setTimeout as pause } from 'node:timers/promises';
import { bring, type CatchUp } from './catchup.ts';
import type { Lane } from './fold.ts';
import type { Log } from './log.ts';
import { type Retrying, retrying } from './retry.ts';
import { findRebuilds, type Track } from './tracks.ts';

export interface Builds extends Omit<CatchUp, 'join' | 'onProgress'> {
  tracks: readonly Track[];
  logger: Log;
  dropAfterMs: number;
  retry: Retrying;
}

/** Rebuilds that another process asked for are found this late at most. */
const LOOK_AGAIN_MS = 5_000;

/** Drops collections after a while: readers of any process may have them in hand for a moment. */
const createDrops = ({ views, logger, dropAfterMs }: Builds) => {
  const timers = new Set<NodeJS.Timeout>();
  return {
    later(collection: string): void {
      const timer = setTimeout(() => {
        timers.delete(timer);
        views.drop(collection).catch((error: unknown) => {
          logger.warn({ err: error, collection }, 'an old collection could not be dropped');
        });
      }, dropAfterMs);
      timer.unref();
      timers.add(timer);
    },
    cancel(): void {
      for (const timer of timers) clearTimeout(timer);
    },
  };
};

/** Fills the next collections of projections, and lets each take over once it has caught up. */
export const createBuilds = (deps: Builds) => {
  const { views, group, tracks, logger, retry } = deps;
  const drops = createDrops(deps);
  let asked = new AbortController();
  retry.signal.addEventListener('abort', () => asked.abort(), { once: true });

  /** Between two batches, so that no event falls between the old collection and the new one. */
  const takeOver = async (lane: Lane) => {
    const track = tracks.find(({ next }) => next === lane);
    if (!track) return;
    await views.promote(track.projection.name, lane.collection);
    drops.later(track.serving);
    if (track.lane) track.lane.retired = true;
    group.lanes = [...group.lanes.filter(({ retired }) => !retired), lane];
    track.lane = lane;
    track.serving = lane.collection;
    track.next = undefined;
    logger.info({ collection: lane.collection }, 'a collection took over');
  };

  const once = async () => {
    await findRebuilds(views, tracks);
    const lanes = tracks.flatMap(({ next }) => (next && !next.halt ? [next] : []));
    if (lanes.length > 0) {
      await bring({ ...deps, onProgress: () => undefined, join: takeOver }, lanes, retry);
    } else {
      await pause(LOOK_AGAIN_MS, undefined, { signal: asked.signal }).catch(() => undefined);
    }
    if (asked.signal.aborted) asked = new AbortController();
  };

  return {
    dropLater: drops.later,
    async run(): Promise<void> {
      while (!retry.signal.aborted) await retrying(retry, once);
      drops.cancel();
    },
    /** Somebody asked for a rebuild. */
    look: (): void => asked.abort(),
    /** A build that halted is given up, so that another one can be begun. */
    async giveUp(name: string): Promise<void> {
      const track = tracks.find(({ projection }) => projection.name === name);
      if (!track?.next?.halt) return;
      await views.drop(track.next.collection);
      track.next = undefined;
    },
  };
};
