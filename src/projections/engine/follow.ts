import type { EventReader, Position, Recorded } from '../../events/store.ts';
import { pause } from '../../shared/timing.ts';
import { type Applying, applyBatch } from './apply.ts';
import { type CollectionWriter, moversOf } from './collection-writer.ts';
import type { LiveGroup } from './live-group.ts';

interface Batch {
  events: readonly Recorded[];
  to: Position;
}

export type OnFold = (events: readonly Recorded[]) => (() => void) | undefined;

export interface Follow extends Applying {
  store: EventReader;
  group: LiveGroup;
  /** All writers that there are now. */
  writers: () => readonly CollectionWriter[];
  /** The buckets of this process; all when undefined. */
  buckets: () => ReadonlySet<number> | undefined;
  batchMax: number;
  batchDelayMs: number;
  onProgress: () => void;
  /** Called with the events of a batch; calls what comes back once the views show them. */
  onFold?: OnFold | undefined;
  /** Whether a reader waits for the next batch. */
  isWaitedFor: () => boolean;
}

/** A batch of so many events is one of a backlog: the next one waits already. */
const MANY = 500;

const slices = function* ({ events, to }: Batch, max: number): Generator<Batch> {
  let start = 0;
  for (; start + max < events.length; start += max) {
    const slice = events.slice(start, start + max);
    yield { events: slice, to: slice.at(-1)!.position };
  }
  yield { events: start === 0 ? events : events.slice(start), to };
};

/**
 * Follows the log for the group, from where that is. Places behind it join once they have caught
 * up. A batch is what arrived while the previous batch was written.
 */
export const createFollow = (deps: Follow) => {
  const { store, group, writers, onProgress, isWaitedFor } = deps;
  /** Ends the delay before the next batch. */
  let hurrying = new AbortController();

  const take = (batch: Batch): Promise<void> =>
    group.exclusive(async () => {
      for (const slice of slices(batch, deps.batchMax)) {
        const folded = deps.onFold?.(slice.events);
        const live = moversOf(writers(), ({ isLive }) => isLive);
        await applyBatch(deps, live, slice);
        folded?.();
        group.position = slice.to;
        onProgress();
      }
    });

  return {
    /** Ends the batch delay, because a reader waits. */
    hurry: () => hurrying.abort(),
    /** Opens the group. `settle` decides what is live, and where, before any place can join. */
    async open(settle: () => Promise<void>): Promise<void> {
      await group.exclusive(async () => {
        await settle();
        group.open = true;
      });
      onProgress();
    },
    async run(signal: AbortSignal, progressed: () => void): Promise<void> {
      for await (const batch of store.follow(group.position, signal, undefined, deps.buckets())) {
        if (batch.to === group.position) {
          // The first one says that the log is followed, not that this gets on with the events that wait.
          const head = await store.head().catch(() => undefined);
          if (head !== undefined && group.position >= head) progressed();
          continue;
        }
        hurrying = new AbortController();
        // Few large batches on a busy log cost less than many small ones.
        const delayed = pause(deps.batchDelayMs, hurrying.signal);
        await take(batch);
        progressed();
        if (isWaitedFor() || signal.aborted || batch.events.length >= MANY) hurrying.abort();
        await delayed;
      }
      if (!signal.aborted) throw new Error('the log cannot be followed any further');
    },
    close(): void {
      group.open = false;
    },
  };
};
