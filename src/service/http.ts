import { createSealAfter } from '../audit/seals/read-seals.ts';
import { type Apps, createApps } from '../http/apps.ts';
import { createSessions } from '../http/edge/session.ts';
import { createTransfers } from '../http/edge/transfers.ts';
import { createUpToDate } from '../http/route/read-models.ts';
import { allRoutes } from '../http/routes.ts';
import { createAuthenticator } from './authenticator.ts';
import { createAudit } from './books/auditing.ts';
import { createReconciling } from './books/reconciling.ts';
import type { Commands } from './commands.ts';
import type { ServiceDeps } from './deps.ts';
import { healthChecks } from './health/health.ts';
import { observeParts, observeWork, type Work } from './health/observe.ts';
import { createLiveFeed } from './live-feed.ts';
import type { Stores } from './stores.ts';
import { partitionHolders } from './workers/worker.ts';

/** Wires the routes over commands and read models. */
export const createHttp = (
  deps: ServiceDeps,
  stores: Stores,
  commands: Commands,
  work: Work,
): Apps => {
  const { provider, views, clock, ids, logger, keyLimits, addressLimits } = deps;
  const {
    adminToken,
    appSecret,
    verifyToken,
    trustProxyHops,
    accessLog,
    api = true,
  } = deps.settings;
  const { store, log, keys, reader, lists, engine, lookups, subjects, secrets, metrics, account } =
    stores;
  const stopping = new AbortController();
  observeWork(deps, stores, work);
  const sessions = createSessions(secrets, adminToken);
  const authenticator = createAuthenticator({
    lookups,
    secrets,
    adminToken,
    onUse(keyId, at) {
      commands.tenancy
        .noteKeyUse(keyId, at, { requestId: ids.uuid(), cause: 'key-use' })
        .catch((err) => logger.warn({ keyId, err }, 'The use of a key was not noted'));
    },
  });
  const routes = allRoutes({
    ...commands,
    store,
    provider,
    lookups,
    subjects,
    clock,
    secrets,
    freeWrites: stores.freeWrites,
    authenticator,
    sessions,
    ids,
    live: createLiveFeed({ log, logger }),
    log,
    transfers: createTransfers(metrics),
    strictByDefault: lookups.strictByDefault,
    upToDate: createUpToDate({
      store,
      reader,
      lists,
      onLate: (late, err) => logger.warn({ projections: late, err }, 'Read models are late'),
    }),
    audit: createAudit({ store: log, reader, account }),
    sealAfter: createSealAfter(log),
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
    partitionHolders: () => partitionHolders(deps.coordination),
    stopping: stopping.signal,
  });
  const checks = healthChecks({
    store,
    views,
    keys,
    engine,
    reader,
    cache: stores.cache,
    answers: api,
    ...work,
    seals: commands.sealing.status,
  });
  observeParts(metrics, checks);
  return createApps({
    clock,
    ids,
    logger,
    metrics,
    authenticator,
    sessions,
    routes,
    trustProxyHops,
    accessLog: accessLog ?? false,
    tenancy: commands.tenancy,
    freeWrites: stores.freeWrites,
    keyLimits,
    addressLimits,
    demoSecrets: deps.demoSecrets,
    tracing: deps.tracing,
    checkResponses: deps.checkResponses ?? false,
    ...(deps.bodyBudget && { bodyBudget: deps.bodyBudget }),
    answers: api,
    checks,
    webhook: { ingress: commands.ingress, appSecret, verifyToken },
    onStopping: () => stopping.abort(),
  });
};
