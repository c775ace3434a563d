import { lastBackupOf } from './audit/backups/mark.ts';
import { openPlace } from './audit/backups/open.ts';
import { backUpInProcess } from './audit/backups/process.ts';
import type { Config } from './config.ts';
import { BUCKETS } from './events/bucket.ts';
import type { SharedHead } from './events/shared-head.ts';
import { openSqliteScratch as openScratch } from './events/sqlite/scratch.ts';
import { openSqliteStore } from './events/sqlite/store.ts';
import { bind, type RunningServer } from './http/edge/server.ts';
import { createMetrics, type Metrics } from './http/ops/metrics.ts';
import { createLiveKey, type LiveKey, SPREAD_MS } from './keys/installation-key.ts';
import type { KeyStore } from './keys/key-store.ts';
import { openSqliteKeys } from './keys/sqlite/keys.ts';
import { usesTls } from './net/certificates.ts';
import { createOpenId } from './net/openid.ts';
import { createAlone } from './projections/coordination.ts';
import { createListerThread } from './projections/sqlite/lister.ts';
import { openSqliteViewsReader } from './projections/sqlite/views-reader.ts';
import { createGraphProvider } from './provider/graph/graph.ts';
import type { ReadModels, ServiceParts } from './service/deps.ts';
import { observeCertificates } from './service/health/certificates.ts';
import { demandSecrets } from './service/privacy/secret.ts';
import { startProjector } from './service/projector/projector.ts';
import { openLimits } from './service/rate-limits.ts';
import { createService, type Service } from './service/service.ts';
import { recordFolds } from './service/tracing/folds.ts';
import { openTracing } from './service/tracing/tracing.ts';
import { every } from './service/workers/background.ts';
import { type BackupWork, createBackups } from './service/workers/backups.ts';
import type { Clock } from './shared/clock.ts';
import { freeBytesOn } from './shared/files.ts';
import type { Logger } from './shared/logger.ts';
import { systemClock, systemIds } from './shared/system.ts';
import { pause } from './shared/timing.ts';
import type { Tracing } from './shared/tracing.ts';

export interface Running {
  server: RunningServer;
  /** The server of the operations port, where there is one. */
  operations: RunningServer | undefined;
  /** Stops accepting requests, finishes those under way, closes the stores. */
  stop(): Promise<void>;
}

/** What may take the place of what the settings and the system lead to. */
type Given =
  | ('clock' | 'metrics' | 'keyLimits' | 'addressLimits' | 'demoSecrets')
  | ('resolve' | 'passwordCost' | 'checkResponses' | 'bounds' | 'bodyBudget');

export interface RunDeps extends Partial<Pick<ServiceParts, Given>> {
  logger: Logger;
  onFatal: (error: unknown) => void;
  /** For tests: in place of a process that makes backups, and of the place where they are. */
  backupWork?: BackupWork;
}

/** Also what was opened before the stores. */
type Parts = RunDeps & { tracing: Tracing | undefined };

/** Notes how to close what was opened. The last one is closed first. */
type Opened = (close: () => Promise<void>) => void;

/** What a process works over. */
type Adapters = Pick<ServiceParts, 'store' | 'keys' | 'coordination'> &
  ReadModels & {
    installationKey: LiveKey;
    /** Events that wait to be written. */
    queuedEvents: () => number;
  };

/** What the settings lead to, unless it is given. */
type OfSettings = 'settings' | 'openScratch' | 'openId' | 'keyLimits' | 'addressLimits';

/** Opens the adapters; what it notes is closed with the process. */
export type Open = (config: Config, deps: Parts, opened: Opened) => Promise<Adapters>;

const openEmbeddedLog = async (directory: string, onFatal: RunDeps['onFatal']) => {
  const store = await openSqliteStore({ directory, onFatal });
  const queuedEvents = () => store.stats().queuedEvents;
  return { store, queuedEvents };
};

const openServerLog = async (url: string, logger: Logger) => {
  const { openEventStoreDb } = await import('./events/eventstoredb/store.ts');
  const store = await openEventStoreDb({ url, logger });
  const queuedEvents = () => {
    const { appendsInFlight, appendsWaiting } = store.stats();
    return appendsInFlight + appendsWaiting;
  };
  return { store, queuedEvents };
};

/** Three times before a new generation seals. */
const KEY_READ_EVERY_MS = SPREAD_MS / 3;

const keyIn = (keys: KeyStore, { secret, previousSecret }: Config, clock: Clock) =>
  createLiveKey(
    { keys, secrets: previousSecret ? [secret, previousSecret] : [secret], ids: systemIds },
    clock,
  );

/** Views in files, which the projections' own thread writes, and data keys beside them. */
const openEmbeddedModels = async (
  config: Config,
  head: SharedHead,
  { logger, onFatal, clock = systemClock, tracing }: Parts,
  opened: Opened,
) => {
  const { dataDirectory: directory } = config;
  const keys = await openSqliteKeys({ directory, onFatal });
  opened(() => keys.close());
  const installationKey = keyIn(keys, config, clock);
  const onFolds = tracing && recordFolds(tracing);
  const projector = await startProjector({
    directory,
    head,
    logger,
    key: installationKey.first,
    onFolds,
  });
  opened(() => projector.close());
  const { probe } = projector;
  const views = openSqliteViewsReader({ directory, probe, createLister: createListerThread });
  opened(() => views.close());
  const engine = projector.engine(views, clock);
  return { views, keys, installationKey, engine, coordination: createAlone() };
};

const openServerModels = async (url: string, config: Config, clock: Clock, opened: Opened) => {
  const { openConnection } = await import('./projections/mongodb/connection.ts');
  const { viewsOver } = await import('./projections/mongodb/views.ts');
  const { keysOver } = await import('./keys/mongodb/keys.ts');
  const connection = await openConnection(url);
  opened(() => connection.close());
  const views = viewsOver(connection, BUCKETS);
  const keys = keysOver(connection);
  const installationKey = keyIn(keys, config, clock);
  // Another instance may extend it.
  const reading = every(KEY_READ_EVERY_MS, installationKey.refresh, undefined, KEY_READ_EVERY_MS);
  opened(() => reading.stop());
  return { views, keys, installationKey, coordination: views.coordination };
};

const openEmbedded = async (config: Config, deps: Parts, opened: Opened) => {
  const log = await openEmbeddedLog(config.dataDirectory, deps.onFatal);
  opened(() => log.store.close());
  return { ...log, ...(await openEmbeddedModels(config, log.store.sharedHead, deps, opened)) };
};

/** The drivers are loaded only here. */
const openServers: Open = async (config, deps, opened) => {
  const { eventStoreUrl, mongoUrl } = config.servers!;
  const log = await openServerLog(eventStoreUrl, deps.logger);
  opened(() => log.store.close());
  const models = await openServerModels(mongoUrl, config, deps.clock ?? systemClock, opened);
  return { ...log, ...models };
};

/** Backups of the embedded files; null where no place is set. */
const openBackups = async (
  { backups, dataDirectory: data }: Config,
  { clock = systemClock, logger, backupWork }: RunDeps,
  opened: Opened,
) => {
  if (!backups) return null;
  const { to, everyMs, keep } = backups;
  if (backupWork) return createBackups({ ...backupWork, everyMs, clock, logger });
  // It brings what verifies copies, which no start needs.
  const { listBackups } = await import('./audit/offline-backups.ts');
  const place = await openPlace(to);
  opened(() => place.close());
  return createBackups({
    take: (signal) => backUpInProcess({ data, to, keep }, signal),
    list: (most) => listBackups(place, most),
    everyMs,
    clock,
    logger,
  });
};

/** Connections to the operations port: probes and collectors of metrics. */
const OPS_CONNECTIONS_MAX = 256;

/** Takes the ports before anything is made, so that a taken one ends the start without a trace. */
const bindAll = async (config: Config, opened: Opened) => {
  const { opsPort: port, trustProxyHops } = config;
  const connectionsMax = OPS_CONNECTIONS_MAX;
  const ops = port === null ? undefined : await bind({ ...config, port, connectionsMax });
  opened(async () => ops?.stop());
  // All callers behind a proxy come from its address.
  const bounds = trustProxyHops > 0 ? { connectionsPerAddressMax: null } : {};
  const main = await bind({ ...config, ...bounds });
  opened(() => main.stop());
  return ({ app, operations }: Service) => {
    // Stopped first: the service finishes what is under way.
    opened(async () => ops?.stop());
    opened(() => main.stop());
    return { server: main.serve(app), operations: ops?.serve(operations) };
  };
};

/** How long the read models may take to be filled, and pauses between two looks at them. */
const REHEARSAL = { timeoutMs: 60 * 60_000, lookEveryMs: 250 };

/**
 * Starts on a copy of embedded files as far as that has no effect outside: checks the secret and the data
 * keys, and fills the read models from the log. Resolves to their number. Throws what a start would throw.
 */
export const rehearse = async (config: Config, deps: RunDeps): Promise<number> => {
  const { logger, clock = systemClock } = deps;
  const closing: (() => Promise<void>)[] = [];
  const opened: Opened = (close) => void closing.push(close);
  try {
    const stores = await openEmbedded(config, { ...deps, tracing: undefined }, opened);
    const place = config.dataDirectory;
    await demandSecrets(stores, { ...config, ...deps, place, clock, ids: systemIds });
    await stores.engine.start();
    const head = await stores.store.head();
    const until = clock.now() + REHEARSAL.timeoutMs;
    for (;;) {
      const all = await stores.engine.status();
      const halted = all.find(({ state }) => state === 'halted');
      if (halted) throw new Error(`the read model ${halted.name} halted: ${halted.error?.message}`);
      if (all.every(({ state, position }) => state === 'live' && position >= head))
        return all.length;
      if (clock.now() > until) throw new Error('the read models were not filled within an hour');
      await pause(REHEARSAL.lookEveryMs);
    }
  } finally {
    for (const close of closing.reverse()) {
      await close().catch((err) => logger.warn({ err }, 'Not everything could be closed'));
    }
  }
};

/** Wires the service for these settings. Nothing runs yet. */
export const compose = (
  config: Config,
  given: Omit<ServiceParts, OfSettings> & Partial<Pick<ServiceParts, OfSettings>> & ReadModels,
  opened: Opened,
): Service =>
  createService({
    openScratch,
    openId: config.openId && createOpenId(config.openId),
    ...openLimits(given.coordination.windows, given.logger, opened),
    settings: {
      ...config,
      appSecrets: config.provider.appSecrets,
      verifyTokens: config.provider.verifyTokens,
      providerTimeoutMs: config.provider.timeoutMs,
      providerUrl: config.provider.url,
      worker: config.role !== 'api',
      api: config.role !== 'worker',
    },
    ...given,
  });

/** Gauges of the process that no part of the service knows. */
const observeProcess = (
  { servers, dataDirectory, backups }: Config,
  metrics: Metrics,
  { queuedEvents }: Adapters,
) => {
  metrics.gauge('waybill_log_queued_events', 'Events that wait to be written', [], () => [
    { value: queuedEvents() },
  ]);
  if (servers) return;
  const help = 'Bytes that are free for the embedded files; absent on servers';
  metrics.gauge('waybill_disk_free_bytes', help, [], async () => [
    { value: await freeBytesOn(dataDirectory) },
  ]);
  const when = 'When the last backup was made; absent before the first';
  metrics.gauge('waybill_backup_timestamp_seconds', when, [], async () => {
    const at = await lastBackupOf(dataDirectory);
    return at === undefined ? [] : [{ value: at / 1000 }];
  });
  const everyMs = backups?.everyMs;
  const period = 'WAYBILL_BACKUP_EVERY; absent without it';
  metrics.gauge('waybill_backup_every_seconds', period, [], () =>
    everyMs ? [{ value: everyMs / 1000 }] : [],
  );
};

const CERTIFICATES_EVERY_MS = 6 * 3_600_000;

/** Watches the certificates of the servers that every process calls; undefined where none has one. */
const watchCertificates = (
  { servers, provider, openId }: Config,
  deps: Parameters<typeof observeCertificates>[1],
  opened: Opened,
) => {
  const all = [servers?.eventStoreUrl, servers?.mongoUrl, provider.url, openId?.issuer];
  const urls = all.filter((url) => url !== undefined).filter(usesTls);
  const certificates = observeCertificates(urls, deps);
  if (urls.length === 0) return undefined;
  const looking = every(CERTIFICATES_EVERY_MS, certificates.look);
  opened(() => looking.stop());
  return certificates;
};

/**
 * Starts one process over what `open` opens: service and server for these settings. When a part cannot
 * be opened, the earlier ones are closed again, so nothing is half started. The process also starts
 * while servers are down: work that needs them fails with an error until they are up.
 */
export const runOver = async (open: Open, config: Config, deps: RunDeps): Promise<Running> => {
  const { logger, clock = systemClock, metrics = createMetrics() } = deps;
  const ids = systemIds;
  const closing: (() => Promise<void>)[] = [];
  const opened: Opened = (close) => void closing.push(close);
  const closeAll = async () => {
    for (const close of closing.reverse()) await close();
    closing.length = 0;
  };
  try {
    const serve = await bindAll(config, opened);
    const tracing = await openTracing(config.tracing, { logger, metrics });
    opened(async () => tracing?.close());
    const adapters = await open(config, { ...deps, tracing }, opened);
    const place = config.servers ? 'MongoDB' : config.dataDirectory;
    const checking = await demandSecrets(adapters, { ...config, ...deps, place, clock, ids });
    opened(async () => checking?.stop());
    const provider = createGraphProvider({
      baseUrl: config.provider.url,
      version: config.provider.version,
      timeoutMs: config.provider.timeoutMs,
      logger,
    });
    opened(() => provider.close());
    observeProcess(config, metrics, adapters);
    const { heard } = provider;
    const isSecretChecked = () => checking?.isDone() ?? true;
    const backups = await openBackups(config, deps, opened);
    const certificates = watchCertificates(config, { clock, logger, metrics }, opened);
    const watched = { backups, certificates };
    const made = { provider, heard, isSecretChecked, ...watched, clock, ids, metrics, tracing };
    const service = compose(config, { ...adapters, ...deps, ...made }, opened);
    opened(() => service.stop());
    await service.start();
    return { ...serve(service), stop: closeAll };
  } catch (error) {
    await closeAll().catch((err) => logger.warn({ err }, 'Not everything could be closed'));
    throw error;
  }
};

/** Starts one process on the files or the servers of these settings. */
export const run = (config: Config, deps: RunDeps): Promise<Running> =>
  runOver(config.servers ? openServers : openEmbedded, config, deps);
