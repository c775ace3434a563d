import { createBalanceAt } from '../commands/account/balance.ts';
import { createDeliveryRefunds } from '../commands/account/delivery-refunds.ts';
import { createFunds } from '../commands/account/funds.ts';
import { createBots } from '../commands/bots/definitions.ts';
import { createUnlinkedRuns } from '../commands/bots/unlinked-runs.ts';
import { createWriter } from '../commands/core/execute.ts';
import { type RunningReactor, runReactor } from '../commands/core/reactor.ts';
import { createClaims } from '../commands/idempotency/idempotency.ts';
import { createIdempotencyRecovery } from '../commands/idempotency/recovery.ts';
import { createDeadLetterWork } from '../commands/inbound/dead-letter-work.ts';
import { createForwarder } from '../commands/inbound/forward.ts';
import { createForwardUrls } from '../commands/inbound/forward-url.ts';
import { createIngress } from '../commands/inbound/ingress.ts';
import { createStatuses } from '../commands/inbound/statuses.ts';
import { createNumberLinks } from '../commands/numbers/number-links.ts';
import { createNumberNotices } from '../commands/numbers/number-notices.ts';
import { createNumbers } from '../commands/numbers/numbers.ts';
import { createBatches } from '../commands/sending/batch.ts';
import { createNotifications } from '../commands/sending/notification.ts';
import { createPassThrough } from '../commands/sending/pass-through.ts';
import { createSendsUnderWay } from '../commands/sending/sends-under-way.ts';
import { createTransmitter } from '../commands/sending/transmit.ts';
import { createMirror } from '../commands/templates/mirror.ts';
import { createSubmissions } from '../commands/templates/submission.ts';
import { createTenancy } from '../commands/tenancy/tenancy.ts';
import { withHeadTimeout } from '../events/head-timeout.ts';
import type { KnownEvent } from '../events/index.ts';
import { onAppended } from '../events/on-appended.ts';
import type { EventStore } from '../events/store.ts';
import { type Apps, createApps } from '../http/apps.ts';
import type { BodyBudget } from '../http/edge/body-budget.ts';
import type { RateLimiter } from '../http/edge/rate-limit.ts';
import { createMetrics, type Metrics } from '../http/ops/metrics.ts';
import { createObservedLists } from '../http/route/lists.ts';
import { createUpToDate } from '../http/route/read-models.ts';
import { allRoutes } from '../http/routes.ts';
import { createOutbound } from '../net/outbound.ts';
import type { Resolve } from '../net/resolve.ts';
import { projections } from '../projections/all.ts';
import type { Coordination } from '../projections/coordination.ts';
import { createEngine, type Engine } from '../projections/engine/engine.ts';
import type { ListBounds } from '../projections/engine/lists.ts';
import type { Views, ViewsReader } from '../projections/views.ts';
import type { Provider } from '../provider/provider.ts';
import type { Clock, Ids } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import { createSecrets } from '../shared/secrets.ts';
import { createAudit, createBadSnapshots } from './auditing.ts';
import { createAuthenticator, keyStands } from './authenticator.ts';
import { type Background, every } from './background.ts';
import { createBotWork } from './bot-work.ts';
import { type ChargingBounds, createCharging } from './charging.ts';
import { followLog } from './follow-log.ts';
import { healthChecks, observeLag } from './health.ts';
import { createLookups } from './lookups.ts';
import { createRecovering } from './recovering.ts';
import { type Duties, startDuties } from './worker.ts';

/** Pause between two sweeps of open reservations. */
const SWEEP_EVERY_MS = 60_000;
/** How late a bot may notice that the time of a run has come. */
const BOTS_EVERY_MS = 500;

/** What differs from one way of running to another. */
interface Parts {
  store: EventStore;
  coordination: Coordination;
  provider: Provider;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  keyLimits: RateLimiter;
  addressLimits: RateLimiter;
  settings: {
    secret: Buffer;
    adminToken: string;
    appSecret: string | null;
    verifyToken: string | null;
    /** For one call of the provider, all its waiting and retries included, in milliseconds. */
    providerTimeoutMs: number;
    trustProxyHops: number;
    /** Private addresses and networks that forwards and bots may call. */
    forwardAllow?: readonly string[];
    /** Whether this process runs projections, reactors and sweeps. */
    worker: boolean;
    /** Whether it answers requests beside those for its health; true when absent. */
    api?: boolean;
  };
  /** For tests: how forwards and bots find addresses. */
  resolve?: Resolve;
  /** For tests: answers that their route does not declare become a 500. */
  checkResponses?: boolean;
  /** For tests: bounds that can be reached. */
  bounds?: ChargingBounds & { lists?: Partial<ListBounds> };
  metrics?: Metrics;
  /** For tests: what may be held of bodies without a credential. */
  bodyBudget?: BodyBudget;
}

/** The service makes an engine over views that it may write; an engine that is given writes them. */
export type ReadModels =
  | { views: Views; engine?: undefined }
  | {
      views: ViewsReader;
      engine: Pick<Engine, 'start' | 'stop' | 'reader' | 'status' | 'rebuild'>;
    };

export type ServiceDeps = Parts & ReadModels;

/** `refuseNew` of its application also stops batches from starting further recipients. */
export interface Service extends Apps {
  /** Resolves when requests can be served. */
  start(): Promise<void>;
  /** Finishes what is under way. The stores are their owner's to close. */
  stop(): Promise<void>;
}

/** Everything wired. Nothing runs until `start`. */
export const createService = (deps: ServiceDeps): Service => {
  const { views, coordination, provider, clock, ids, logger, settings } = deps;
  // An embedded log answers head() from memory.
  const { soleWriter } = deps.store;
  const store = soleWriter ? deps.store : withHeadTimeout(deps.store);
  const metrics = deps.metrics ?? createMetrics();
  const secrets = createSecrets(settings.secret);
  const engine = deps.engine
    ? deps.engine
    : createEngine({ store, views: deps.views, projections, clock, logger });
  const { reader } = engine;
  observeLag(metrics, engine);
  const lists = createObservedLists({ reader, bounds: deps.bounds?.lists, metrics, logger });
  const { lookups, cache } = createLookups({ store, reader, lists });

  const writer = createWriter({
    store: onAppended(store, (event) => {
      cache.note(event as KnownEvent);
      freeWrites.note(event);
    }),
    clock,
    ids,
    seal: secrets.sealOf,
    onSnapshotFailed: (stream, err) => logger.warn({ stream, err }, 'A snapshot was not kept'),
    onBadSnapshot: createBadSnapshots({ logger, metrics }),
  });
  const charging = { writer, store, lookups, clock, logger, metrics, bounds: deps.bounds };
  const { charged, ...charges } = createCharging(charging);
  const { account, refunds, stuck, freeWrites, onOtherCategory } = charges;
  const monotonicMs = () => performance.now();
  const sends = createSendsUnderWay({
    ...{ clock, monotonicMs, soleWriter },
    providerTimeoutMs: settings.providerTimeoutMs,
  });
  const recovery = createIdempotencyRecovery({ store, refunds, clock, monotonicMs });
  const mirror = createMirror({
    writer,
    provider,
    lookups,
    clock,
    onUnreadable: (err) => logger.warn({ err }, 'Templates could not be read live'),
  });
  const transmitter = createTransmitter({
    ...{ writer, lookups, provider, recovery, sends, clock },
    ...charged,
  });
  const sending = { lookups, mirror, provider, transmitter, secrets, clock };
  const notifications = createNotifications(sending);
  const passThrough = createPassThrough(sending);
  const mayAct = async (accountId: string) => {
    const account = await lookups.account(accountId);
    const organisation = account && (await lookups.organisation(account.organisationId));
    return organisation?.suspended === false;
  };
  const batches = createBatches({
    notifications,
    monotonicMs,
    async mayGoOn({ accountId, keyId }) {
      const key = await lookups.key(keyId);
      return key !== undefined && keyStands(key, clock.now()) && (await mayAct(accountId));
    },
    onFault: (err) => logger.error({ err }, 'A recipient of a batch failed unexpectedly'),
  });
  const stopping = new AbortController();
  const addresses = {
    exceptions: settings.forwardAllow ?? [],
    ...(deps.resolve && { resolve: deps.resolve }),
  };
  const callbacks = createOutbound({ ...addresses, plainHttp: 'listed' });
  const botCalls = createOutbound({ ...addresses, plainHttp: 'any' });
  const links = createNumberLinks({ writer });
  const { repository, createRuns } = createBotWork({
    ...{ store, writer, lookups, links, clock, ids, logger },
    ...{ passThrough, notifications, mayAct, outbound: botCalls },
  });
  const submissions = createSubmissions({ writer, lookups, provider, mirror, secrets, clock });
  const numbers = createNumbers({ writer, lookups, provider, secrets });
  const tenancy = createTenancy({ writer, account, lookups, secrets, ids, clock });
  const funds = createFunds({ writer, account, recovery, clock, ids });
  const claims = createClaims({
    ...{ writer, recovery, secrets, clock, ids, monotonicMs },
    soleWriter,
    onUnsettled: (err) => logger.warn({ err }, 'The answer of a request was not kept'),
  });
  const { deadLetters, recoveries, sweep } = createRecovering({
    ...{ writer, store, lookups, refunds, stuck, sends, clock, logger, metrics },
  });
  const statuses = createStatuses({ writer, recoveries, onOtherCategory });
  const ingress = createIngress({ writer, statuses, deadLetters, lookups, links, clock });
  const deadLetterWork = createDeadLetterWork({ writer, store, ingress });
  const forwarding = {
    ...{ writer, outbound: callbacks, clock },
    onFault: (err: unknown) => logger.error({ err }, 'A message could not be forwarded'),
  };

  const authenticator = createAuthenticator({
    lookups,
    secrets,
    adminToken: settings.adminToken,
    onUse(keyId, at) {
      tenancy
        .noteKeyUse(keyId, at, { requestId: ids.uuid(), cause: 'key-use' })
        .catch((err) => logger.warn({ keyId, err }, 'The use of a key was not noted'));
    },
  });
  const upToDate = createUpToDate({
    ...{ store, reader, lists },
    onLate: (late, err) => logger.warn({ projections: late, err }, 'Read models are late'),
  });

  const routes = allRoutes({
    store,
    provider,
    upToDate,
    lookups,
    clock,
    secrets,
    notifications,
    batches,
    claims,
    freeWrites,
    audit: createAudit({ store, reader, account }),
    log: store,
    passThrough,
    stopping: stopping.signal,
    submissions,
    mirror,
    bots: createBots({ writer, lookups, repository, ids }),
    forwardUrls: createForwardUrls({ writer, outbound: callbacks }),
    numbers,
    tenancy,
    funds,
    balanceAt: createBalanceAt(store),
    deadLetters: deadLetterWork,
    projections: engine,
  });

  let reactors: RunningReactor[] = [];
  let duties: Duties | undefined;
  const { appSecret, verifyToken, trustProxyHops } = settings;
  const apps = createApps({
    ...{ clock, ids, logger, metrics, authenticator, routes, trustProxyHops },
    keyLimits: deps.keyLimits,
    addressLimits: deps.addressLimits,
    checkResponses: deps.checkResponses ?? false,
    ...(deps.bodyBudget && { bodyBudget: deps.bodyBudget }),
    answers: settings.api !== false,
    checks: healthChecks({
      ...{ store, views, engine },
      reactors: () => reactors,
      duties: () => duties,
    }),
    webhook: { ingress, appSecret, verifyToken },
    onStopping: () => stopping.abort(),
  });

  let following: Background | undefined;
  const onNumberUnread = (phoneNumberId: string, err: unknown) =>
    logger.warn({ phoneNumberId, err }, 'A number could not be read again');
  const startWorkers = (): Background[] => {
    const onFailure = (reactor: string, event: string, err: unknown) =>
      logger.warn({ reactor, event, err }, 'A reactor will try again');
    // Made anew: what a process does for others may end before the process does, and begin again.
    const deliveryRefunds = createDeliveryRefunds({
      ...{ store, refunds, stuck },
      onFailure: (err) => logger.warn({ err }, 'Failed deliveries cannot be refunded yet'),
    });
    const forwarder = createForwarder(forwarding);
    const botRuns = createRuns();
    const noticed = createNumberNotices({ numbers, clock, onUnread: onNumberUnread });
    const unlinkedRuns = createUnlinkedRuns({ writer, lookups });
    const all = [deliveryRefunds, forwarder, botRuns.reactor, noticed, unlinkedRuns];
    reactors = all.map((reactor) => runReactor(reactor, { store, onFailure }));
    const sweeping = every(SWEEP_EVERY_MS, async (signal) => {
      const refunded = await sweep.run(ids.uuid(), signal);
      if (refunded > 0) logger.info({ refunded }, 'Open reservations were given back');
    });
    const waking = every(BOTS_EVERY_MS, botRuns.wakeDue, (err) =>
      logger.warn({ err }, 'Waiting runs of bots could not be looked for'),
    );
    return [...reactors, sweeping, waking];
  };

  return {
    ...apps,
    async start() {
      const begun = followLog({ store, cache, logger });
      following = begun;
      await begun.started;
      if (!settings.worker) {
        const { ok, detail } = await views.health();
        if (!ok) logger.warn({ detail }, 'The read models cannot be reached: trying again');
        return;
      }
      const begin = startWorkers;
      duties = await startDuties({ coordination, engine, holder: ids.uuid(), begin, logger });
    },
    async stop() {
      await freeWrites.stop();
      await duties?.stop();
      await following?.stop();
      duties = following = undefined;
      await writer.drain();
      await engine.stop();
      await Promise.all([callbacks.close(), botCalls.close()]);
    },
  };
};
