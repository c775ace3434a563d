import { setImmediate as othersHaveRun, setTimeout as pause } from 'node:timers/promises';
import type { EventStore, Position, Recorded } from '../../events/store.ts';
import { type Applying, applyBatch, reload } from './apply.ts';
import type { Lane } from './fold.ts';
import type { Group } from './group.ts';
import { type Retrying, retrying } from './retry.ts';

export interface CatchUp extends Applying {
  store: EventStore;
  group: Group;
  onProgress: () => void;
  /** The lane is where the group is, and nothing moves until this resolves. */
  join: (lane: Lane) => Promise<void>;
}

interface Slice {
  events: Recorded[];
  to: Position;
}

/** Events in a slice: long enough to write well, short enough for the event loop. */
const SLICE_MAX = 500;
const GROUP_CLOSED_PAUSE_MS = 20;

const isMoving = (lane: Lane): boolean => !lane.halt && !lane.retired;

/** At the end of the log, as far as this program can see: system events may stand behind it. */
const isLast = (slice: Slice, position: Position): boolean =>
  slice.events.length === 0 && slice.to <= position;

const cut = ({ events, to }: Slice, end: Position): Slice =>
  to <= end ? { events, to } : { events: events.filter((one) => one.position <= end), to: end };

const read = (store: EventStore, position: Position): Promise<Slice> => {
  const reading = store.readAll(position, SLICE_MAX);
  // It may fail while something else is waited for, or when nobody wants it any more.
  reading.catch(() => undefined);
  return reading;
};

/** The last stretch, while the group stands still. True when the lanes have joined it. */
const closeIn = async (deps: CatchUp, lanes: readonly Lane[]): Promise<boolean> => {
  const { store, group, join, onProgress } = deps;
  if (!group.open) return false;
  let position = lanes[0]!.position;
  while (position < group.position) {
    const slice = await store.readAll(position, SLICE_MAX);
    const next = isLast(slice, position) ? { events: [], to: group.position } : slice;
    const within = cut(next, group.position);
    await applyBatch(deps, lanes.filter(isMoving), within);
    position = within.to;
  }
  for (const lane of lanes.filter(isMoving)) await join(lane);
  onProgress();
  return true;
};

/** Brings lanes that stand at one position to where the group is, slice by slice. */
const catchUp = async (
  deps: CatchUp,
  lanes: readonly Lane[],
  signal: AbortSignal,
  progressed: () => void,
): Promise<void> => {
  const { store, group, onProgress } = deps;
  let position = lanes[0]!.position;
  let reading = read(store, position);
  while (!signal.aborted) {
    const slice = await reading;
    const moving = lanes.filter(isMoving);
    if (moving.length === 0) return;
    if (!group.open || slice.to >= group.position || isLast(slice, position)) {
      if (await group.exclusive(() => closeIn(deps, moving))) return;
      await pause(GROUP_CLOSED_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      position = moving[0]!.position;
      reading = read(store, position);
      continue;
    }
    // The next slice is read while this one is written.
    reading = read(store, slice.to);
    await applyBatch(deps, moving, slice);
    position = slice.to;
    progressed();
    onProgress();
    await othersHaveRun();
  }
};

const byPosition = (lanes: readonly Lane[]): Lane[][] => {
  const groups = Map.groupBy(lanes, (lane) => lane.position);
  return [...groups].sort(([one], [other]) => (one < other ? 1 : -1)).map(([, same]) => same);
};

/**
 * Brings lanes to where the group is and lets them join it, whatever goes wrong meanwhile. Those
 * that stand at the same position read the log once; the ones with the shortest way go first.
 */
export const bring = async (
  deps: CatchUp,
  lanes: readonly Lane[],
  retry: Retrying,
): Promise<void> => {
  const joined = new Set<Lane>();
  const join = async (lane: Lane) => {
    await deps.join(lane);
    joined.add(lane);
  };
  await retrying(retry, async (progressed) => {
    const open = lanes.filter((lane) => isMoving(lane) && !joined.has(lane));
    await reload(deps.views, open);
    for (const same of byPosition(open)) {
      await catchUp({ ...deps, join }, same, retry.signal, progressed);
    }
  });
};
