import type { Position } from '../../events/store.ts';
import type { Projection } from '../define.ts';
import { type Views, ViewsUnavailable } from '../views.ts';
import { type Plan, planOf } from './collections.ts';
import { createLane, type Lane } from './fold.ts';

/** One projection: the collection that readers get, and who fills it and the one to follow it. */
export interface Track {
  readonly projection: Projection;
  serving: string;
  /** Fills what serves; none while that is of another version, or not to be trusted. */
  lane: Lane | undefined;
  /** Fills what shall serve next. */
  next: Lane | undefined;
}

/** What the views say at one moment: which collections serve, and how far each collection is. */
interface Picture {
  live: Readonly<Record<string, string>>;
  checkpoints: Readonly<Record<string, Position>>;
  /** Those that are being dropped too. */
  names: readonly string[];
}

/** More rounds are only gone when others promote collections of the same projection all the time. */
const ROUNDS_MAX = 10;

const look = async (views: Views): Promise<Picture> => {
  const [live, checkpoints, names] = await Promise.all([
    views.live(),
    views.checkpoints(),
    views.collections(),
  ]);
  return { live, checkpoints, names };
};

const laneOf = async (views: Views, projection: Projection, collection: string) => {
  await views.prepare(collection, projection.indexes, projection.filters);
  return createLane(projection, collection, await views.checkpoint(collection));
};

/** The lane goes on when it fills this collection; otherwise it ends, and a new one begins. */
const keepOrOpen = async (
  views: Views,
  projection: Projection,
  known: Lane | undefined,
  collection: string,
): Promise<Lane> => {
  if (known?.collection === collection && !known.retired) return known;
  if (known) known.retired = true;
  return laneOf(views, projection, collection);
};

/**
 * Makes a collection serve where nothing does: readers get it at once and see it fill. It is
 * prepared first, so nothing serves that is not there. False when another process was first.
 */
const beginServing = async (views: Views, projection: Projection, plan: Plan) => {
  const collection = plan.next ?? plan.fresh;
  await views.prepare(collection, projection.indexes);
  return views.promote(projection.name, collection, undefined);
};

/** Makes the track fill what serves now, and what shall serve next. */
const adopt = async (
  views: Views,
  track: Track,
  { plan, serving }: { plan: Plan; serving: string },
  head: Position,
): Promise<void> => {
  const { projection } = track;
  if (plan.current) {
    const lane = await keepOrOpen(views, projection, track.lane, serving);
    // Views that are ahead of the log were made from another one, such as before a restore.
    track.lane = lane !== track.lane && lane.position > head ? undefined : lane;
  } else {
    if (track.lane) track.lane.retired = true;
    track.lane = undefined;
  }
  const next = plan.next ?? (track.lane ? undefined : plan.fresh);
  if (next === undefined && track.next) track.next.retired = true;
  track.next =
    next === undefined ? undefined : await keepOrOpen(views, projection, track.next, next);
  track.serving = serving;
};

const settleTrack = async (
  views: Views,
  track: Track,
  first: Picture,
  head: Position,
): Promise<string[]> => {
  const { projection, lane } = track;
  let picture = first;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const plan = planOf(projection, picture.live, picture.names);
    // A lane that halted in a collection that is gone has nothing to stand before any more.
    if (lane && picture.checkpoints[lane.collection] === undefined) lane.retired = true;
    if (plan.serving !== undefined) {
      await adopt(views, track, { plan, serving: plan.serving }, head);
      return plan.obsolete;
    }
    await beginServing(views, projection, plan);
    picture = await look(views);
  }
  throw new ViewsUnavailable(`others change what serves ${projection.name} all the time`);
};

/**
 * Brings the tracks into line with the views as they are now, whatever has become of them: what
 * serves is what is filled, and where nothing serves a collection is made to. Returns the
 * collections that are neither. `head` is the end of the log.
 */
export const settleTracks = async (
  views: Views,
  tracks: readonly Track[],
  head: Position,
): Promise<string[]> => {
  const picture = await look(views);
  const obsolete: string[] = [];
  for (const track of tracks) obsolete.push(...(await settleTrack(views, track, picture, head)));
  return obsolete;
};

/** Finds or makes the collections of all projections. */
export const openTracks = async (
  views: Views,
  projections: readonly Projection[],
  head: Position,
): Promise<{ tracks: Track[]; obsolete: string[] }> => {
  const tracks = projections.map(
    (projection): Track => ({ projection, serving: '', lane: undefined, next: undefined }),
  );
  return { tracks, obsolete: await settleTracks(views, tracks, head) };
};

/** Takes up rebuilds that were asked for, in this process or another one. */
export const findRebuilds = async (views: Views, tracks: readonly Track[]): Promise<void> => {
  const [live, collections] = await Promise.all([views.live(), views.collections()]);
  for (const track of tracks) {
    const { serving, next } = planOf(track.projection, live, collections);
    // Where something else serves than this process knows, its session is about to settle that.
    if (serving !== track.serving || next === undefined) continue;
    if (next === track.next?.collection && !track.next.retired) continue;
    track.next = await laneOf(views, track.projection, next);
  }
};

/** Why the tracks are not in line with the views any more; undefined while they are. */
export const findDrift = async (
  views: Views,
  tracks: readonly Track[],
  isFollowing: (lane: Lane) => boolean,
): Promise<string | undefined> => {
  const reached = tracks.map(({ lane }) => (lane && isFollowing(lane) ? lane.position : ''));
  const [live, checkpoints] = await Promise.all([views.live(), views.checkpoints()]);
  for (const [index, { projection, serving }] of tracks.entries()) {
    const now = live[projection.name];
    const position = checkpoints[serving];
    if (now === undefined || position === undefined) return `the views of ${serving} are lost`;
    if (now !== serving) return `${now} serves in place of ${serving}`;
    if (position < reached[index]!) return `the views of ${serving} were set back`;
  }
  return undefined;
};
