import type { Position } from '../events/store.ts';
import { type Plan, planOf } from './collections.ts';
import type { Projection } from './define.ts';
import { createLane, type Lane } from './fold.ts';
import type { Views } from './views.ts';

/** One projection: the collection that readers get, and who fills it and the one to follow it. */
export interface Track {
  readonly projection: Projection;
  serving: string;
  /** Fills what serves; none while that is of another version, or not to be trusted. */
  lane: Lane | undefined;
  /** Fills what shall serve next. */
  next: Lane | undefined;
}

const laneOf = async (views: Views, projection: Projection, collection: string) => {
  await views.prepare(collection, projection.indexes);
  return createLane(projection, collection, await views.checkpoint(collection));
};

const openTrack = async (
  views: Views,
  projection: Projection,
  plan: Plan,
  head: Position,
): Promise<Track> => {
  if (plan.serving === undefined) {
    // Nothing serves yet: readers get the new collection at once and see it fill.
    const lane = await laneOf(views, projection, plan.next ?? plan.fresh);
    await views.promote(projection.name, lane.collection);
    return { projection, serving: lane.collection, lane, next: undefined };
  }
  const known = plan.current ? await laneOf(views, projection, plan.serving) : undefined;
  // Views that are ahead of the log were made from another one, such as before a restore.
  const lane = known && known.position <= head ? known : undefined;
  const collection = plan.next ?? (lane ? undefined : plan.fresh);
  const next = collection === undefined ? undefined : await laneOf(views, projection, collection);
  return { projection, serving: plan.serving, lane, next };
};

/** Finds or makes the collections of all projections. */
export const openTracks = async (
  views: Views,
  projections: readonly Projection[],
  head: Position,
): Promise<{ tracks: Track[]; obsolete: string[] }> => {
  const live = await views.live();
  const collections = await views.collections();
  const tracks: Track[] = [];
  const obsolete: string[] = [];
  for (const projection of projections) {
    const plan = planOf(projection, live, collections);
    tracks.push(await openTrack(views, projection, plan, head));
    obsolete.push(...plan.obsolete);
  }
  return { tracks, obsolete };
};

/** Takes up rebuilds that were asked for, in this process or another one. */
export const findRebuilds = async (views: Views, tracks: readonly Track[]): Promise<void> => {
  const live = await views.live();
  const collections = await views.collections();
  for (const track of tracks) {
    const { next } = planOf(track.projection, live, collections);
    if (next === undefined || next === track.next?.collection) continue;
    track.next = await laneOf(views, track.projection, next);
  }
};
