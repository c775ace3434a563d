import { createBalanceAt, createFunds } from '../commands/account/funds.ts';
import { createSweep } from '../commands/account/sweep.ts';
import { createActions } from '../commands/bots/actions.ts';
import { createBotRepository } from '../commands/bots/bot.ts';
import { createBotRuns } from '../commands/bots/bot-runs.ts';
import { createBots } from '../commands/bots/definitions.ts';
import { createCare } from '../commands/care/care.ts';
import { createQuickReplies } from '../commands/care/quick-replies.ts';
import type { Subjects } from '../commands/contacts/subjects.ts';
import type { Writer } from '../commands/core/execute.ts';
import { noLeases } from '../commands/core/lease.ts';
import type { Lookups } from '../commands/core/lookups.ts';
import type { Outbound } from '../commands/core/outbound.ts';
import { createClaimedRuns } from '../commands/idempotency/claimed-runs.ts';
import { createIdempotency } from '../commands/idempotency/idempotency.ts';
import { createDeadLetterWork } from '../commands/inbound/dead-letter-work.ts';
import {
  createDeadLetters,
  type DeadLetters,
  tellOfDeadLetter,
} from '../commands/inbound/dead-letters.ts';
import { createForwardUrls } from '../commands/inbound/forward-url.ts';
import { createHandoffs } from '../commands/inbound/handoffs.ts';
import { createIngress } from '../commands/inbound/ingress.ts';
import { createReadReceipts } from '../commands/inbound/read-receipts.ts';
import { createStatusUpdates } from '../commands/inbound/status-updates.ts';
import { createJobs, createJobWrites } from '../commands/jobs/jobs.ts';
import { createJobRuns } from '../commands/jobs/run-jobs.ts';
import { createMedia } from '../commands/media/media.ts';
import {
  createNumberLinks,
  type NumberHolders,
  type NumberLinks,
} from '../commands/numbers/number-links.ts';
import { createNumbers } from '../commands/numbers/numbers.ts';
import { createPeople } from '../commands/people/people.ts';
import { createBatches } from '../commands/sending/batch.ts';
import { createDirectSends } from '../commands/sending/direct.ts';
import { createNotifications, type Notifications } from '../commands/sending/notification.ts';
import { createPassThrough, type PassThrough } from '../commands/sending/pass-through.ts';
import { createQuotes } from '../commands/sending/quote.ts';
import { createRecovery, type Recovery } from '../commands/sending/recovery.ts';
import { createRefusals } from '../commands/sending/refusals.ts';
import { createSchedules } from '../commands/sending/schedules.ts';
import { createTransmitter } from '../commands/sending/send.ts';
import { createSendsUnderWay, type SendsUnderWay } from '../commands/sending/sends-under-way.ts';
import { createMirror } from '../commands/templates/mirror.ts';
import { createSubmissions } from '../commands/templates/submission.ts';
import { createApprovals } from '../commands/tenancy/approvals.ts';
import { createTenancy } from '../commands/tenancy/tenancy.ts';
import { createWebhooks } from '../commands/webhooks/webhooks.ts';
import type { EventStore } from '../events/store.ts';
import { createDownloads } from '../net/download.ts';
import { createOutbound } from '../net/outbound.ts';
import type { Clock, Ids } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import { createPasswords } from '../shared/passwords.ts';
import { keyStands } from './authenticator.ts';
import { createSealing } from './books/sealing.ts';
import type { ServiceDeps } from './deps.ts';
import { observeSends } from './health/observe-writes.ts';
import { createJobLookups } from './lookups/job-lookups.ts';
import { createScheduledLookups } from './lookups/scheduled.ts';
import { createPrivacyWork } from './privacy/privacy.ts';
import type { Stores } from './stores.ts';
import { tracedOutbound } from './tracing/traced-calls.ts';
import { createBodyOf } from './webhooks/webhook-bodies.ts';
import { createWebhookLookups } from './webhooks/webhook-lookups.ts';
import { holdLease } from './workers/process-lease.ts';

/** Wires what brings the messages of interrupted sends and their charges together again. */
const createRecovering = ({ logger }: ServiceDeps, stores: Stores, sends: SendsUnderWay) => {
  const { writer, contacts, subjects, store, lookups, secrets, refunds, metrics } = stores;
  const count = metrics.counter(
    'waybill_dead_letters_total',
    'Items of the provider that could not be processed, by field and reason',
    ['field', 'reason'],
  );
  const kept = createDeadLetters({
    writer,
    lookups,
    subjects,
    secrets,
    onKept: tellOfDeadLetter(logger, count),
  });
  const recovery = createRecovery({
    writer,
    contacts,
    subjects,
    store,
    refunds,
    lookups,
    sends,
    deadLetters: kept,
    onFault: (chargeId, err) =>
      logger.error({ chargeId, err }, 'The account of a charge could not be decided: trying again'),
  });
  return { kept, recovery };
};

/** Wires what sends messages. */
const createSending = (deps: ServiceDeps, stores: Stores) => {
  const { provider, clock, logger, settings } = deps;
  const { store, writer, contacts, subjects, lookups, secrets, charged } = stores;
  const { soleWriter } = store;
  const { providerTimeoutMs } = settings;
  const monotonicMs = () => performance.now();
  const sends = createSendsUnderWay({ clock, monotonicMs, soleWriter, providerTimeoutMs });
  const { kept, recovery } = createRecovering(deps, stores, sends);
  const { refundOpen } = recovery;
  const runs = createClaimedRuns({ store, lookups, refundOpen });
  const mirror = createMirror({
    writer,
    provider,
    lookups,
    clock,
    onUnreadable: (err) => logger.warn({ err }, 'Templates could not be read live'),
  });
  const refusals = createRefusals({
    afterMs: deps.bounds?.refusalsAfterMs,
    writer,
    account: stores.account,
    subjects,
    freeWrites: stores.freeWrites,
    clock,
    onFailure: (accountId, err) =>
      logger.warn({ accountId, err }, 'Refused sends were not counted'),
  });
  const transmitter = createTransmitter({
    writer,
    contacts,
    subjects,
    lookups,
    provider,
    runs,
    sends,
    secrets,
    clock,
    account: charged.account,
    refunds: charged.refunds,
    bytesPerMb: charged.bytesPerMb,
    onFree: charged.onFree,
    onLeftOpen: charged.onLeftOpen,
    // Counted once, though the answer of a request may tell of the same refusal.
    onRefused: refusals.note,
    onOutcome: observeSends(stores.metrics),
  });
  const directSends = createDirectSends({ lookups, writer, transmitter, clock });
  const sending = { lookups, contacts, mirror, provider, transmitter, directSends, secrets, clock };
  const notifications = createNotifications(sending);
  const passThrough = createPassThrough(sending);
  const { bytesPerMb } = charged;
  const quotes = createQuotes({ ...sending, writer, account: stores.account, bytesPerMb });
  const mayAct = async (accountId: string) => {
    const account = await lookups.account(accountId);
    const organisation = account && (await lookups.organisation(account.organisationId));
    return organisation?.suspended === false;
  };
  const scheduledLookups = createScheduledLookups(stores);
  const schedules = createSchedules({
    writer,
    lookups,
    scheduled: scheduledLookups,
    contacts,
    runs,
    subjects,
    freeWrites: stores.freeWrites,
    clock,
    ids: deps.ids,
    waitingMax: deps.bounds?.waitingMax,
  });
  const batches = createBatches({
    notifications,
    schedules,
    clock,
    monotonicMs,
    async mayGoOn({ accountId, keyId }) {
      const key = await lookups.key(keyId);
      const stands = key
        ? keyStands(key, clock.now())
        : (await lookups.person(keyId))?.state === 'active';
      return stands && (await mayAct(accountId));
    },
    onFault: (err) => logger.error({ err }, 'A recipient of a batch failed unexpectedly'),
  });
  return {
    stopSends: sends.stop,
    kept,
    recovery,
    runs,
    mirror,
    notifications,
    passThrough,
    schedules,
    scheduledLookups,
    batches,
    quotes,
    mayAct,
    refusals,
  };
};

/** Wires what takes in the provider's items, and what settles interrupted sends. */
const createInbound = (
  { clock, logger }: ServiceDeps,
  stores: Stores,
  {
    links,
    recovery,
    kept,
  }: { links: NumberLinks & NumberHolders; recovery: Recovery; kept: DeadLetters },
) => {
  const { writer, contacts, store, lookups, subjects, secrets, refunds, stuck } = stores;
  const { onOtherCategory } = stores;
  const sweep = createSweep({ lookups, refunds, recovery, clock, stuck });
  const statuses = createStatusUpdates({
    writer,
    contacts,
    subjects,
    links,
    store,
    recovery,
    onOtherCategory,
  });
  const ingress = createIngress({
    writer,
    contacts,
    subjects,
    statuses,
    secrets,
    deadLetters: kept,
    lookups,
    links,
    clock,
  });
  const deadLetters = createDeadLetterWork({
    writer,
    lookups,
    store,
    ingress,
    onFault: (deadLetterId, err) =>
      logger.error({ deadLetterId, err }, 'A dead letter could not be taken in again'),
  });
  return { sweep, ingress, deadLetters };
};

/** Wires the bots. */
const createBotWork = (deps: {
  store: EventStore;
  writer: Writer;
  subjects: Subjects;
  lookups: Lookups;
  links: NumberLinks & NumberHolders;
  passThrough: PassThrough;
  notifications: Notifications;
  outbound: Pick<Outbound, 'request'>;
  mayAct: (accountId: string) => Promise<boolean>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}) => {
  const { logger, ...rest } = deps;
  const onFault = (err: unknown) => logger.error({ err }, 'A bot failed unexpectedly');
  const repository = createBotRepository(deps);
  const act = createActions({ ...rest, onFault });
  return {
    repository,
    /** Called at each start of the reactors: the lease may move and come back. */
    createRuns: (isCurrent: () => boolean) =>
      createBotRuns({
        ...rest,
        repository,
        act,
        isCurrent,
        onFault,
        onLookFailed: (err) =>
          logger.warn({ err }, 'Waiting runs of bots cannot be looked for yet'),
        onBound: ({ runId, botId, accountId, detail }) =>
          logger.warn({ runId, botId, accountId, detail }, 'A bound ended the run of a bot'),
        onLag: (accountId, lags) =>
          logger.warn(
            { accountId },
            lags ? 'Bots of an account lag behind' : 'Bots have caught up',
          ),
      }),
  };
};

export type Commands = ReturnType<typeof createCommands>;

const monotonicMs = () => performance.now();

/** Of a process that is one of several on the log: what it sends under a key names it. */
const createLease = ({ coordination, store, bounds, clock, ids }: ServiceDeps) => {
  const { processes } = coordination;
  if (!processes || store.soleWriter) return undefined;
  return holdLease({ processes, clock, ids, monotonicMs, renewEveryMs: bounds?.leaseRenewEveryMs });
};

/** Wires every use case over the stores. */
export const createCommands = (deps: ServiceDeps, stores: Stores) => {
  const { provider, clock, ids, logger, settings } = deps;
  const lease = createLease(deps);
  const { store, writer, lookups, secrets, subjects, account } = stores;
  const addresses = {
    exceptions: settings.forwardAllow,
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
    trustedOrigin: new URL(settings.providerUrl).origin,
  });
  const links = createNumberLinks({ writer });
  const passwords = createPasswords(deps.passwordCost);
  const { kept, recovery, runs, ...sending } = createSending(deps, stores);
  const { mirror, passThrough, notifications, mayAct, quotes } = sending;
  const idempotency = createIdempotency({
    writer,
    runs,
    secrets,
    subjects,
    clock,
    ids,
    soleWriter: store.soleWriter,
    leases: lease ?? noLeases,
    monotonicMs,
    freeWrites: stores.freeWrites,
    onReplayed: stores.metrics.counter(
      'waybill_idempotent_replays_total',
      'Repeated requests that got the stored answer of an earlier one',
      [],
    ),
    onUnsettled: (err) => logger.warn({ err }, 'The answer of a request was not kept'),
  });
  const jobLookups = createJobLookups(stores);
  const writeJob = createJobWrites(writer, stores.freeWrites);
  const checkedBy = store.soleWriter ? clock.now() : 0;
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
    runs,
    ...createInbound(deps, stores, { links, recovery, kept }),
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
    care: createCare({ writer, subjects, ids }),
    quickReplies: createQuickReplies({ writer, ids }),
    bots: createBots({ writer, lookups, repository, ids }),
    botDraft: repository.draft,
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
      keyKind: deps.demoSecrets ? 'test' : 'live',
    }),
    passwords,
    approvals: createApprovals({ writer, subjects, clock, ids }),
    people: createPeople({
      writer,
      subjects,
      accountsOf: lookups.accountsOf,
      passwords,
      clock,
      ids,
    }),
    funds: createFunds({ writer, account, runs, clock, ids }),
    balanceAt: createBalanceAt(store),
    idempotency,
    jobLookups,
    jobs: createJobs({
      writer,
      execute: writeJob,
      subjects,
      quotes,
      freeWrites: stores.freeWrites,
      waiting: jobLookups.waiting,
      clock,
      ids,
      fileBounds: deps.bounds?.jobFiles,
    }),
    /** Called at each start of the reactors, as `createRuns` is. */
    createJobRuns: (isCurrent: () => boolean) =>
      createJobRuns({
        writer,
        execute: writeJob,
        store,
        lookups,
        jobs: jobLookups.runs,
        idempotency,
        runs,
        notifications,
        subjects,
        defaultsOf: lookups.defaultsOf,
        mayAct,
        clock,
        isCurrent,
        checkedBy,
        onFault: (err, jobId) => logger.error({ jobId, err }, 'A job failed unexpectedly'),
        onFailure: (err) => logger.warn({ err }, 'Jobs cannot be looked for yet'),
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
