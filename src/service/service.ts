import { type EventStore, StoreUnavailable } from '../events/store.ts';
import type { Apps } from '../http/apps.ts';
import { createCommands } from './commands.ts';
import type { ServiceDeps } from './deps.ts';
import { createHttp } from './http.ts';
import { followLog } from './lookups/follow-log.ts';
import { createStores } from './stores.ts';
import { tracedProvider } from './tracing/traced-calls.ts';
import type { Background } from './workers/background.ts';
import { workerName } from './workers/duties.ts';
import { createReactorCount } from './workers/reactor-count.ts';
import { startDuties, startEmptying, startShared } from './workers/reactors.ts';
import { startWorker, type Worker } from './workers/worker.ts';

/** `refuseNew` of its application also stops batches from starting further recipients. */
export interface Service extends Apps {
  /** Resolves when requests can be served. */
  start(): Promise<void>;
  /** Finishes what is under way. The stores are their owner's to close. */
  stop(): Promise<void>;
}

/** A log in files has one process, and so have read models in files: one partition is enough. */
const reactorCountOf = (deps: ServiceDeps, store: EventStore) => {
  const isAlone = deps.engine !== undefined || deps.store.soleWriter;
  return createReactorCount(store, { configured: isAlone ? 1 : deps.views.partitions, isAlone });
};

/** With a span for each call of the provider, while traces are on. */
const withTraces = (deps: ServiceDeps): ServiceDeps => {
  const { tracing, provider, settings } = deps;
  if (!tracing) return deps;
  return { ...deps, provider: tracedProvider(provider, tracing, settings.providerUrl) };
};

/** Wires the whole service. Nothing runs until `start`. */
export const createService = (given: ServiceDeps): Service => {
  const deps = withTraces(given);
  const { views, coordination, ids, logger, settings } = deps;
  const stores = createStores(deps);
  const commands = createCommands(deps, stores);
  let worker: Worker | undefined;
  let following: Background | undefined;
  let leasing: Background | undefined;
  const apps = createHttp(deps, stores, commands, {
    reactors: () => worker?.reactors() ?? [],
    worker: () => worker,
    erasing: () => worker?.erasing(),
  });

  return {
    ...apps,
    async start() {
      const { store, cache, engine, keysReady, subjects } = stores;
      await keysReady().catch((error) => {
        if (!(error instanceof StoreUnavailable)) throw error;
        const reason = (error as Error).message;
        logger.warn({ reason }, 'The data keys cannot be used yet: trying again');
      });
      const begun = followLog({ store, cache, keys: subjects.ring, logger });
      following = begun;
      await begun.started;
      leasing = await commands.lease?.start();
      if (settings.worker) {
        const start = async () => {
          await keysReady();
          await engine.start();
        };
        worker = await startWorker({
          coordination,
          holder: workerName(ids.uuid()),
          logger,
          engine: { ...engine, start },
          begin: () => startDuties(deps, stores, commands),
          beginEmptying: () => startEmptying(deps, stores),
          beginReactors: (share) => startShared(deps, stores, commands, share),
          reactorCount: reactorCountOf(deps, store),
        });
        return;
      }
      const { ok, detail } = await views.health();
      if (!ok) logger.warn({ detail }, 'The read models cannot be reached: trying again');
    },
    async stop() {
      await stores.freeWrites.stop();
      await worker?.stop();
      await following?.stop();
      await stores.writer.drain();
      await leasing?.stop();
      worker = following = leasing = undefined;
      await stores.engine.stop();
      await commands.closeConnections();
    },
  };
};
