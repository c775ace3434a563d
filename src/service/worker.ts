import { StoreUnavailable } from '../events/store.ts';
import type { Coordination } from '../projections/coordination.ts';
import type { Engine } from '../projections/engine/engine.ts';
import type { Logger } from '../shared/logger.ts';
import type { Background } from './background.ts';
import { holdLease } from './lease.ts';

/** One lease for all of it: what follows from events waits for the projections anyway. */
const LEASE = 'duties';

export interface Worker extends Background {
  /** Whether they are this process's now. */
  held(): boolean;
}

/**
 * What one process at a time does for all: it runs the projections, and beside them what follows
 * from events. Resolves once it is at work, or knows that another one is, or cannot reach what it
 * needs and goes on trying. Rejects when it could never work.
 */
export const startWorker = async (deps: {
  coordination: Coordination;
  engine: Pick<Engine, 'start' | 'stop'>;
  /** Names this process among those that take the lease. */
  holder: string;
  /** Starts the rest, once the projections are on their way. */
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
      // Said once for each outage: it is tried every second.
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
