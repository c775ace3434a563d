import type { RunningReactor } from '../commands/core/reactor.ts';
import type { Apps } from '../http/apps.ts';
import type { Background } from './background.ts';
import { createCommands } from './commands.ts';
import type { ServiceDeps } from './deps.ts';
import { followLog } from './follow-log.ts';
import { createHttp } from './http.ts';
import { startReactors } from './reactors.ts';
import { createStores } from './stores.ts';
import { startWorker, type Worker } from './worker.ts';

/** `refuseNew` of its application also stops batches from starting further recipients. */
export interface Service extends Apps {
  /** Resolves when requests can be served. */
  start(): Promise<void>;
  /** Finishes what is under way. The stores are their owner's to close. */
  stop(): Promise<void>;
}

/** Wires the whole service. Nothing runs until `start`. */
export const createService = (deps: ServiceDeps): Service => {
  const { views, coordination, ids, logger, settings } = deps;
  const stores = createStores(deps);
  const commands = createCommands(deps, stores);
  let reactors: readonly RunningReactor[] = [];
  let worker: Worker | undefined;
  let following: Background | undefined;
  const apps = createHttp(deps, stores, commands, {
    reactors: () => reactors,
    worker: () => worker,
  });

  const begin = (): Background[] => {
    const started = startReactors(deps, stores, commands);
    reactors = started.reactors;
    return [...reactors, ...started.timers];
  };

  return {
    ...apps,
    async start() {
      const { store, cache, engine } = stores;
      const begun = followLog({ store, cache, logger });
      following = begun;
      await begun.started;
      if (settings.worker) {
        worker = await startWorker({ coordination, engine, holder: ids.uuid(), begin, logger });
        return;
      }
      const { ok, detail } = await views.health();
      if (!ok) logger.warn({ detail }, 'The read models cannot be reached: trying again');
    },
    async stop() {
      await stores.freeWrites.stop();
      await worker?.stop();
      await following?.stop();
      worker = following = undefined;
      await stores.writer.drain();
      await stores.engine.stop();
      await commands.closeConnections();
    },
  };
};
