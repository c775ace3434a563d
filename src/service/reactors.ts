import { createDeliveryRefunds } from '../commands/account/delivery-refunds.ts';
import { createUnlinkedRuns } from '../commands/bots/unlinked-runs.ts';
import { type Reactor, type RunningReactor, runReactor } from '../commands/core/reactor.ts';
import { createForwarder } from '../commands/inbound/forward.ts';
import { createNumberNotices } from '../commands/numbers/number-notices.ts';
import type { Emptying } from '../commands/privacy/erasing.ts';
import { createDelivering } from '../commands/webhooks/reactor.ts';
import { type Background, every } from './background.ts';
import type { Commands } from './commands.ts';
import type { ServiceDeps } from './deps.ts';
import { createEmptyingWork, createErasing } from './privacy.ts';
import type { Stores } from './stores.ts';

/** Pause between two sweeps of open reservations. */
const SWEEP_EVERY_MS = 60_000;
/** How late a delivery may notice that its time has come. */
const DELIVERIES_EVERY_MS = 100;
/** How late a bot may notice that the time of a run has come. */
const BOTS_EVERY_MS = 500;

/** A month ends on any instance's clock; nothing is destroyed late by more than this. */
const RETENTION_EVERY_MS = 3_600_000;

/** The erasures whose documents and files are not clean yet. */
export type Erasing = Pick<Emptying, 'unclean' | 'open'>;

const run = (
  reactor: Reactor,
  { logger }: ServiceDeps,
  { store }: Pick<Stores, 'store'>,
): RunningReactor => {
  const onFailure = (name: string, event: string, err: unknown) =>
    logger.warn({ reactor: name, event, err }, 'A reactor will try again');
  return runReactor(reactor, { store, onFailure });
};

/** Starts what follows from events and from time. Each start makes it anew: the lease may move. */
export const startReactors = (
  deps: ServiceDeps,
  stores: Stores,
  commands: Commands,
): { reactors: readonly RunningReactor[]; timers: readonly Background[] } => {
  const { clock, ids, logger } = deps;
  const { createRuns, numbers, callbacks, sweep, sealing } = commands;
  const { log, store, writer, subjects, lookups, refunds, stuck, secrets } = stores;
  const botRuns = createRuns();
  const erasing = createErasing(deps, stores);
  const delivering = createDelivering({
    ...{ writer, log, lookups, secrets, clock, random: Math.random },
    ...{ bodyOf: commands.bodyOf, outbound: commands.deliveries },
    webhooks: commands.webhookLookups,
    timeoutMs: deps.bounds?.webhookTimeoutMs,
    onFault: (err) => logger.error({ err }, 'A webhook could not be delivered'),
    onFailure: (err) => logger.warn({ err }, 'Deliveries of webhooks cannot be looked for yet'),
  });
  const all = [
    createDeliveryRefunds({
      ...{ store, refunds, stuck },
      onFailure: (err) => logger.warn({ err }, 'Failed deliveries cannot be refunded yet'),
    }),
    createForwarder({
      ...{ writer, subjects, outbound: callbacks, clock },
      onFault: (err) => logger.error({ err }, 'A message could not be forwarded'),
    }),
    botRuns.reactor,
    createNumberNotices({
      ...{ numbers, clock },
      onUnread: (phoneNumberId, err) =>
        logger.warn({ phoneNumberId, err }, 'A number could not be read again'),
    }),
    createUnlinkedRuns({ writer, lookups }),
    erasing.destroyer,
  ];
  const reactors = [
    ...all.map((reactor) => run(reactor, deps, stores)),
    run(delivering.reactor, deps, { store: log }),
  ];
  const sweeping = every(SWEEP_EVERY_MS, async (signal) => {
    const refunded = await sweep.run(ids.uuid(), signal);
    if (refunded > 0) logger.info({ refunded }, 'Open reservations were given back');
  });
  const waking = every(BOTS_EVERY_MS, botRuns.wakeDue, (err) =>
    logger.warn({ err }, 'Waiting runs of bots could not be looked for'),
  );
  const calling = every(DELIVERIES_EVERY_MS, async () => delivering.tick());
  const expiring = every(
    RETENTION_EVERY_MS,
    async (signal) => {
      const count = await erasing.retention.run(signal);
      if (count > 0) logger.info({ count }, 'Months of personal data have expired');
    },
    (err) => logger.warn({ err }, 'Expired months cannot be looked for'),
  );
  return { reactors, timers: [sweeping, waking, calling, expiring, sealing.start()] };
};

/** Starts what every process does that folds partitions of the read models. */
export const startEmptying = (
  deps: ServiceDeps,
  stores: Stores,
): { reactors: readonly RunningReactor[]; erasing: Erasing } => {
  const erasing = createEmptyingWork(deps, stores);
  return { reactors: [run(erasing, deps, stores)], erasing };
};
