import type { EventReader } from '../../events/store.ts';
import type { Log } from '../../shared/logger.ts';
import type { Destroyed, Projection } from '../define.ts';
import type { Halt, Views } from '../views.ts';
import type { Applying } from './apply.ts';
import { createBuilds } from './build.ts';
import type { CollectionWriter, Holds } from './collection-writer.ts';
import { createFollow, type OnFold } from './follow.ts';
import { createLiveGroup, whileNoneWrites } from './live-group.ts';
import { createLiveSession } from './live-session.ts';
import type { Open } from './open-events.ts';
import { type Retrying, retrying } from './retry.ts';
import { openSlots, writersIn } from './slots.ts';
import { type Erasing, sweepSlots } from './sweep.ts';
import { createView, type Failures, type Watched } from './view.ts';
import { createWaiters } from './waiters.ts';

export interface RunOptions {
  store: EventReader;
  views: Views;
  projections: readonly Projection[];
  logger: Log;
  /** Most events of one commit. */
  batchMax: number;
  /** Time from one batch to the next on a busy log. A waiting reader ends it early. */
  batchDelayMs: number;
  /** Age of an obsolete collection when it is dropped; more than readers remember it (1 s). */
  dropAfterMs: number;
  /** Delay until a loss of the views is noticed while nothing is written. */
  lookEveryMs: number;
  /** Delay until a rebuild is noticed that another process asked for. */
  rebuildLookMs: number;
  /** Spreads retries. */
  random: () => number;
  onUnreadable: Applying['onUnreadable'];
  /** The partitions that this process folds; the answer may change between two calls of `rehold`. */
  holds: Holds;
  /** The same ones; all when undefined. */
  buckets: () => ReadonlySet<number> | undefined;
  /** Opens the events of `store` that a fold reads the personal fields of. */
  open: Open;
  /** Forgets destroyed keys that `open` has in memory. */
  forget?: (destroyed: Destroyed) => void;
  /** See `Follow.onFold`. A build of a read model calls it for none of the old events. */
  onFold?: OnFold | undefined;
}

/** Time until the followed log has come to the event of a destruction. */
const DESTRUCTION_TIMEOUT_MS = 5_000;

/** See `Engine.erase`. */
const createErase =
  (
    { views, forget }: RunOptions,
    { slots, group, waiters }: Pick<Watched, 'slots' | 'group' | 'waiters'>,
  ) =>
  async (erasing: Erasing): Promise<void> => {
    const { destroyed, after } = erasing;
    // The follower has then folded what it had read before it forgot the keys.
    const isDone = () => group.open && group.position >= after;
    const projections = slots.map(({ projection }) => projection.name);
    await waiters.wait({ projections, position: after, isDone }, DESTRUCTION_TIMEOUT_MS);
    forget?.(destroyed);
    await sweepSlots(views, { slots, group }, erasing);
  };

/** Ends all writing to partitions that `holds` denies after the change. */
const release = (
  { slots, group }: Pick<Watched, 'slots' | 'group'>,
  holds: Holds,
  change: () => void,
): Promise<void> =>
  whileNoneWrites(group, async () => {
    // Not before: what follows the log now follows it for what was held. Nothing joins it until that has ended.
    change();
    group.open = false;
    for (const { places } of writersIn(slots)) {
      for (const partition of places.keys()) if (!holds(partition)) places.delete(partition);
    }
  });

/** How the work of a kind is retried; notes its last failure. */
const createRetryOf =
  ({ random, logger }: RunOptions, failures: Failures) =>
  (kind: keyof Failures, signal: AbortSignal): Retrying => ({
    signal,
    random,
    onFailure: (error) => {
      failures[kind] = (error as Error).message;
      logger.warn({ err: error, kind }, 'projections failed to get on and try again');
    },
    onProgress: () => {
      failures[kind] = null;
    },
  });

/** Logs a halt, and tells those who wait for the projection. */
const createOnHalt =
  ({ logger }: RunOptions, check: () => void) =>
  ({ collection }: CollectionWriter, { reason, position }: Halt): void => {
    // The name of the stream stays out: it may hold a customer's number.
    logger.error({ collection, reason, position }, 'a projection halted');
    check();
  };

/** A signal that can fire again and again: each time, a new one takes its place. */
const createTurns = () => {
  let turn = new AbortController();
  return {
    signal: () => turn.signal,
    end(): void {
      const ending = turn;
      turn = new AbortController();
      ending.abort();
    },
  };
};

/** The projections on their way, from one start to its stop. */
export const startRun = async (options: RunOptions) => {
  const { store, views, open, holds, logger, onUnreadable } = options;
  // Nothing can start while the log is away.
  await store.end();
  const { slots, obsolete } = await openSlots({ views, holds, store }, options.projections);
  const stopping = new AbortController();
  const group = createLiveGroup();
  const waiters = createWaiters();
  const failures: Failures = { following: null, building: null };
  const changes = createTurns();
  const retryOf = createRetryOf(options, failures);

  const applying = {
    store,
    views,
    open,
    group,
    onUnreadable,
    onHalt: createOnHalt(options, waiters.check),
    onProgress: waiters.check,
  };
  const follow = createFollow({
    ...applying,
    writers: () => writersIn(slots),
    buckets: options.buckets,
    batchMax: options.batchMax,
    batchDelayMs: options.batchDelayMs,
    onFold: options.onFold,
    isWaitedFor: waiters.waiting,
  });
  const builds = createBuilds({
    ...applying,
    slots,
    holds,
    logger,
    dropAfterMs: options.dropAfterMs,
    rebuildLookMs: options.rebuildLookMs,
    retry: retryOf('building', stopping.signal),
  });

  const session = createLiveSession({
    ...applying,
    slots,
    holds,
    follow,
    stopping: stopping.signal,
    changed: changes.signal,
    promote: builds.promote,
    retryOf: (signal) => retryOf('following', signal),
    lookEveryMs: options.lookEveryMs,
    dropLater: builds.dropLater,
  });

  for (const collection of obsolete) builds.dropLater(collection);
  const sessions = async () => {
    while (!stopping.signal.aborted) await retrying(retryOf('following', stopping.signal), session);
  };
  const running = Promise.all([sessions(), builds.run()]);

  return {
    ...createView({ slots, waiters, failures, hurry: follow.hurry }),
    /** Follows what `holds` grants after the change, and nothing else. */
    async rehold(change: () => void): Promise<void> {
      await release({ slots, group }, holds, change);
      changes.end();
      builds.look();
    },
    erase: createErase(options, { slots, group, waiters }),
    giveUpBuild: builds.giveUp,
    lookForRebuilds: builds.look,
    async stop(): Promise<void> {
      stopping.abort();
      await running;
      waiters.failAll();
    },
  };
};

export type Run = Awaited<ReturnType<typeof startRun>>;
