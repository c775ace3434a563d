import { StoreUnavailable } from '../events/store.ts';
import type { Coordination } from '../projections/coordination.ts';
import type { Engine } from '../projections/engine/engine.ts';
import type { Logger } from '../shared/logger.ts';
import type { Background } from './background.ts';
import { holdLease } from './lease.ts';

/** One lease for all the work: reactors wait for the projections anyway. */
const LEASE = 'duties';

export interface Worker extends Background {
  /** Whether this process holds the lease. */
  held(): boolean;
}

/**
 * Runs the projections, reactors and sweeps while this process holds the lease. Resolves after the
 * first attempt: they run, or another process has the lease, or a store is away and it tries again.
 * Rejects when the work can never start.
 */
export const startWorker = async (deps: {
  coordination: Coordination;
  engine: Pick<Engine, 'start' | 'stop'>;
  /** The name of this process, unique among those that take the lease. */
  holder: string;
  /** Starts reactors and sweeps, after the projections. */
  begin: () => readonly Background[];
  logger: Logger;
}): Promise<Worker> => {
  const { coordination, engine, holder, begin, logger } = deps;
  let running: readonly Background[] = [];
  let isFailing = false;

  const lease = holdLease({
    take: (ttlMs) => coordination.takeLease(LEASE, holder, ttlMs),
    async onGained() {
      await engine.start();
      running = begin();
      isFailing = false;
      logger.info('This process runs the projections, reactors and sweeps');
    },
    async onLost() {
      const ending = running;
      running = [];
      await Promise.all(ending.map((one) => one.stop()));
      await engine.stop();
      logger.info('This process no longer runs the projections, reactors and sweeps');
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

  const failure = await lease.first;
  if (failure !== undefined && !(failure instanceof StoreUnavailable)) {
    await lease.stop();
    throw failure;
  }
  return { held: lease.holding, stop: lease.stop };
};
