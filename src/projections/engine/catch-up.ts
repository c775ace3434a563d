import { setImmediate as othersHaveRun } from 'node:timers/promises';
import type { EventReader, Position, Recorded } from '../../events/store.ts';
import { pause } from '../../shared/timing.ts';
import { type Applying, applyBatch, reload } from './apply.ts';
import type { CollectionWriter } from './fold.ts';
import type { LiveGroup } from './live-group.ts';
import { type Retrying, retrying } from './retry.ts';

export interface CatchUp extends Applying {
  store: EventReader;
  group: LiveGroup;
  onProgress: () => void;
  /** The writer is where the group is, and nothing moves until this resolves. */
  join: (writer: CollectionWriter) => Promise<void>;
}

interface Slice {
  events: Recorded[];
  to: Position;
}

/** Events in a slice: long enough to write well, short enough for the event loop. */
const SLICE_MAX = 500;
const GROUP_CLOSED_PAUSE_MS = 20;

const isMoving = (writer: CollectionWriter): boolean => !writer.halt && !writer.retired;

/** At the end of the log, as far as this program can see: system events may stand behind it. */
const isLast = (slice: Slice, position: Position): boolean =>
  slice.events.length === 0 && slice.to <= position;

const cut = ({ events, to }: Slice, end: Position): Slice =>
  to <= end ? { events, to } : { events: events.filter((one) => one.position <= end), to: end };

const read = (store: EventReader, position: Position): Promise<Slice> => {
  const reading = store.readAll(position, SLICE_MAX);
  // It may fail while something else is waited for, or when nobody wants it any more.
  reading.catch(() => undefined);
  return reading;
};

/** The last stretch, while the group stands still. True when the writers have joined it. */
const closeIn = async (deps: CatchUp, writers: readonly CollectionWriter[]): Promise<boolean> => {
  const { store, group, join, onProgress } = deps;
  if (!group.open) return false;
  let position = writers[0]!.position;
  while (position < group.position) {
    const slice = await store.readAll(position, SLICE_MAX);
    const next = isLast(slice, position) ? { events: [], to: group.position } : slice;
    const within = cut(next, group.position);
    await applyBatch(deps, writers.filter(isMoving), within);
    position = within.to;
  }
  for (const writer of writers.filter(isMoving)) await join(writer);
  onProgress();
  return true;
};

/** Brings writers that stand at one position to where the group is, slice by slice. */
const catchUpTogether = async (
  deps: CatchUp,
  writers: readonly CollectionWriter[],
  signal: AbortSignal,
  progressed: () => void,
): Promise<void> => {
  const { store, group, onProgress } = deps;
  let position = writers[0]!.position;
  let reading = read(store, position);
  while (!signal.aborted) {
    const slice = await reading;
    const moving = writers.filter(isMoving);
    if (moving.length === 0) return;
    if (!group.open || slice.to >= group.position || isLast(slice, position)) {
      if (await group.exclusive(() => closeIn(deps, moving))) return;
      await pause(GROUP_CLOSED_PAUSE_MS, signal);
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

const byPosition = (writers: readonly CollectionWriter[]): CollectionWriter[][] => {
  const groups = Map.groupBy(writers, (writer) => writer.position);
  return [...groups].sort(([one], [other]) => (one < other ? 1 : -1)).map(([, same]) => same);
};

/**
 * Brings writers to where the group is and lets them join it, whatever goes wrong meanwhile. Those
 * that stand at the same position read the log once; the ones with the shortest way go first.
 */
export const catchUp = async (
  deps: CatchUp,
  writers: readonly CollectionWriter[],
  retry: Retrying,
): Promise<void> => {
  const joined = new Set<CollectionWriter>();
  const join = async (writer: CollectionWriter) => {
    await deps.join(writer);
    joined.add(writer);
  };
  await retrying(retry, async (progressed) => {
    const open = writers.filter((writer) => isMoving(writer) && !joined.has(writer));
    await reload(deps.views, open);
    for (const same of byPosition(open)) {
      await catchUpTogether({ ...deps, join }, same, retry.signal, progressed);
    }
  });
};
