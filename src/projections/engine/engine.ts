import type { Recorded } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { requestRebuild } from './collections.ts';
import { createReader, type Reader } from './reader.ts';
import { type Run, type RunOptions, startRun } from './run.ts';
import { type ProjectionStatus, readStatus } from './status.ts';

export interface EngineOptions
  extends Pick<RunOptions, 'store' | 'views' | 'projections' | 'logger'> {
  clock: Clock;
  /** Most events of one commit. */
  batchMax?: number;
  /** Time from one batch to the next on a busy log. A waiting reader ends it early. */
  batchDelayMs?: number;
  /** Age of an obsolete collection when it is dropped; more than readers remember it (1 s). */
  dropAfterMs?: number;
  /** Delay until a loss of the views is noticed while nothing is written. */
  lookEveryMs?: number;
  /** Delay until a rebuild is noticed that another process asked for. */
  rebuildLookMs?: number;
  /** Spreads retries. */
  random?: () => number;
}

export interface Engine {
  /** Resolves when all projections can be read and follow the log. */
  start(): Promise<void>;
  /** Finishes the current batch. `start` may be called again. */
  stop(): Promise<void>;
  running(): boolean;
  /** Also works while the engine is stopped. */
  reader: Reader;
  status(): Promise<ProjectionStatus[]>;
  /**
   * Begins a new build of the projection; the old collection serves until the new one has caught up.
   * Changes nothing during a build.
   */
  rebuild(name: string): Promise<void>;
  /** Count of unreadable events whose types no projection handles. */
  passedOver(): number;
}

const BATCH_MAX = 1000;
const BATCH_DELAY_MS = 40;
const DROP_AFTER_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
const REBUILD_LOOK_MS = 5_000;
/** Types named in the program's log; `passedOver` counts further ones too. */
const TYPES_NAMED_MAX = 100;

/**
 * Counts unreadable events whose types no projection handles, and logs each type once. No
 * projection misses them: one that later handles such a type raises its version, and is then built
 * from the start of the log.
 */
const createPassedOver = ({
  projections,
  logger,
}: Pick<EngineOptions, 'projections' | 'logger'>) => {
  const named = new Set<string>();
  let count = 0;
  let upTo = '';
  return {
    count: () => count,
    note({ position }: Recorded, type: string) {
      const isAwaited = projections.some(({ on }) => Object.hasOwn(on, type));
      if (isAwaited || position <= upTo) return;
      upTo = position;
      count += 1;
      if (named.has(type) || named.size >= TYPES_NAMED_MAX) return;
      named.add(type);
      logger.error({ type, position }, 'events of this type cannot be read and are passed over');
    },
  };
};

/** Runs projections: folds the log into their documents in batches, and keeps their checkpoints. */
export const createEngine = (options: EngineOptions): Engine => {
  const { views, projections, clock } = options;
  const passedOver = createPassedOver(options);
  let run: Run | undefined;
  let starting: Promise<void> | undefined;

  const reader = createReader({
    views,
    clock,
    local: {
      running: () => run !== undefined,
      serving: (name) => run?.serving(name),
      reached: async (names, position, timeoutMs) => run?.reached(names, position, timeoutMs),
    },
  });

  const begin = async () => {
    run = await startRun({
      ...options,
      batchMax: options.batchMax ?? BATCH_MAX,
      batchDelayMs: options.batchDelayMs ?? BATCH_DELAY_MS,
      dropAfterMs: options.dropAfterMs ?? DROP_AFTER_MS,
      lookEveryMs: options.lookEveryMs ?? LOOK_EVERY_MS,
      rebuildLookMs: options.rebuildLookMs ?? REBUILD_LOOK_MS,
      random: options.random ?? Math.random,
      onUnreadable: passedOver.note,
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
    reader,
    status: () => readStatus(options, (name) => run?.known(name)),
    async rebuild(name) {
      const projection = projections.find((one) => one.name === name);
      if (!projection) throw new AppError('resource.unknown', 'Projection not found');
      await run?.giveUpBuild(name);
      await requestRebuild(views, projection);
      run?.lookForRebuilds();
    },
    passedOver: passedOver.count,
  };
};
