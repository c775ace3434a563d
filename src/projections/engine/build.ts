import { pause } from '../../shared/timing.ts';
import { type CatchUp, catchUp } from './catch-up.ts';
import { planOf } from './collections.ts';
import type { CollectionWriter } from './fold.ts';
import type { Log } from './log.ts';
import { type Retrying, retrying } from './retry.ts';
import { findRebuilds, type Slot } from './slots.ts';

export interface Builds extends Omit<CatchUp, 'join' | 'onProgress'> {
  slots: readonly Slot[];
  logger: Log;
  dropAfterMs: number;
  /** Rebuilds that another process asked for are found this late at most. */
  rebuildLookMs: number;
  retry: Retrying;
}

/**
 * Drops collections after a while: readers of any process may have them in hand for a moment. By
 * then another process may have begun to fill them, as after a loss of the views: what it is to
 * drop is looked up again.
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

/** Fills the next collections of projections, and lets each take over once it has caught up. */
export const createBuilds = (deps: Builds) => {
  const { views, group, slots, logger, retry } = deps;
  const drops = createDrops(deps);
  let asked = new AbortController();
  retry.signal.addEventListener('abort', () => asked.abort(), { once: true });

  /** Between two batches, so that no event falls between the old collection and the new one. */
  const takeOver = async (writer: CollectionWriter) => {
    const slot = slots.find(({ next }) => next === writer);
    if (!slot) return;
    if (!(await views.promote(slot.projection.name, writer.collection, slot.serving))) {
      // Another process was there first, or the views are lost: the session settles which it is.
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
    /** Somebody asked for a rebuild. */
    look: (): void => asked.abort(),
    /** A build that halted is given up, so that another one can be begun. */
    async giveUp(name: string): Promise<void> {
      const slot = slots.find(({ projection }) => projection.name === name);
      if (!slot?.next?.halt) return;
      await views.drop(slot.next.collection);
      slot.next = undefined;
    },
  };
};
