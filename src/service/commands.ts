import { createBalanceAt } from '../commands/account/balance.ts';
import { createFunds } from '../commands/account/funds.ts';
import { createBots } from '../commands/bots/definitions.ts';
import { noLeases } from '../commands/core/lease.ts';
import type { Outbound } from '../commands/core/outbound.ts';
import { createClaims } from '../commands/idempotency/idempotency.ts';
import { createForwardUrls } from '../commands/inbound/forward-url.ts';
import { createHandoffs } from '../commands/inbound/handoffs.ts';
import { createReadReceipts } from '../commands/inbound/read-receipts.ts';
import { createMedia } from '../commands/media/media.ts';
import { createNumberLinks } from '../commands/numbers/number-links.ts';
import { createNumbers } from '../commands/numbers/numbers.ts';
import { createSubmissions } from '../commands/templates/submission.ts';
import { createTenancy } from '../commands/tenancy/tenancy.ts';
import { createWebhooks } from '../commands/webhooks/webhooks.ts';
import { createDownloads } from '../net/download.ts';
import { createOutbound } from '../net/outbound.ts';
import { createSealing } from './books/sealing.ts';
import { createBotWork } from './bot-work.ts';
import type { ServiceDeps } from './deps.ts';
import { createInbound } from './inbound.ts';
import { createPrivacyWork } from './privacy/privacy.ts';
import { createSending } from './sending.ts';
import type { Stores } from './stores.ts';
import { tracedOutbound } from './tracing/traced-calls.ts';
import { createBodyOf } from './webhooks/webhook-bodies.ts';
import { createWebhookLookups } from './webhooks/webhook-lookups.ts';
import { holdLease } from './workers/process-lease.ts';

export type Commands = ReturnType<typeof createCommands>;

const monotonicMs = () => performance.now();

/** Of a process that takes requests and is one of several on the log. */
const createLease = ({ coordination, store, settings, bounds, clock, ids }: ServiceDeps) => {
  const { processes } = coordination;
  if (!processes || store.soleWriter || settings.api === false) return undefined;
  return holdLease({ processes, clock, ids, monotonicMs, renewEveryMs: bounds?.leaseRenewEveryMs });
};

/** Wires every use case over the stores. */
export const createCommands = (deps: ServiceDeps, stores: Stores) => {
  const { provider, clock, ids, logger, settings } = deps;
  const lease = createLease(deps);
  const { store, writer, lookups, secrets, subjects, account } = stores;
  const addresses = {
    exceptions: settings.forwardAllow ?? [],
    ...(deps.resolve && { resolve: deps.resolve }),
  };
  const traced = <T extends Outbound>(outbound: T, name: string): T =>
    deps.tracing ? tracedOutbound(outbound, deps.tracing, name) : outbound;
  const callbacks = traced(createOutbound({ ...addresses, plainHttp: 'listed' }), 'forward');
  const botCalls = traced(createOutbound({ ...addresses, plainHttp: 'any' }), 'bot request');
  const deliveries = traced(createOutbound({ ...addresses, plainHttp: 'listed' }), 'webhook');
  const webhookLookups = createWebhookLookups(stores);
  const downloads = createDownloads({
    ...addresses,
    ...(settings.providerUrl && { trustedOrigin: new URL(settings.providerUrl).origin }),
  });
  const links = createNumberLinks({ writer });
  const { kept, recoveries, recovery, ...sending } = createSending(deps, stores);
  const { mirror, passThrough, notifications, mayAct } = sending;
  const { repository, createRuns } = createBotWork({
    store,
    writer,
    subjects,
    lookups,
    links,
    clock,
    ids,
    logger,
    passThrough,
    notifications,
    mayAct,
    outbound: botCalls,
  });
  return {
    ...sending,
    ...createInbound(deps, stores, { links, recoveries, kept }),
    media: createMedia({
      writer,
      lookups,
      provider,
      secrets,
      freeWrites: stores.freeWrites,
      download: downloads.download,
    }),
    readReceipts: createReadReceipts({ writer, lookups, provider, secrets }),
    handoffs: createHandoffs({ writer, clock }),
    bots: createBots({ writer, lookups, repository, ids }),
    createRuns,
    numbers: createNumbers({ writer, lookups, provider, secrets }),
    submissions: createSubmissions({ writer, lookups, provider, mirror, secrets, clock }),
    privacy: createPrivacyWork(deps, stores),
    tenancy: createTenancy({
      writer,
      account,
      lookups,
      secrets,
      ids,
      clock,
      sessionsUpTo: lookups.sessionsUpTo,
    }),
    funds: createFunds({ writer, account, recovery, clock, ids }),
    balanceAt: createBalanceAt(store),
    claims: createClaims({
      writer,
      recovery,
      secrets,
      subjects,
      clock,
      ids,
      soleWriter: store.soleWriter,
      leases: lease ?? noLeases,
      monotonicMs,
      onFree: stores.freeWrites.count,
      onReplayed: stores.metrics.counter(
        'waybill_idempotent_replays_total',
        'Repeated requests that got the stored answer of an earlier one',
        [],
      ),
      onUnsettled: (err) => logger.warn({ err }, 'The answer of a request was not kept'),
    }),
    lease,
    sealing: createSealing(deps, stores, callbacks),
    callbacks,
    forwardUrls: createForwardUrls({ writer, outbound: callbacks }),
    deliveries,
    webhookLookups,
    bodyOf: createBodyOf(stores),
    webhooks: createWebhooks({
      writer,
      lookups: webhookLookups,
      outbound: deliveries,
      secrets,
      ids,
      clock,
    }),
    async closeConnections() {
      await Promise.all([callbacks, botCalls, deliveries, downloads].map((one) => one.close()));
    },
  };
};
