import type { EventReader, Position } from '../../events/store.ts';
import type { Log } from '../../shared/logger.ts';
import type { Destroyed, Projection } from '../define.ts';
import type { Views } from '../views.ts';
import type { Applying } from './apply.ts';
import { createBuilds } from './build.ts';
import type { CollectionWriter } from './collection-writer.ts';
import { createFollow } from './follow.ts';
import { createLiveGroup, type LiveGroup } from './live-group.ts';
import { createLiveSession } from './live-session.ts';
import { type Retrying, retrying } from './retry.ts';
import { openSlots, type Slot } from './slots.ts';
import type { EngineView } from './status.ts';
import { type Swept, sweepSlots } from './sweep.ts';
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
  /** Forgets destroyed keys that the reader of `store` has in memory. */
  forget?: (destroyed: Destroyed) => void;
}

/** Time until the followed log has come to the event of a destruction. */
const DESTRUCTION_TIMEOUT_MS = 5_000;

/** The last failure of each retried work. */
interface Failures {
  following: string | null;
  building: string | null;
}

const viewOf = (
  { serving, writer, next }: Slot,
  group: LiveGroup,
  { following, building }: Failures,
): EngineView => {
  const halt = writer?.halt ?? next?.halt ?? null;
  const failure = following ?? (next ? building : null);
  const error = halt
    ? { message: halt.reason, position: halt.position, stream: halt.stream }
    : { message: failure ?? '', position: null, stream: null };
  return {
    serving,
    halted: (writer ? writer.halt : next?.halt) != null,
    catchingUp: writer !== undefined && !group.writers.includes(writer),
    error: halt || failure !== null ? error : null,
  };
};

interface Watched {
  slots: readonly Slot[];
  group: LiveGroup;
  waiters: ReturnType<typeof createWaiters>;
  failures: Failures;
  /** Ends the batch delay. */
  hurry: () => void;
}

/** The queries of a run. */
const createView = ({ slots, group, waiters, failures, hurry }: Watched) => {
  const byName = new Map(slots.map((slot) => [slot.projection.name, slot]));

  const isThere = (name: string, position: Position): boolean => {
    const writer = byName.get(name)?.writer;
    return !writer || writer.halt !== null || writer.position >= position;
  };

  return {
    serving: (name: string): string | undefined => byName.get(name)?.serving,
    /** See `Reader.reached`. */
    reached(projections: readonly string[], position: Position, timeoutMs: number): Promise<void> {
      const isDone = () => projections.every((name) => isThere(name, position));
      if (isDone()) return Promise.resolve();
      const reached = waiters.wait({ projections, position, isDone }, timeoutMs);
      hurry();
      return reached;
    },
    known(name: string): EngineView | undefined {
      const slot = byName.get(name);
      return slot && viewOf(slot, group, failures);
    },
  };
};

/** See `Engine.erase`. */
const createErase =
  (
    { views, forget }: RunOptions,
    { slots, group, waiters }: Pick<Watched, 'slots' | 'group' | 'waiters'>,
  ) =>
  async (destroyed: Destroyed, after: Position): Promise<Swept> => {
    // The follower has then folded what it had read before it forgot the keys.
    const isDone = () => group.open && group.position >= after;
    const projections = slots.map(({ projection }) => projection.name);
    await waiters.wait({ projections, position: after, isDone }, DESTRUCTION_TIMEOUT_MS);
    forget?.(destroyed);
    return sweepSlots(views, slots, destroyed);
  };

/** The projections on their way, from one start to its stop. */
export const startRun = async (options: RunOptions) => {
  const { store, views, logger, onUnreadable } = options;
  const { slots, obsolete } = await openSlots(views, options.projections, await store.head());
  const stopping = new AbortController();
  const group = createLiveGroup();
  const waiters = createWaiters();
  const failures: Failures = { following: null, building: null };

  const onHalt = ({ collection, halt }: CollectionWriter) => {
    // The name of the stream stays out: it may hold a customer's number.
    const { reason, position } = halt ?? {};
    logger.error({ collection, reason, position }, 'a projection halted');
    waiters.check();
  };
  const retryOf = (kind: keyof Failures, signal: AbortSignal): Retrying => ({
    signal,
    random: options.random,
    onFailure: (error) => {
      failures[kind] = (error as Error).message;
      logger.warn({ err: error, kind }, 'projections failed to get on and try again');
    },
    onProgress: () => {
      failures[kind] = null;
    },
  });

  const applying = { store, views, group, onHalt, onUnreadable, onProgress: waiters.check };
  const follow = createFollow({
    ...applying,
    batchMax: options.batchMax,
    batchDelayMs: options.batchDelayMs,
    isWaitedFor: waiters.waiting,
  });
  const builds = createBuilds({
    ...applying,
    slots,
    logger,
    dropAfterMs: options.dropAfterMs,
    rebuildLookMs: options.rebuildLookMs,
    retry: retryOf('building', stopping.signal),
  });

  const session = createLiveSession({
    ...applying,
    slots,
    follow,
    stopping: stopping.signal,
    retryOf: (signal) => retryOf('following', signal),
    lookEveryMs: options.lookEveryMs,
    dropLater: builds.dropLater,
  });

  for (const collection of obsolete) builds.dropLater(collection);
  const running = Promise.all([
    retrying(retryOf('following', stopping.signal), session),
    builds.run(),
  ]);

  return {
    ...createView({ slots, group, waiters, failures, hurry: follow.hurry }),
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
