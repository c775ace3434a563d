import { StoreUnavailable } from '../events/store.ts';
import type { Coordination } from '../projections/coordination.ts';
import type { Engine } from '../projections/engine/engine.ts';
import type { Logger } from '../shared/logger.ts';
import type { Background } from './background.ts';
import { holdShares, TTL_MS } from './shares.ts';

/** Reactors, sweeps and what falls due: one process does them all. */
const DUTIES = 'duties';
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
}

const partitionsIn = (units: Iterable<string>): number[] =>
  [...units]
    .filter((unit) => unit.startsWith(PARTITION))
    .map((unit) => Number(unit.slice(PARTITION.length)))
    .sort((one, other) => one - other);

/** The process that folds each partition; null for one that no process folds now. */
export const partitionHolders = async (coordination: Coordination): Promise<(string | null)[]> => {
  const { held } = await coordination.look(TTL_MS);
  const count = 1 + Math.max(-1, ...partitionsIn(held.keys()));
  return Array.from(
    { length: count },
    (_, partition) => held.get(partitionUnit(partition)) ?? null,
  );
};

/** Work in the background that begins and ends again. Both tell whether that changed something. */
const createWork = (start: () => readonly Background[]) => {
  let running: readonly Background[] | undefined;
  return {
    begin(): boolean {
      if (running) return false;
      running = start();
      return true;
    },
    async end(): Promise<boolean> {
      const ending = running;
      running = undefined;
      await Promise.all((ending ?? []).map((one) => one.stop()));
      return ending !== undefined;
    },
  };
};

/**
 * Does this process's share of the work: partitions of the projections, and the reactors and sweeps
 * if no other process does them. Resolves after the first attempt: the work runs, or other processes
 * have it, or a store is away and it tries again. Rejects when the work can never start.
 */
export const startWorker = async (deps: {
  coordination: Coordination;
  engine: Pick<Engine, 'start' | 'stop' | 'hold' | 'partitions'>;
  /** The name of this process, unique among those that share the work. */
  holder: string;
  /** Starts the duties, after the projections. */
  begin: () => readonly Background[];
  /** Starts what goes with the projections. */
  beginEmptying: () => readonly Background[];
  logger: Logger;
}): Promise<Worker> => {
  const { coordination, engine, holder, begin, beginEmptying, logger } = deps;
  const folding = createWork(beginEmptying);
  const duties = createWork(begin);
  let isFailing = false;

  const shares = holdShares({
    coordination,
    holder,
    async units() {
      const partitions = Array.from({ length: await engine.partitions() }, (_, one) => one);
      return [[DUTIES], partitions.map(partitionUnit)];
    },
    async work(units) {
      const partitions = partitionsIn(units);
      const does = units.has(DUTIES);
      if (!does && (await duties.end())) logger.info('This process no longer does the duties');
      if (units.size === 0) {
        await folding.end();
        await engine.stop();
        logger.info('This process no longer runs the projections');
        return;
      }
      await engine.hold(new Set(partitions));
      await engine.start();
      folding.begin();
      logger.info({ partitions }, 'This process runs the projections of these partitions');
      if (does && duties.begin()) logger.info('This process does the duties');
      isFailing = false;
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
    stop: shares.stop,
  };
};
