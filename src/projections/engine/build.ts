import { type Position, START } from '../../events/store.ts';
import type { Log } from '../../shared/logger.ts';
import { pause } from '../../shared/timing.ts';
import { endsOf } from '../checkpoints.ts';
import { type CatchUp, catchUp } from './catch-up.ts';
import { type CollectionWriter, type Holds, moversOf } from './collection-writer.ts';
import { planOf } from './collections.ts';
import { type Retrying, retrying } from './retry.ts';
import { findRebuilds, retire, type Slot } from './slots.ts';

export interface Builds extends Omit<CatchUp, 'onJoin' | 'onProgress'> {
  slots: readonly Slot[];
  holds: Holds;
  logger: Log;
  dropAfterMs: number;
  /** Delay until a rebuild is noticed that another process asked for. */
  rebuildLookMs: number;
  retry: Retrying;
}

/**
 * Drops obsolete collections after a delay, as readers of any process may still use them. Looks
 * again before it drops: another process may have begun to build the collection meanwhile, as after
 * a loss of the views.
 */
const createDrops = ({ views, slots, logger, dropAfterMs }: Builds) => {
  const timers = new Set<NodeJS.Timeout>();
  const drop = async (collection: string) => {
    const [live, collections] = await Promise.all([views.live(), views.collections()]);
    const isObsolete = slots.some(({ projection }) => {
      const { serving, obsolete } = planOf(projection, live, collections);
      return serving !== undefined && obsolete.includes(collection);
    });
    if (isObsolete) await views.drop(collection);
  };
  return {
    later(collection: string): void {
      const timer = setTimeout(() => {
        timers.delete(timer);
        drop(collection).catch((error: unknown) => {
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

/**
 * Makes the next collection of a slot serve once it is complete. Runs between two batches, so that no
 * event is missed between the old and the new collection.
 */
const createPromote = (
  { store, views, group, logger }: Builds,
  dropLater: (collection: string) => void,
) => {
  /** Whether each partition of the next collection has come as far as the serving one. */
  const isComplete = async ({ serving, next }: Slot): Promise<boolean> => {
    // A process without partitions of it cannot tell whether they follow the log.
    if (!next || next.writer.places.size === 0 || !group.open) return false;
    const { collection, places } = next.writer;
    if (!places.values().every(({ isLive, halt }) => isLive && !halt)) return false;
    next.livePosition ??= group.position;
    const { [serving]: shown, [collection]: built } = await views.checkpoints();
    if (built === undefined) return false;
    const { livePosition } = next;
    const isThere = (one: Position, partition: number) =>
      one >= livePosition && one >= (shown?.[partition] ?? START);
    if (built.every(isThere)) return true;
    // In a quiet log, workers of different buckets never come to the same place.
    const ends = endsOf(built.length, await store.bucketEnds());
    return built.every((one, partition) => one >= ends[partition]!);
  };

  return async (slot: Slot): Promise<void> => {
    const { projection, serving, next } = slot;
    if (!next || !(await isComplete(slot))) return;
    const { writer } = next;
    const promoted = await views.promote(projection.name, writer.collection, serving);
    slot.next = undefined;
    if (!promoted) {
      // Another process promoted another one, or the views are lost: the live session finds out which.
      retire(writer);
      return;
    }
    dropLater(serving);
    retire(slot.writer);
    slot.writer = writer;
    slot.serving = writer.collection;
    logger.info({ collection: writer.collection }, 'a collection took over');
  };
};

/** Builds the next collections of projections, and promotes each once it has caught up. */
export const createBuilds = (deps: Builds) => {
  const { views, group, slots, retry } = deps;
  const drops = createDrops(deps);
  const promote = createPromote(deps, drops.later);
  let asked = new AbortController();
  retry.signal.addEventListener('abort', () => asked.abort(), { once: true });

  const takeOver = async (writer: CollectionWriter) => {
    const slot = slots.find(({ next }) => next?.writer === writer);
    if (slot) await promote(slot);
    // Unless another process has made it the serving one meanwhile.
    else if (!slots.some((one) => one.writer === writer)) retire(writer);
  };

  const once = async () => {
    const { signal } = asked;
    await group.exclusive(() => findRebuilds(deps, slots));
    const writers = slots.flatMap(({ next }) => next?.writer ?? []);
    if (moversOf(writers, ({ isLive }) => !isLive).length > 0) {
      const building = { ...retry, signal: AbortSignal.any([retry.signal, signal]) };
      await catchUp({ ...deps, onProgress: () => undefined, onJoin: takeOver }, writers, building);
    } else {
      await pause(deps.rebuildLookMs, signal);
    }
    if (signal.aborted) asked = new AbortController();
  };

  return {
    dropLater: drops.later,
    async run(): Promise<void> {
      while (!retry.signal.aborted) await retrying(retry, once);
      drops.cancel();
    },
    /** Looks at once for rebuilds, and for partitions that must be built here now. */
    look: (): void => asked.abort(),
    /** Promotes the builds that are complete, which other processes may have finished. */
    promote: (): Promise<void> =>
      group.exclusive(async () => {
        for (const slot of slots) await promote(slot);
      }),
    /** Drops a build that halted, so that another one can begin. */
    async giveUp(name: string): Promise<void> {
      const slot = slots.find(({ projection }) => projection.name === name);
      const { writer } = slot?.next ?? {};
      if (!slot || !writer?.places.values().some(({ halt }) => halt)) return;
      await views.drop(writer.collection);
      retire(writer);
      slot.next = undefined;
    },
  };
};
