import type { ReactorShare, RunningReactor } from '../../commands/core/reactor.ts';
import { StoreUnavailable } from '../../events/store.ts';
import type { Coordination } from '../../projections/coordination.ts';
import type { Engine } from '../../projections/engine/engine.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Background } from './background.ts';
import type { Erasing } from './reactors.ts';
import { type HeldShares, holdShares, type SharesDeps, TTL_MS } from './shares.ts';
import { createWork, type SharedReactors, type Started } from './work.ts';

/** Sweeps, what falls due and the destruction of keys: one process does them all. */
const DUTIES = 'duties';
const PARTITION = 'partition-';

/** The unit of work of a partition: its read models and its reactors. */
const unitOf = (partition: number): string => `${PARTITION}${partition}`;

const partitionsIn = (units: Iterable<string>): number[] =>
  [...units]
    .filter((unit) => unit.startsWith(PARTITION))
    .map((unit) => Number(unit.slice(PARTITION.length)))
    .sort((one, other) => one - other);

export interface Worker extends Background {
  /** Whether this process does the duties. */
  held(): boolean;
  /** The name of this process. */
  name: string;
  /** The partitions that this process folds, in order. */
  partitions(): readonly number[];
  /** Those of them whose reactors it runs, in order. */
  reactorPartitions(): readonly number[];
  /** All reactors that this process runs now. */
  reactors(): readonly RunningReactor[];
  /** Undefined while this process empties no documents. */
  erasing(): Erasing | undefined;
}

/** Which process works on each of so many partitions; null where none does now. */
export const partitionHolders = async (
  coordination: Coordination,
  count: number,
): Promise<readonly (string | null)[]> => {
  const { held } = await coordination.look(TTL_MS);
  return Array.from({ length: count }, (_, partition) => held.get(unitOf(partition)) ?? null);
};

interface WorkerDeps {
  coordination: Coordination;
  engine: Pick<Engine, 'start' | 'stop' | 'hold'>;
  /** The number of all partitions. */
  partitions: number;
  /** The name of this process, unique among those that share the work. */
  holder: string;
  /** Starts the duties, after the projections. */
  begin: () => Started;
  /** Starts the reactors of some partitions, after the projections. */
  beginReactors: (share: ReactorShare & { isCurrent: () => boolean }) => SharedReactors;
  /** Starts what goes with the projections. */
  beginEmptying: () => Started & { erasing: Erasing };
  logger: Logger;
  /** For tests. */
  times?: Pick<SharesDeps, 'ttlMs' | 'renewEveryMs'>;
}

/** Runs the reactors for this process's partitions. */
export const createReactorWork = (start: (held: readonly number[]) => SharedReactors) => {
  let held: ReadonlySet<number> = new Set();
  const work = createWork(() => start([...held]));
  return {
    reactors: (): readonly RunningReactor[] => work.running()?.reactors ?? [],
    partitions: (): readonly number[] => [...held].sort((a, b) => a - b),
    /**
     * Ends the work on what is not among these partitions, once what runs has ended. The rest of the
     * work ends with it, and begins again with `hold`.
     */
    async release(partitions: ReadonlySet<number>): Promise<void> {
      if (work.running() && held.isSubsetOf(partitions)) return;
      held = new Set();
      await work.end();
    },
    /** Works on these partitions, too. Call it when `release` has resolved. */
    hold(partitions: ReadonlySet<number>): void {
      if (partitions.size === 0) return;
      const added = [...partitions.difference(held)];
      held = partitions;
      if (!work.begin() && added.length > 0) work.running()?.add(added);
    },
  };
};

/** All work of this process. */
const createWorks = (deps: WorkerDeps, isCurrent: () => boolean) => ({
  folding: createWork(deps.beginEmptying),
  duties: createWork(deps.begin),
  reactors: createReactorWork((held) =>
    deps.beginReactors({ count: deps.partitions, held, isCurrent }),
  ),
});

/** Does these units of the work, and no others. */
const createDoing =
  ({ engine, logger }: WorkerDeps, { folding, duties, reactors }: ReturnType<typeof createWorks>) =>
  async (units: ReadonlySet<string>): Promise<void> => {
    const partitions = new Set(partitionsIn(units));
    const does = units.has(DUTIES);
    if (!does && (await duties.end())) logger.info('This process no longer does the duties');
    const released = reactors.release(partitions);
    if (units.size === 0) {
      await released;
      await folding.end();
      await engine.stop();
      logger.info('This process no longer runs the projections');
      return;
    }
    await Promise.all([released, engine.hold(partitions)]);
    await engine.start();
    folding.begin();
    reactors.hold(partitions);
    logger.info(
      { partitions: [...partitions] },
      'This process runs the projections and the reactors of these partitions',
    );
    if (does && duties.begin()) logger.info('This process does the duties');
  };

/**
 * Does this process's share of the work: partitions of the accounts, with their read models and their
 * reactors, and the duties if no other process does them. Resolves after the first attempt: the work
 * runs, or other processes have it, or a store is away and it tries again. Rejects when the work can
 * never start.
 */
export const startWorker = async (deps: WorkerDeps): Promise<Worker> => {
  const { coordination, holder, logger } = deps;
  const isCurrent = () => shares.isCurrent();
  const works = createWorks(deps, isCurrent);
  const work = createDoing(deps, works);
  const all = Array.from({ length: deps.partitions }, (_, partition) => unitOf(partition));
  let isFailing = false;

  const shares: HeldShares = holdShares({
    ...deps.times,
    coordination,
    holder,
    units: [[DUTIES], all],
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
