import { checkInstallation } from './commands/core/installation.ts';
import type { Config } from './config.ts';
import { openSqliteStore } from './events/sqlite/store.ts';
import { type EventStore, StoreUnavailable } from './events/store.ts';
import type { App } from './http/app.ts';
import type { RateLimiter } from './http/edge/rate-limit.ts';
import { createMemoryRateLimiter } from './http/edge/rate-limit-memory.ts';
import { createSharedRateLimiter } from './http/edge/rate-limit-shared.ts';
import { listen, type RunningServer } from './http/edge/server.ts';
import { createMetrics } from './http/ops/metrics.ts';
import { alone, type Coordination, type SharedWindows } from './projections/coordination.ts';
import { createListerThread } from './projections/sqlite/lister.ts';
import { openSqliteViewsReader } from './projections/sqlite/views-reader.ts';
import { createGraphProvider } from './provider/graph/graph.ts';
import type { ReadModels } from './service/deps.ts';
import { startProjector } from './service/projector/projector.ts';
import type { ProjectedLog } from './service/projector/protocol.ts';
import { createService } from './service/service.ts';
import type { Clock } from './shared/clock.ts';
import type { Logger } from './shared/logger.ts';
import { Interrupted, retry } from './shared/retry.ts';
import { createSecrets } from './shared/secrets.ts';
import { systemClock, systemIds } from './shared/system.ts';

export interface Running {
  server: RunningServer;
  /** The server of the operations port, where there is one. */
  operations: RunningServer | undefined;
  /** Stops accepting, finishes what is under way, closes the stores. */
  stop(): Promise<void>;
}

export interface RunDeps {
  logger: Logger;
  onFatal: (error: unknown) => void;
  /** The system's when absent. */
  clock?: Clock;
}

/** Closes what was opened, the last first. */
type Opened = (close: () => Promise<void>) => void;

type Stores = ReadModels & {
  store: EventStore;
  queuedEvents: () => number;
  coordination: Coordination;
};

const openEventStore = async (url: string, logger: Logger) => {
  const { openEventStoreDb } = await import('./events/eventstoredb/store.ts');
  const store = await openEventStoreDb({ url, logger });
  const queuedEvents = () => {
    const { appendsInFlight, appendsWaiting } = store.stats();
    return appendsInFlight + appendsWaiting;
  };
  return { store, queuedEvents };
};

const openMongo = async (url: string) => {
  const { openMongoViews } = await import('./projections/mongodb/views.ts');
  return openMongoViews({ url });
};

/** Views in files, which the projections' own thread writes. */
const openSqliteModels = async (
  directory: string,
  log: ProjectedLog,
  { logger, clock = systemClock }: RunDeps,
  opened: Opened,
) => {
  const projector = await startProjector({ directory, log, logger });
  opened(() => projector.close());
  const { probe } = projector;
  const views = openSqliteViewsReader({ directory, probe, createLister: createListerThread });
  opened(() => views.close());
  return { views, engine: projector.engine(views, clock) };
};

/** Each store by its setting. Drivers are loaded only where they are used. */
const openStores = async (config: Config, deps: RunDeps, opened: Opened): Promise<Stores> => {
  const { eventStoreUrl, mongoUrl, dataDirectory: directory } = config;
  const onFatal = deps.onFatal;
  if (eventStoreUrl === null) {
    const store = await openSqliteStore({ directory, onFatal });
    opened(() => store.close());
    const queuedEvents = () => store.stats().queuedEvents;
    const log = { store, queuedEvents, coordination: alone };
    if (mongoUrl === null) {
      const head = store.sharedHead;
      return { ...log, ...(await openSqliteModels(directory, { head }, deps, opened)) };
    }
    const views = await openMongo(mongoUrl);
    opened(() => views.close());
    return { ...log, views };
  }
  const log = await openEventStore(eventStoreUrl, deps.logger);
  opened(() => log.store.close());
  if (mongoUrl === null) {
    const models = await openSqliteModels(directory, { url: eventStoreUrl }, deps, opened);
    return { ...log, ...models, coordination: alone };
  }
  const views = await openMongo(mongoUrl);
  opened(() => views.close());
  return { ...log, views, coordination: views.coordination };
};

const openLimits = (
  windows: SharedWindows | undefined,
  logger: Logger,
  opened: Opened,
): { keyLimits: RateLimiter; addressLimits: RateLimiter } => {
  if (!windows) {
    return { keyLimits: createMemoryRateLimiter(), addressLimits: createMemoryRateLimiter() };
  }
  const onAlone = (error: unknown) => {
    const reason = (error as Error).message;
    logger.warn({ reason }, 'Rate limits are held by this instance alone meanwhile');
  };
  const shared = createSharedRateLimiter({ windows, onAlone });
  opened(() => shared.stop());
  return { keyLimits: shared, addressLimits: shared };
};

const UNCHECKED_RETRY_MS = { minMs: 250, maxMs: 5_000 };

/**
 * Checks the secret against the log before anything is started. A server that is away is no reason
 * not to start: then it is checked as soon as the log can be read, and a wrong one ends the process.
 */
const demandSecret = async (
  store: EventStore,
  { secret, secretLost }: Config,
  { logger, onFatal, clock = systemClock }: RunDeps,
  opened: Opened,
): Promise<void> => {
  const proofs = createSecrets(secret);
  const check = () => checkInstallation({ store, proofs, clock, ids: systemIds, secretLost });
  try {
    await check();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    logger.warn({ reason: error.message }, 'WAYBILL_SECRET is checked once the log can be read');
    const stopping = new AbortController();
    const { signal } = stopping;
    const isAway = (failure: unknown) => failure instanceof StoreUnavailable;
    const checking = retry(check, { delays: UNCHECKED_RETRY_MS, signal, while: isAway });
    const ended = checking.catch((failure) => {
      if (!(failure instanceof Interrupted)) onFatal(failure);
    });
    opened(async () => {
      stopping.abort();
      await ended;
    });
  }
};

/** Connections to the operations port: probes and collectors of metrics. */
const OPS_CONNECTIONS_MAX = 256;

const listenForOperators = async (app: App, config: Config): Promise<RunningServer | undefined> =>
  config.opsPort === null
    ? undefined
    : listen(app, { ...config, port: config.opsPort, connectionsMax: OPS_CONNECTIONS_MAX });

const demandServers = ({ role, eventStoreUrl, mongoUrl }: Config): void => {
  if (role === 'all' || (eventStoreUrl !== null && mongoUrl !== null)) return;
  throw new Error(`WAYBILL_ROLE=${role} needs EVENTSTORE_URL and MONGODB_URL`);
};

/**
 * One process: adapters, service and server for these settings. What was opened is closed again
 * when a later part cannot be had, so nothing is half started. Servers that are down are no reason
 * not to start: what needs them fails, and says so, until they are there.
 */
export const run = async (config: Config, deps: RunDeps): Promise<Running> => {
  const { logger } = deps;
  demandServers(config);
  const closing: (() => Promise<void>)[] = [];
  const opened: Opened = (close) => void closing.push(close);
  const closeAll = async () => {
    for (const close of closing.reverse()) await close();
    closing.length = 0;
  };
  try {
    const { queuedEvents, ...stores } = await openStores(config, deps, opened);
    await demandSecret(stores.store, config, deps, opened);
    const provider = createGraphProvider({
      baseUrl: config.provider.url,
      version: config.provider.version,
      timeoutMs: config.provider.timeoutMs,
      logger,
    });
    opened(() => provider.close());
    const metrics = createMetrics();
    metrics.gauge('waybill_log_queued_events', 'Events that wait to be written', [], () => [
      { value: queuedEvents() },
    ]);
    const service = createService({
      ...stores,
      provider,
      clock: deps.clock ?? systemClock,
      ids: systemIds,
      logger,
      metrics,
      ...openLimits(stores.coordination.windows, logger, opened),
      settings: {
        secret: config.secret,
        adminToken: config.adminToken,
        appSecret: config.provider.appSecret,
        verifyToken: config.provider.verifyToken,
        providerTimeoutMs: config.provider.timeoutMs,
        trustProxyHops: config.trustProxyHops,
        forwardAllow: config.forwardAllow,
        worker: config.role !== 'api',
        api: config.role !== 'worker',
      },
    });
    opened(() => service.stop());
    await service.start();
    const operations = await listenForOperators(service.operations, config);
    opened(async () => operations?.stop());
    // All callers behind a proxy come from its address.
    const connectionsPerAddressMax =
      config.trustProxyHops > 0 ? { connectionsPerAddressMax: null } : {};
    const server = await listen(service.app, { ...config, ...connectionsPerAddressMax });
    opened(() => server.stop());
    return { server, operations, stop: closeAll };
  } catch (error) {
    await closeAll().catch((err) => logger.warn({ err }, 'Not everything could be closed'));
    throw error;
  }
};
