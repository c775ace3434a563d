import type { ReactorShare, RunningReactor } from '../../commands/core/reactor.ts';
import { StoreUnavailable } from '../../events/store.ts';
import type { Coordination } from '../../projections/coordination.ts';
import type { Engine } from '../../projections/engine/engine.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Background } from './background.ts';
import { DUTIES, hasOlderReactors } from './duties.ts';
import {
  canDoUnit,
  createReactorShare,
  mayTakeUnit,
  reactorHolders,
  reactorUnits,
  type SharedReactors,
} from './reactor-share.ts';
import type { Erasing } from './reactors.ts';
import { type HeldShares, holdShares, type SharesDeps, TTL_MS } from './shares.ts';
import { createWork, type Started } from './work.ts';

const PARTITION = 'partition-';

/** The unit of work of a partition of the read models. */
const partitionUnit = (partition: number): string => `${PARTITION}${partition}`;

export interface Worker extends Background {
  /** Whether this process does the duties. */
  held(): boolean;
  /** The name of this process. */
  name: string;
  /** The partitions of the read models that this process folds, in order. */
  partitions(): readonly number[];
  /** The partitions whose reactors this process runs, in order. */
  reactorPartitions(): readonly number[];
  /** All reactors that this process runs now. */
  reactors(): readonly RunningReactor[];
  /** Undefined while this process empties no documents. */
  erasing(): Erasing | undefined;
}

const partitionsIn = (units: Iterable<string>): number[] =>
  [...units]
    .filter((unit) => unit.startsWith(PARTITION))
    .map((unit) => Number(unit.slice(PARTITION.length)))
    .sort((one, other) => one - other);

/** Which process works on each partition; null where none does now. */
export interface PartitionHolders {
  /** Who folds it. */
  folding: readonly (string | null)[];
  /** Who runs its reactors. */
  reactors: readonly (string | null)[];
}

export const partitionHolders = async (coordination: Coordination): Promise<PartitionHolders> => {
  const { held } = await coordination.look(TTL_MS);
  const count = 1 + Math.max(-1, ...partitionsIn(held.keys()));
  const folding = Array.from(
    { length: count },
    (_, partition) => held.get(partitionUnit(partition)) ?? null,
  );
  return { folding, reactors: reactorHolders(held) };
};

interface WorkerDeps {
  coordination: Coordination;
  engine: Pick<Engine, 'start' | 'stop' | 'hold' | 'partitions'>;
  /** The name of this process, unique among those that share the work; of `workerName`. */
  holder: string;
  /** Starts the duties, after the projections. */
  begin: () => Started;
  /** Starts the reactors of some partitions, after the projections. */
  beginReactors: (share: ReactorShare & { isCurrent: () => boolean }) => SharedReactors;
  /** The number of all partitions of the reactors. */
  reactorCount: () => Promise<number>;
  /** Starts what goes with the projections. */
  beginEmptying: () => Started & { erasing: Erasing };
  logger: Logger;
  /** For tests. */
  times?: Pick<SharesDeps, 'ttlMs' | 'renewEveryMs'>;
}

/** All work of this process. */
const createWorks = (
  { begin, beginEmptying, beginReactors }: WorkerDeps,
  isCurrent: () => boolean,
) => ({
  folding: createWork(beginEmptying),
  duties: createWork(begin),
  reactors: createReactorShare((share) => beginReactors({ ...share, isCurrent })),
});

/** Does these units of the work, and no others. */
const createDoing =
  ({ engine, logger }: WorkerDeps, { folding, duties, reactors }: ReturnType<typeof createWorks>) =>
  async (units: ReadonlySet<string>): Promise<void> => {
    const partitions = partitionsIn(units);
    const does = units.has(DUTIES);
    if (!does && (await duties.end())) logger.info('This process no longer does the duties');
    const released = reactors.release(units);
    if (units.size === 0) {
      await released;
      await folding.end();
      await engine.stop();
      logger.info('This process no longer runs the projections');
      return;
    }
    await Promise.all([released, engine.hold(new Set(partitions))]);
    await engine.start();
    folding.begin();
    reactors.hold(units);
    logger.info(
      { partitions, reactors: reactors.partitions() },
      'This process runs the projections and the reactors of these partitions',
    );
    if (does && duties.begin()) logger.info('This process does the duties');
  };

/**
 * Does this process's share of the work: partitions of the projections and of the reactors, and the
 * duties if no other process does them. Resolves after the first attempt: the work runs, or other processes
 * have it, or a store is away and it tries again. Rejects when the work can never start.
 */
export const startWorker = async (deps: WorkerDeps): Promise<Worker> => {
  const { coordination, engine, holder, logger } = deps;
  const isCurrent = () => shares.isCurrent();
  const works = createWorks(deps, isCurrent);
  const work = createDoing(deps, works);
  let isFailing = false;

  const shares: HeldShares = holdShares({
    ...deps.times,
    coordination,
    holder,
    async units(held) {
      const partitions = Array.from({ length: await engine.partitions() }, (_, one) => one);
      const reactors = hasOlderReactors(held) ? [] : reactorUnits(await deps.reactorCount());
      return [[DUTIES], partitions.map(partitionUnit), reactors];
    },
    canDo: canDoUnit,
    mayTake: mayTakeUnit,
    async work(units) {
      await work(units);
      if (units.size > 0) isFailing = false;
    },
    onFailure(error) {
      // Logged once for each outage, because it tries every second.
      if (!isFailing) {
        const reason = (error as Error).message;
        logger.warn({ reason }, 'Projections, reactors and sweeps cannot run: trying again');
      }
      isFailing = true;
    },
  });

  const failure = await shares.first;
  if (failure !== undefined && !(failure instanceof StoreUnavailable)) {
    await shares.stop();
    throw failure;
  }
  return {
    name: holder,
    held: () => shares.held().has(DUTIES),
    partitions: () => partitionsIn(shares.held()),
    reactorPartitions: works.reactors.partitions,
    reactors: () => [
      ...works.reactors.reactors(),
      ...(works.duties.running()?.reactors ?? []),
      ...(works.folding.running()?.reactors ?? []),
    ],
    erasing: () => works.folding.running()?.erasing,
    stop: shares.stop,
  };
};
