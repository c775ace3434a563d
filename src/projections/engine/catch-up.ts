import { logPages } from '../../events/paging.ts';
import type { EventReader } from '../../events/store.ts';
import { pause } from '../../shared/timing.ts';
import { type Applying, applyBatch, reload } from './apply.ts';
import type { CollectionWriter } from './collection-writer.ts';
import type { LiveGroup } from './live-group.ts';
import { type Retrying, retrying } from './retry.ts';

export interface CatchUp extends Applying {
  store: EventReader;
  group: LiveGroup;
  onProgress: () => void;
  /** Called when the writer is at the group's position. No batch runs until this resolves. */
  join: (writer: CollectionWriter) => Promise<void>;
}

/** Events in a slice: long enough to write well, short enough for the event loop. */
const SLICE_MAX = 500;
const GROUP_CLOSED_PAUSE_MS = 20;

const isMoving = (writer: CollectionWriter): boolean => !writer.halt && !writer.retired;

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

/** Reads the last events while the group stands still. True when the writers have joined it. */
const closeIn = async (deps: CatchUp, writers: readonly CollectionWriter[]): Promise<boolean> => {
  const { store, group, join, onProgress } = deps;
  const [first] = writers;
  if (!group.open || !first) return false;
  const paging = { upTo: group.position, pageSize: SLICE_MAX };
  for await (const slice of logPages(store, first.position, paging)) {
    await applyBatch(deps, writers.filter(isMoving), slice);
  }
  for (const writer of writers.filter(isMoving)) await join(writer);
  onProgress();
  return true;
};

/** Brings writers of one position within a slice of the group. False when it must begin again. */
const approach = async (
  deps: CatchUp,
  writers: readonly CollectionWriter[],
  signal: AbortSignal,
  progressed: () => void,
): Promise<boolean> => {
  const { store, group, onProgress } = deps;
  const pages = logPages(store, writers[0]!.position, { pageSize: SLICE_MAX });
  for await (const slice of readAhead(pages)) {
    const moving = writers.filter(isMoving);
    if (signal.aborted || moving.length === 0 || !group.open) return false;
    if (slice.to >= group.position) return true;
    await group.catchingUp(() => applyBatch(deps, moving.filter(isMoving), slice));
    progressed();
    onProgress();
  }
  return true;
};

/** Brings writers of one position to the group's, and lets them join it. */
const catchUpTogether = async (
  deps: CatchUp,
  writers: readonly CollectionWriter[],
  signal: AbortSignal,
  progressed: () => void,
): Promise<void> => {
  const { group } = deps;
  for (let moving = writers; moving.length > 0; moving = moving.filter(isMoving)) {
    const isNear = group.open && (await approach(deps, moving, signal, progressed));
    if (signal.aborted) return;
    if (isNear && (await group.exclusive(() => closeIn(deps, moving.filter(isMoving))))) return;
    await pause(GROUP_CLOSED_PAUSE_MS, signal);
  }
};

const byPosition = (writers: readonly CollectionWriter[]): CollectionWriter[][] => {
  const groups = Map.groupBy(writers, (writer) => writer.position);
  return [...groups].sort(([one], [other]) => (one < other ? 1 : -1)).map(([, same]) => same);
};

/**
 * Brings writers to the group's position and lets them join it; retries every failure. Writers of
 * the same position share one reading of the log. The most advanced writers go first.
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
