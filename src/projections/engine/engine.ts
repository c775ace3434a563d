import { completed } from '../../events/completed.ts';
import type { Position, Recorded } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Destroyed } from '../define.ts';
import { ViewsUnavailable } from '../views.ts';
import { requestRebuild } from './collections.ts';
import { createReader, type Reader } from './reader.ts';
import { type Run, type RunOptions, startRun } from './run.ts';
import { type ProjectionStatus, readStatus } from './status.ts';

const DEFAULTS = {
  batchMax: 1000,
  batchDelayMs: 40,
  dropAfterMs: 5_000,
  lookEveryMs: 1_000,
  rebuildLookMs: 5_000,
  random: Math.random,
  /** Of a log in which nothing is sealed. */
  open: async (events: readonly Recorded[]) => events,
};

export interface EngineOptions
  extends Omit<RunOptions, 'onUnreadable' | 'holds' | 'buckets' | keyof typeof DEFAULTS>,
    Partial<Pick<RunOptions, keyof typeof DEFAULTS>> {
  clock: Clock;
}

export interface Engine {
  /** Resolves when all projections can be read and follow the log. */
  start(): Promise<void>;
  /** Finishes the current batch. `start` may be called again. */
  stop(): Promise<void>;
  running(): boolean;
  /**
   * Folds these partitions from now on, and no others; all of them until the first call. Resolves
   * when nothing is written to the others any more.
   */
  hold(partitions: ReadonlySet<number>): Promise<void>;
  /** Also works while the engine is stopped. */
  reader: Reader;
  status(): Promise<ProjectionStatus[]>;
  /**
   * Begins a new build of the projection; the old collection serves until the new one has caught up.
   * Changes nothing during a build.
   */
  rebuild(name: string): Promise<void>;
  /**
   * Takes out of all documents what was sealed under keys that are destroyed, in chunks between the
   * batches of events. `after` is the position of the event that tells of the destruction. Throws
   * ViewsUnavailable or NotReached when it must be tried again; doing it again changes nothing. Where
   * another process has made sure that all documents are emptied, `isDone`, it only empties those of
   * this one.
   */
  erase(destroyed: Destroyed, after: Position, isDone?: boolean): Promise<void>;
  /** Removes from the files of the views what erased documents left there. See `Views.clean`. */
  clean(): Promise<void>;
}

const TYPES_NAMED_MAX = 100;

/**
 * Logs once each type of unreadable events that no projection handles. No projection misses them: one
 * that later handles such a type raises its version, and is then built from the start of the log.
 */
const notePassedOver = ({ projections, logger }: Pick<EngineOptions, 'projections' | 'logger'>) => {
  const named = new Set<string>();
  return ({ position }: Recorded, type: string): void => {
    const isAwaited = projections.some(({ on }) => Object.hasOwn(on, type));
    if (isAwaited || named.has(type) || named.size >= TYPES_NAMED_MAX) return;
    named.add(type);
    logger.error({ type, position }, 'events of this type cannot be read and are passed over');
  };
};

/** Runs projections: folds the log into their documents in batches, and keeps their checkpoints. */
export const createEngine = (options: EngineOptions): Engine => {
  const { views, projections, clock } = options;
  const onUnreadable = notePassedOver(options);
  let run: Run | undefined;
  let starting: Promise<void> | undefined;
  let held: ReadonlySet<number> | undefined;
  const holds = (partition: number) => held?.has(partition) ?? true;
  /** Whether this process alone knows how far each projection is. */
  const isAlone = () => run !== undefined && (held === undefined || run.isWhole());

  const reader = createReader({
    views,
    clock,
    ...(views.partitions > 1 && { store: options.store }),
    local: {
      running: isAlone,
      serving: (name) => run?.serving(name),
      reached: async (...asked) => (run ? run.reached(...asked) : 'older'),
    },
  });

  const begin = async () => {
    const store = completed(options.store);
    run = await startRun({
      ...DEFAULTS,
      ...options,
      holds,
      // A lone partition has the events of all buckets.
      buckets: () => (views.partitions > 1 ? held : undefined),
      store,
      onUnreadable,
    });
  };

  return {
    async start() {
      starting ??= begin();
      await starting.catch((error) => {
        starting = undefined;
        throw error;
      });
    },
    async stop() {
      await starting?.catch(() => undefined);
      starting = undefined;
      const stopped = run;
      run = undefined;
      await stopped?.stop();
    },
    running: () => run !== undefined,
    async hold(partitions) {
      const change = () => {
        held = partitions;
      };
      if (run) await run.rehold(change);
      else change();
    },
    reader,
    status: () => readStatus(options, (name) => run?.known(name)),
    async rebuild(name) {
      const projection = projections.find((one) => one.name === name);
      if (!projection) throw new AppError('resource.unknown', 'Projection not found');
      await run?.giveUpBuild(name);
      await requestRebuild(views, projection);
      run?.lookForRebuilds();
    },
    async erase(destroyed, after, isDone = false) {
      if (!run) throw new ViewsUnavailable('the projections do not run in this process');
      await run.erase({ destroyed, after, isDone });
    },
    clean: () => views.clean(),
  };
};
