import { createSealAfter } from '../audit/seals/read-seals.ts';
import { nameGeneration } from '../commands/core/data-keys.ts';
import { StoreUnavailable } from '../events/store.ts';
import { createAskAnother } from '../http/admin/approvals.ts';
import { type Apps, createApps } from '../http/apps.ts';
import { createSessions } from '../http/edge/session.ts';
import { createTransfers } from '../http/edge/transfers.ts';
import { createLook, type Parts } from '../http/ops/health.ts';
import { createPast } from '../http/route/past.ts';
import { createUpToDate } from '../http/route/read-models.ts';
import { allRoutes, gatewayRoutes, type Handlers } from '../http/routes.ts';
import { createAuthenticator } from './authenticator.ts';
import { createAudit } from './books/auditing.ts';
import { createReconciling } from './books/reconciling.ts';
import { createWhatIfs } from './books/what-ifs.ts';
import { type Commands, createCommands } from './commands.ts';
import type { ServiceDeps } from './deps.ts';
import { healthChecks } from './health/health.ts';
import { observeParts, observeSignatures, observeWork, type Work } from './health/observe.ts';
import { createLiveFeed } from './live-feed.ts';
import { followLog } from './lookups/follow-log.ts';
import { fourEyesLookups } from './lookups/four-eyes.ts';
import { createStores, type Stores } from './stores.ts';
import { tracedProvider } from './tracing/traced-calls.ts';
import { type Background, every } from './workers/background.ts';
import { startDuties, startEmptying, startShared } from './workers/reactors.ts';
import { partitionHolders, startWorker, type Worker } from './workers/worker.ts';

interface Wired extends Apps {
  look: () => Promise<Parts>;
}

/** Wires the routes over commands and read models. */
const createHttp = (deps: ServiceDeps, stores: Stores, commands: Commands, work: Work): Wired => {
  const { provider, views, clock, ids, logger, keyLimits, addressLimits } = deps;
  const { adminTokens, appSecrets, verifyTokens, trustProxyHops, accessLog, topUp, api } =
    deps.settings;
  const { store, log, keys, reader, lists, engine, lookups, subjects, secrets, metrics, account } =
    stores;
  const stopping = new AbortController();
  observeWork(deps, stores, work);
  const sessions = createSessions(secrets, adminTokens);
  const authenticator = createAuthenticator({
    lookups,
    secrets,
    adminTokens,
    personIdOf: commands.people.idOf,
    passwords: commands.passwords,
    onUse(keyId, at) {
      commands.tenancy
        .noteKeyUse(keyId, at, { requestId: ids.uuid(), cause: 'key-use' })
        .catch((err) => logger.warn({ keyId, err }, 'The use of a key was not noted'));
    },
  });
  const upToDate = createUpToDate({
    store,
    reader,
    lists,
    onLate: (late, err) => logger.warn({ projections: late, err }, 'Read models are late'),
  });
  const sealAfter = createSealAfter(log);
  const holders = () => partitionHolders(deps.coordination, partitionsOf(deps));
  const handlers: Handlers = {
    ...commands,
    store,
    provider,
    topUp,
    lookups,
    subjects,
    clock,
    secrets,
    freeWrites: stores.freeWrites,
    authenticator,
    findPerson: lookups.person,
    askAnother: createAskAnother({ approvals: commands.approvals, upToDate }),
    ...fourEyesLookups(stores),
    sessions,
    ids,
    live: createLiveFeed({ log, logger }),
    log,
    transfers: createTransfers(metrics),
    async extendKey() {
      const made = await deps.installationKey.extend();
      await nameGeneration({ store, clock, ids }, made.name);
      return made;
    },
    backups: deps.backups,
    defaultsOf: lookups.defaultsOf,
    upToDate,
    past: createPast(store),
    audit: createAudit({ store: log, reader, account }),
    sealAfter,
    whatIfs: createWhatIfs({ log, reader, sealAfter, logger, stopping: stopping.signal }),
    reconcile: createReconciling({
      log,
      store,
      lookups,
      provider,
      secrets,
      clock,
      openScratch: deps.openScratch,
    }),
    projections: engine,
    partitionHolders: holders,
    stopping: stopping.signal,
  };
  const signatures = observeSignatures(deps, metrics);
  const checks = healthChecks({
    store,
    views,
    keys,
    engine,
    reader,
    cache: stores.cache,
    answers: api,
    clock,
    heard: deps.heard,
    partitionHolders: holders,
    signatures,
    backups: deps.backups,
    certificates: deps.certificates,
    ...work,
    seals: commands.sealing.status,
  });
  const look = createLook({ checks, log: logger });
  observeParts(metrics, look);
  const apps = createApps({
    clock,
    ids,
    logger,
    metrics,
    authenticator,
    sessions,
    routes: allRoutes(handlers),
    gateway: gatewayRoutes(handlers),
    trustProxyHops,
    accessLog,
    tenancy: commands.tenancy,
    people: commands.people,
    openId: deps.openId,
    freeWrites: stores.freeWrites,
    keyLimits,
    addressLimits,
    demoSecrets: deps.demoSecrets,
    tracing: deps.tracing,
    checkResponses: deps.checkResponses ?? false,
    pseudonymOf: secrets.messageRef,
    strictByDefault: async (accountId) => (await lookups.defaultsOf(accountId)).strict,
    ...(deps.bodyBudget && { bodyBudget: deps.bodyBudget }),
    answers: api,
    look,
    webhook: { ingress: commands.ingress, appSecrets, verifyTokens, signatures },
    transparency: commands.sealing.transparency,
    onRefusal: commands.refusals.note,
    onStopping: () => stopping.abort(),
  });
  return { ...apps, look };
};

/** Also without probes, the log names a part that does not work within this time. */
const LOOK_EVERY_MS = 15_000;

/** `refuseNew` of its application also stops batches from starting further recipients. */
export interface Service extends Apps {
  /** Resolves when requests can be served. */
  start(): Promise<void>;
  /** Finishes what is under way. The stores are their owner's to close. */
  stop(): Promise<void>;
}

/** Read models in files have one process: one partition is enough. */
const partitionsOf = (deps: ServiceDeps): number => (deps.engine ? 1 : deps.views.partitions);

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
  let watching: Background | undefined;
  const { look, ...apps } = createHttp(deps, stores, commands, {
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
      watching = every(LOOK_EVERY_MS, async () => void (await look()), undefined, LOOK_EVERY_MS);
      if (settings.worker) {
        const start = async () => {
          await keysReady();
          await engine.start();
        };
        worker = await startWorker({
          coordination,
          holder: ids.uuid(),
          partitions: partitionsOf(deps),
          logger,
          engine: { ...engine, start },
          begin: () => startDuties(deps, stores, commands),
          beginEmptying: () => startEmptying(deps, stores),
          beginReactors: (share) => startShared(deps, stores, commands, share),
        });
        return;
      }
      const { ok, detail } = await views.health();
      if (!ok) logger.warn({ detail }, 'The read models cannot be reached: trying again');
    },
    async stop() {
      await watching?.stop();
      // While the read models go on: a reversal asks them for the plan.
      await commands.stopSends();
      await commands.refusals.flush();
      await stores.freeWrites.stop();
      await worker?.stop();
      // What its last sends came to.
      await commands.refusals.flush();
      await stores.freeWrites.stop();
      await following?.stop();
      await stores.writer.drain();
      await leasing?.stop();
      worker = following = leasing = watching = undefined;
      await stores.engine.stop();
      await commands.closeConnections();
    },
  };
};
