import type { Log } from '../../shared/logger.ts';
import { pause } from '../../shared/timing.ts';
import { type CatchUp, catchUp } from './catch-up.ts';
import type { CollectionWriter } from './collection-writer.ts';
import { planOf } from './collections.ts';
import { type Retrying, retrying } from './retry.ts';
import { findRebuilds, type Slot } from './slots.ts';

export interface Builds extends Omit<CatchUp, 'join' | 'onProgress'> {
  slots: readonly Slot[];
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

/** Builds the next collections of projections, and promotes each once it has caught up. */
export const createBuilds = (deps: Builds) => {
  const { views, group, slots, logger, retry } = deps;
  const drops = createDrops(deps);
  let asked = new AbortController();
  retry.signal.addEventListener('abort', () => asked.abort(), { once: true });

  /** Runs between two batches, so that no event is missed between the old and the new collection. */
  const takeOver = async (writer: CollectionWriter) => {
    const slot = slots.find(({ next }) => next === writer);
    if (!slot) return;
    if (!(await views.promote(slot.projection.name, writer.collection, slot.serving))) {
      // Another process was first, or the views are lost: the live session finds out which.
      writer.retired = true;
      slot.next = undefined;
      return;
    }
    drops.later(slot.serving);
    if (slot.writer) slot.writer.retired = true;
    group.writers = [...group.writers.filter(({ retired }) => !retired), writer];
    slot.writer = writer;
    slot.serving = writer.collection;
    slot.next = undefined;
    logger.info({ collection: writer.collection }, 'a collection took over');
  };

  const once = async () => {
    await group.exclusive(() => findRebuilds(views, slots));
    const writers = slots.flatMap(({ next }) => (next && !next.halt ? [next] : []));
    if (writers.length > 0) {
      await catchUp({ ...deps, onProgress: () => undefined, join: takeOver }, writers, retry);
    } else {
      await pause(deps.rebuildLookMs, asked.signal);
    }
    if (asked.signal.aborted) asked = new AbortController();
  };

  return {
    dropLater: drops.later,
    async run(): Promise<void> {
      while (!retry.signal.aborted) await retrying(retry, once);
      drops.cancel();
    },
    /** Looks for rebuilds at once. */
    look: (): void => asked.abort(),
    /** Drops a build that halted, so that another one can begin. */
    async giveUp(name: string): Promise<void> {
      const slot = slots.find(({ projection }) => projection.name === name);
      if (!slot?.next?.halt) return;
      await views.drop(slot.next.collection);
      slot.next = undefined;
    },
  };
};
