import { createDeliveryRefunds } from '../../commands/account/delivery-refunds.ts';
import { createUnlinkedRuns } from '../../commands/bots/unlinked-runs.ts';
import { type ReactorShare, runReactor } from '../../commands/core/reactor.ts';
import { createForwarder } from '../../commands/inbound/forward.ts';
import { createNumberNotices } from '../../commands/numbers/number-notices.ts';
import type { Emptying } from '../../commands/privacy/erasing.ts';
import { createScheduledSends } from '../../commands/sending/send-scheduled.ts';
import { createDelivering } from '../../commands/webhooks/reactor.ts';
import { isoTime } from '../../shared/clock.ts';
import { retry } from '../../shared/retry.ts';
import type { Commands } from '../commands.ts';
import type { ServiceDeps } from '../deps.ts';
import { createEmptyingWork, createErasing } from '../privacy/privacy.ts';
import type { Stores } from '../stores.ts';
import { every } from './background.ts';
import type { SharedReactors, Started } from './work.ts';

/** Pause between two sweeps: of open reservations, and of dead letters that no decision waits for. */
const SWEEP_EVERY_MS = 60_000;
/** How late what waits may notice that its time has come. */
const DUE_EVERY_MS = 100;

/** How late a backup may notice that its time has come. */
const BACKUP_EVERY_MS = 1_000;

/** How late an expired session leaves the read models. */
const SESSIONS_EVERY_MS = 60_000;

/** How late a number that has fallen silent is seen. */
const WATCH_EVERY_MS = 60_000;

/** A month ends on any instance's clock; nothing is destroyed late by more than this. */
const RETENTION_EVERY_MS = 3_600_000;
/** Pauses before it is tried again where that failed. */
const RETENTION_DELAYS = { minMs: 1_000, maxMs: 300_000 };

/** The erasures whose documents and files are not clean yet. */
export type Erasing = Pick<Emptying, 'unclean' | 'open'>;

const optionsOf = ({ logger }: ServiceDeps) => ({
  onFailure: (name: string, event: string, err: unknown) =>
    logger.warn({ reactor: name, event, err }, 'A reactor will try again'),
});

/** Those whose work is split by account, or by number where the number's account does not matter. */
const createShared = (
  deps: ServiceDeps,
  stores: Stores,
  commands: Commands,
  of: { isCurrent: () => boolean },
) => {
  const { clock, logger } = deps;
  const { createRuns, createJobRuns, numbers, callbacks } = commands;
  const jobRuns = createJobRuns(of.isCurrent);
  const { log, store, writer, subjects, lookups, refunds, stuck, secrets, freeWrites } = stores;
  const botRuns = createRuns(of.isCurrent);
  const delivering = createDelivering({
    writer,
    log,
    lookups,
    secrets,
    subjects,
    freeWrites,
    clock,
    random: Math.random,
    bodyOf: commands.bodyOf,
    outbound: commands.deliveries,
    webhooks: commands.webhookLookups,
    isCurrent: of.isCurrent,
    timeoutMs: deps.bounds?.webhookTimeoutMs,
    onFault: (err) => logger.error({ err }, 'A webhook could not be delivered'),
    onFailure: (err) => logger.warn({ err }, 'Deliveries of webhooks cannot be looked for yet'),
  });
  const scheduled = createScheduledSends({
    writer,
    lookups,
    subjects,
    freeWrites,
    clock,
    scheduled: commands.scheduledLookups,
    attempt: commands.idempotency.attempt,
    runs: commands.runs,
    notifications: commands.notifications,
    passThrough: commands.passThrough,
    defaultsOf: lookups.defaultsOf,
    mayAct: commands.mayAct,
    isCurrent: of.isCurrent,
    onFault: (err) => logger.error({ err }, 'A scheduled send failed unexpectedly'),
    onFailure: (err) => logger.warn({ err }, 'Scheduled sends cannot be looked for yet'),
  });
  const opened = [
    createDeliveryRefunds({
      store,
      refunds,
      stuck,
      onFailure: (err) => logger.warn({ err }, 'Failed deliveries cannot be refunded yet'),
    }),
    createForwarder({
      writer,
      subjects,
      outbound: callbacks,
      clock,
      onFault: (err) => logger.error({ err }, 'A message could not be forwarded'),
    }),
    botRuns.reactor,
    createNumberNotices({
      numbers,
      clock,
      onUnread: (phoneNumberId, err) =>
        logger.warn({ phoneNumberId, err }, 'A number could not be read again'),
    }),
    createUnlinkedRuns({ writer, lookups }),
    scheduled.reactor,
    jobRuns.reactor,
  ];
  return { opened, botRuns, jobRuns, delivering, scheduled };
};

/**
 * Starts the reactors of some partitions. Each start makes new ones. They stop handling events once
 * `isCurrent` says that another process may have the partitions.
 */
export const startShared = (
  deps: ServiceDeps,
  stores: Stores,
  commands: Commands,
  share: ReactorShare & { isCurrent: () => boolean },
): SharedReactors => {
  const { isCurrent } = share;
  const { opened, botRuns, jobRuns, delivering, scheduled } = createShared(
    deps,
    stores,
    commands,
    share,
  );
  const options = { ...optionsOf(deps), isCurrent };
  const reactors = [
    ...opened.map((one) => runReactor(one, { ...options, store: stores.store }, share)),
    runReactor(delivering.reactor, { ...options, store: stores.log }, share),
  ];
  const ticking = every(DUE_EVERY_MS, async () => {
    botRuns.tick();
    delivering.tick();
    scheduled.tick();
    jobRuns.tick();
  });
  return {
    reactors,
    timers: [ticking],
    add(partitions) {
      for (const one of reactors) one.add(partitions);
    },
  };
};

/**
 * Starts what one process does for all: what falls due by time, and the destruction of keys, whose
 * order is that of one stream. Each start makes a new one: the lease may move.
 */
export const startDuties = (
  deps: ServiceDeps,
  stores: Stores,
  { sweep, deadLetters, sealing, tenancy, jobs, jobLookups }: Commands,
): Started => {
  const { ids, logger } = deps;
  const erasing = createErasing(deps, stores);
  const { store } = stores;
  const reactors = [runReactor(erasing.destroyer, { ...optionsOf(deps), store })];
  const told = (what: string) => (err: unknown) => logger.warn({ err }, what);
  const sweepOnce = async (signal: AbortSignal) => {
    const refunded = await sweep.run(ids.uuid(), signal);
    if (refunded > 0) logger.info({ refunded }, 'Open reservations were given back');
  };
  const takeInOnce = async (signal: AbortSignal) => {
    const takenIn = await deadLetters.retryBehind({ requestId: ids.uuid() }, signal);
    if (takenIn > 0) logger.info({ takenIn }, 'Dead letters of late read models were taken in');
  };
  const sweeping = every(SWEEP_EVERY_MS, sweepOnce, told('Open reservations cannot be swept'));
  const takingIn = every(SWEEP_EVERY_MS, takeInOnce, told('Dead letters cannot be taken in again'));
  // A service that has just started may have to wait for its read models.
  const hourly = (work: (signal: AbortSignal) => Promise<void>, failure: string) =>
    every(RETENTION_EVERY_MS, (signal) =>
      retry(() => work(signal), { delays: RETENTION_DELAYS, signal, onFailure: told(failure) }),
    );
  const expireOnce = async (signal: AbortSignal) => {
    const count = await erasing.retention.run(signal);
    if (count > 0) logger.info({ count }, 'Months of personal data have expired');
  };
  const destroyFiles = async () => {
    const expired = await jobLookups.expiredFiles(isoTime(deps.clock.now()));
    for (const one of expired) await jobs.destroyFile(one);
    if (expired.length > 0) logger.info({ count: expired.length }, 'Files of jobs were destroyed');
  };
  const expiring = hourly(expireOnce, 'Expired months cannot be looked for');
  const emptying = hourly(destroyFiles, 'Files of jobs cannot be destroyed');
  const forgetting = every(
    SESSIONS_EVERY_MS,
    tenancy.expireSessions,
    told('Expired sessions cannot be looked for'),
  );
  const watching = every(
    WATCH_EVERY_MS,
    stores.numberWatch.look,
    told('Silent numbers cannot be looked for'),
  );
  const once = [sweeping, takingIn, expiring, emptying, forgetting, watching];
  const timers = [...once, sealing.start()];
  if (deps.backups) timers.push(every(BACKUP_EVERY_MS, deps.backups.tick));
  return { reactors, timers };
};

/** Starts what every process does that folds partitions of the read models. */
export const startEmptying = (
  deps: ServiceDeps,
  stores: Stores,
): Started & { erasing: Erasing } => {
  const erasing = createEmptyingWork(deps, stores);
  const { store } = stores;
  const reactors = [runReactor(erasing, { ...optionsOf(deps), store })];
  return { reactors, timers: [], erasing };
};
