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
  /** Events that one commit takes in at most. */
  batchMax?: number;
  /** Time from one batch to the next on a busy log; nobody who waits for a batch waits for it. */
  batchDelayMs?: number;
  /** How long `reader.reached` waits where its caller does not say. */
  waitTimeoutMs?: number;
  /** How long a collection outlives its successor's start; over what readers remember (1 s). */
  dropAfterMs?: number;
  /** How late it may be noticed that the views were lost, while nothing is written. */
  lookEveryMs?: number;
  /** How late it finds a rebuild that another process asked for. */
  rebuildLookMs?: number;
  /** Spreads retries. */
  random?: () => number;
}

export interface Engine {
  /** Resolves when all projections can be read and are on their way. */
  start(): Promise<void>;
  /** Finishes the batch that is being written. It can be started again. */
  stop(): Promise<void>;
  running(): boolean;
  /** Also answers while the engine is stopped, as any other process would. */
  reader: Reader;
  status(): Promise<ProjectionStatus[]>;
  /**
   * Begins to fill the projection anew; what serves goes on serving until then. Changes nothing
   * while that is under way already.
   */
  rebuild(name: string): Promise<void>;
  /** Events of types that this program does not know, and that no projection waits for. */
  passedOver(): number;
}

const BATCH_MAX = 1000;
const BATCH_DELAY_MS = 40;
const DROP_AFTER_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
const REBUILD_LOOK_MS = 5_000;
/** Types named in the log; should there be more, the count still tells. */
const TYPES_NAMED_MAX = 100;

/**
 * An event that cannot be read halts every projection that handles its type. A type that none
 * handles cannot be missed by any: it is counted, and named in the log once. That holds for types
 * of a newer program too: a projection that comes to handle one raises its version, and is then
 * filled from the start.
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

/** Runs projections: folds the log into their documents, in batches, and keeps their place. */
export const createEngine = (options: EngineOptions): Engine => {
  const { views, projections, clock } = options;
  const passedOver = createPassedOver(options);
  let run: Run | undefined;
  let starting: Promise<void> | undefined;

  const reader = createReader({
    views,
    clock,
    ...(options.waitTimeoutMs !== undefined && { waitTimeoutMs: options.waitTimeoutMs }),
    local: {
      running: () => run !== undefined,
      serving: (name) => run?.serving(name),
      seen: (name) => run?.seen(name),
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
