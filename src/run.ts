import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { openSqliteStore } from './events/store.sqlite.ts';
import { createMetrics } from './http/metrics.ts';
import { createMemoryRateLimiter } from './http/ratelimit.memory.ts';
import { listen, type RunningServer } from './http/server.ts';
import type { Logger } from './logger.ts';
import { openSqliteViews } from './projections/views.sqlite.ts';
import { startProjector } from './projector.ts';
import { createGraphProvider } from './provider/provider.graph.ts';
import { createService } from './service.ts';
import { systemClock, systemIds } from './system.ts';

export interface Running {
  server: RunningServer;
  /** Stops accepting, finishes what is under way, closes the stores. */
  stop(): Promise<void>;
}

/**
 * One process: adapters, service and server for these settings. What was opened is closed again
 * when a later part cannot be had, so nothing is half started.
 */
export const run = async (
  config: Config,
  deps: {
    logger: Logger;
    onFatal: (error: unknown) => void;
    /** The system's when absent. */
    clock?: Clock;
  },
): Promise<Running> => {
  const { logger } = deps;
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of opened.reverse()) await close();
    opened.length = 0;
  };
  try {
    const directory = config.dataDirectory;
    const store = await openSqliteStore({ directory, onFatal: deps.onFatal });
    opened.push(() => store.close());
    const projector = await startProjector({ directory, head: store.sharedHead, logger });
    opened.push(() => projector.close());
    const { createWriter } = projector;
    const views = await openSqliteViews({ directory, createWriter });
    opened.push(() => views.close());
    const provider = createGraphProvider({
      baseUrl: config.provider.url,
      version: config.provider.version,
      timeoutMs: config.provider.timeoutMs,
      logger,
    });
    opened.push(() => provider.close());
    const metrics = createMetrics();
    metrics.gauge('waybill_log_queued_events', 'Events that wait to be written', [], () => [
      { value: store.stats().queuedEvents },
    ]);
    const service = createService({
      store,
      views,
      engine: projector.engine(views, deps.clock ?? systemClock),
      provider,
      clock: deps.clock ?? systemClock,
      ids: systemIds,
      logger,
      metrics,
      keyLimits: createMemoryRateLimiter(),
      addressLimits: createMemoryRateLimiter(),
      settings: {
        secret: config.secret,
        adminToken: config.adminToken,
        appSecret: config.provider.appSecret,
        verifyToken: config.provider.verifyToken,
        trustProxyHops: config.trustProxyHops,
        forwardAllow: config.forwardAllow,
        worker: config.role !== 'api',
        // The embedded log lets nobody else in.
        soleWriter: true,
      },
    });
    opened.push(() => service.stop());
    await service.start();
    const server = await listen(service.app, config);
    opened.push(() => server.stop());
    return { server, stop: closeAll };
  } catch (error) {
    await closeAll().catch((err) => logger.warn({ err }, 'Not everything could be closed'));
    throw error;
  }
};
