import type { Clock } from './clock.ts';
import { createAccountDecider } from './commands/account.ts';
import { type AccountBounds, accountBounds } from './commands/accountstate.ts';
import type { Writer } from './commands/execute.ts';
import type { Lookups } from './commands/lookups.ts';
import { createRefunds } from './commands/refunds.ts';
import { createStuckRefunds } from './commands/stuck-refunds.ts';
import type { EventStore } from './events/store.ts';
import type { Metrics } from './http/metrics.ts';
import type { Logger } from './logger.ts';

/** Accounts that a counter tells apart; the rest are counted together as `other`. */
const LABELS_MAX = 100;

const createLabels = () => {
  const known = new Set<string>();
  return (accountId: string): string => {
    if (known.size < LABELS_MAX) known.add(accountId);
    return known.has(accountId) ? accountId : 'other';
  };
};

/** Wires what charges accounts and gives back, with what tells the operator of it. */
export const createCharging = (deps: {
  writer: Writer;
  store: EventStore;
  lookups: Lookups;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  /** For tests: smaller bounds than those of `accountBounds`. */
  bounds: { account?: Partial<AccountBounds> } | undefined;
}) => {
  const { writer, store, lookups, clock, logger, metrics, bounds } = deps;
  const account = createAccountDecider({ ...accountBounds, ...bounds?.account });
  const countReversal = metrics.counter(
    'waybill_reversed_sends_total',
    'Messages that went out and were not charged, because their callers had hung up',
    ['account'],
  );
  const labelOf = createLabels();
  const refunds = createRefunds({
    ...{ writer, account, store, lookups, clock },
    onReversed(accountId, chargeId) {
      countReversal({ account: labelOf(accountId) });
      logger.info({ accountId, chargeId }, 'A caller hung up, and its message was not charged');
    },
    onPaused: (paused) =>
      logger.warn(paused, 'An account was paused: its callers hang up after the message went out'),
  });
  const stuck = createStuckRefunds(({ error: err, ...refund }) =>
    logger.error({ ...refund, err }, 'A charge of one account cannot be given back: trying again'),
  );
  metrics.gauge(
    'waybill_stuck_refunds',
    'Charges that cannot be given back for a reason of their account',
    ['account'],
    () => [...stuck.counts()].map(([label, value]) => ({ labels: { account: label }, value })),
  );
  const countOtherCategory = metrics.counter(
    'waybill_other_category_total',
    'Messages of which the provider names another category in a status than was charged',
    ['charged', 'billed'],
  );
  const onOtherCategory = (charged: string, billed: string) =>
    countOtherCategory({ charged, billed });
  return { account, refunds, stuck, onOtherCategory };
};
