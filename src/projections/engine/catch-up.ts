import { type LogPage, logPages } from '../../events/paging.ts';
import type { EventReader, Position } from '../../events/store.ts';
import { pause } from '../../shared/timing.ts';
import { type Applying, applyBatch, reload } from './apply.ts';
import { type CollectionWriter, moversOf, type Place } from './collection-writer.ts';
import { type LiveGroup, whileNoneWrites } from './live-group.ts';
import { type Retrying, retrying } from './retry.ts';

export interface CatchUp extends Applying {
  store: EventReader;
  group: LiveGroup;
  onProgress: () => void;
  /** Called when places of the writer have joined the group. No batch runs until this resolves. */
  onJoin?: (writer: CollectionWriter) => Promise<void>;
}

/** Events in a slice: long enough to write well, short enough for the event loop. */
const SLICE_MAX = 500;
const GROUP_CLOSED_PAUSE_MS = 20;

const isBehind = ({ isLive }: Place): boolean => !isLive;

/** Reads the next page while the caller works on this one. */
async function* readAhead<Page>(pages: AsyncIterator<Page>): AsyncGenerator<Page, void, void> {
  for (let reading = pages.next(); ; ) {
    const { done, value } = await reading;
    if (done) return;
    reading = pages.next();
    // It may fail while the caller is at work, or after it has stopped reading.
    reading.catch(() => undefined);
    yield value;
  }
}

/** Brings the places of these writers at one position to the group's, and lets them join it. */
const createCatchingUp = (
  deps: CatchUp,
  writers: readonly CollectionWriter[],
  { signal, progressed }: { signal: AbortSignal; progressed: () => void },
) => {
  const { store, group, onJoin, onProgress } = deps;
  let at: Position;
  /** Where processes share the work, those that are read. What else comes to the same place is not moved. */
  let buckets: ReadonlySet<number> | undefined;
  const moving = () =>
    moversOf(
      writers,
      (place, partition) =>
        isBehind(place) && place.position === at && (!buckets || buckets.has(partition)),
    );

  const apply = async (slice: LogPage): Promise<void> => {
    await applyBatch(deps, moving(), slice);
    at = slice.to;
  };

  /** Comes within a slice of the group. False when it must begin again. */
  const approach = async (): Promise<boolean> => {
    for await (const slice of readAhead(logPages(store, at, { pageSize: SLICE_MAX, buckets }))) {
      if (signal.aborted || moving().length === 0 || !group.open) return false;
      if (slice.to >= group.position) return true;
      await group.catchingUp(() => apply(slice));
      progressed();
      onProgress();
    }
    return true;
  };

  /** Reads the last events while nothing else is written. True when they have joined the group. */
  const closeIn = async (): Promise<boolean> => {
    if (!group.open) return false;
    const paging = { upTo: group.position, pageSize: SLICE_MAX, buckets };
    for await (const slice of logPages(store, at, paging)) await apply(slice);
    for (const { writer, partitions } of moving()) {
      for (const partition of partitions) writer.places.get(partition)!.isLive = true;
      await onJoin?.(writer);
    }
    onProgress();
    return true;
  };

  return async (from: Position): Promise<void> => {
    at = from;
    buckets = undefined;
    const found = moving();
    buckets = found.every(({ writer }) => writer.count > 1)
      ? new Set(found.flatMap(({ partitions }) => [...partitions]))
      : undefined;
    while (moving().length > 0) {
      const isNear = group.open && (await approach());
      if (signal.aborted) return;
      if (isNear && (await whileNoneWrites(group, closeIn))) return;
      await pause(GROUP_CLOSED_PAUSE_MS, signal);
    }
  };
};

/**
 * Brings all places of these writers to the group's position and lets them join it; retries every failure.
 * Places at the same position share one reading of the log. The most advanced go first.
 */
export const catchUp = async (
  deps: CatchUp,
  writers: readonly CollectionWriter[],
  retry: Retrying,
): Promise<void> => {
  const behind = () => moversOf(writers, isBehind);
  // To have nothing to do is no progress after a failure.
  if (behind().length === 0) return;
  await retrying(retry, async (progressed) => {
    await reload(deps.views, [...new Set(behind().map(({ writer }) => writer))]);
    const { signal } = retry;
    const bring = createCatchingUp(deps, writers, { signal, progressed });
    while (!signal.aborted) {
      const from = new Set(behind().map(({ position }) => position));
      if (from.size === 0) return;
      for (const position of [...from].sort().reverse()) await bring(position);
      // Another one may move the same places, and end before they are live: a build that serves by now.
      if (behind().length > 0) await pause(GROUP_CLOSED_PAUSE_MS, signal);
    }
  });
};
