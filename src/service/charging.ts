import { createAccountDecider } from '../commands/account/account.ts';
import { createFreeWrites, freeWriteBounds } from '../commands/account/free-writes.ts';
import { createRefunds } from '../commands/account/refunds.ts';
import { type AccountBounds, accountBounds } from '../commands/account/state.ts';
import { createStuckRefunds } from '../commands/account/stuck-refunds.ts';
import type { Writer } from '../commands/core/execute.ts';
import type { Lookups } from '../commands/core/lookups.ts';
import type { EventStore } from '../events/store.ts';
import type { Metrics } from '../http/ops/metrics.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';

/** Accounts with a label of their own in a counter; further accounts share the label `other`. */
const LABELS_MAX = 100;

const createLabels = () => {
  const known = new Set<string>();
  return (accountId: string): string => {
    if (known.size < LABELS_MAX) known.add(accountId);
    return known.has(accountId) ? accountId : 'other';
  };
};

export interface ChargingBounds {
  account?: Partial<AccountBounds>;
  /** Bytes of a megabyte of free writes, and bytes counted before the count is written to the log. */
  freeWrites?: { bytesPerMb: number; flushBytes: number };
}

/** Wires charges and refunds, with their metrics and log lines. */
export const createCharging = (deps: {
  writer: Writer;
  store: EventStore;
  lookups: Lookups;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  /** For tests: bounds that can be reached. */
  bounds: ChargingBounds | undefined;
}) => {
  const { writer, store, lookups, clock, logger, metrics, bounds } = deps;
  const account = createAccountDecider({ ...accountBounds, ...bounds?.account });
  const countReversal = metrics.counter(
    'waybill_reversed_sends_total',
    'Messages that went out uncharged because their callers hung up. After 100 in a UTC day the account is paused: `waybill account limits <account> --no-paused` resumes it',
    ['account'],
  );
  const labelOf = createLabels();
  const refunds = createRefunds({
    writer,
    account,
    store,
    lookups,
    clock,
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
    'Charges that cannot be given back, for a reason of their account',
    ['account'],
    () => [...stuck.counts()].map(([label, value]) => ({ labels: { account: label }, value })),
  );
  const countOtherCategory = metrics.counter(
    'waybill_other_category_total',
    'Messages that the provider bills in another category than was charged: check your templates',
    ['charged', 'billed'],
  );
  const onOtherCategory = (charged: string, billed: string) =>
    countOtherCategory({ charged, billed });
  const { bytesPerMb, flushBytes } = bounds?.freeWrites ?? freeWriteBounds;
  const freeWrites = createFreeWrites({
    writer,
    account,
    lookups,
    clock,
    bytesPerMb,
    flushBytes,
    onReached: (accountId, bytes) =>
      logger.warn(
        { accountId, bytes },
        'An account has reached its free writes to the log of today',
      ),
    onFailure: (accountId, err) =>
      logger.warn(
        { accountId, err },
        'The count of free writes of an account is not written to the log yet',
      ),
  });
  /** The part that a transmitter needs. */
  const charged = {
    account,
    refunds,
    bytesPerMb,
    onFree: freeWrites.count,
    onLeftOpen: (what: string, chargeId: string, err: unknown) =>
      logger.error(
        { what, chargeId, err },
        'The log could not be written: the sweep gives the charge back unless its message is recorded',
      ),
  };
  return { charged, freeWrites, account, refunds, stuck, onOtherCategory };
};
