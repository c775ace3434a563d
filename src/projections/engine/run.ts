import type { EventStore, Position } from '../../events/store.ts';
import type { Projection } from '../define.ts';
import type { Views } from '../views.ts';
import type { Applying } from './apply.ts';
import { createBuilds } from './build.ts';
import type { Lane } from './fold.ts';
import { createFollow } from './follow.ts';
import { createGroup, type Group } from './group.ts';
import type { Log } from './log.ts';
import { type Retrying, retrying } from './retry.ts';
import { createSession } from './session.ts';
import type { EngineView } from './status.ts';
import { openTracks, type Track } from './tracks.ts';
import { createWaiters } from './waiters.ts';

export interface RunOptions {
  store: EventStore;
  views: Views;
  projections: readonly Projection[];
  logger: Log;
  batchMax: number;
  paceMs: number;
  dropAfterMs: number;
  lookEveryMs: number;
  rebuildLookMs: number;
  random: () => number;
  onUnreadable: Applying['onUnreadable'];
}

/** What is being tried again, and why. */
interface Failures {
  following: string | null;
  building: string | null;
}

const viewOf = (
  { serving, lane, next }: Track,
  group: Group,
  { following, building }: Failures,
): EngineView => {
  const halt = lane?.halt ?? next?.halt ?? null;
  const failure = following ?? (next ? building : null);
  const error = halt
    ? { message: halt.reason, position: halt.position, stream: halt.stream }
    : { message: failure ?? '', position: null, stream: null };
  return {
    serving,
    halted: (lane ? lane.halt : next?.halt) != null,
    catchingUp: lane !== undefined && !group.lanes.includes(lane),
    error: halt || failure !== null ? error : null,
  };
};

interface Watched {
  tracks: readonly Track[];
  group: Group;
  waiters: ReturnType<typeof createWaiters>;
  failures: Failures;
  /** Somebody waits for the next batch. */
  hurry: () => void;
}

/** What others may ask of a run. */
const createView = ({ tracks, group, waiters, failures, hurry }: Watched) => {
  const byName = new Map(tracks.map((track) => [track.projection.name, track]));

  const isThere = (name: string, position: Position): boolean => {
    const lane = byName.get(name)?.lane;
    return !lane || lane.halt !== null || lane.position >= position;
  };

  return {
    serving: (name: string): string | undefined => byName.get(name)?.serving,
    seen(name: string) {
      const lane = byName.get(name)?.lane;
      return lane && { collection: lane.collection, checkpoint: lane.position };
    },
    /** See `Reader.reached`. */
    reached(projections: readonly string[], position: Position, timeoutMs: number): Promise<void> {
      const isDone = () => projections.every((name) => isThere(name, position));
      if (isDone()) return Promise.resolve();
      const reached = waiters.wait({ projections, position, isDone }, timeoutMs);
      hurry();
      return reached;
    },
    known(name: string): EngineView | undefined {
      const track = byName.get(name);
      return track && viewOf(track, group, failures);
    },
  };
};

/** The projections on their way, from one start to its stop. */
export const startRun = async (options: RunOptions) => {
  const { store, views, logger, onUnreadable } = options;
  const { tracks, obsolete } = await openTracks(views, options.projections, await store.head());
  const stopping = new AbortController();
  const group = createGroup();
  const waiters = createWaiters();
  const failures: Failures = { following: null, building: null };

  const onHalt = ({ collection, halt }: Lane) => {
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
    paceMs: options.paceMs,
    isWaitedFor: waiters.waiting,
  });
  const builds = createBuilds({
    ...applying,
    tracks,
    logger,
    dropAfterMs: options.dropAfterMs,
    rebuildLookMs: options.rebuildLookMs,
    retry: retryOf('building', stopping.signal),
  });

  const session = createSession({
    ...applying,
    tracks,
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
    ...createView({ tracks, group, waiters, failures, hurry: follow.hurry }),
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
