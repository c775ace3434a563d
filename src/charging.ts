import type { Clock } from './clock.ts';
import { createAccountDecider } from './commands/account.ts';
import { type AccountBounds, accountBounds } from './commands/accountstate.ts';
import type { Writer } from './commands/execute.ts';
import type { Lookups } from './commands/lookups.ts';
import { createRefunds } from './commands/refunds.ts';
import { createStuckRefunds } from './commands/stuck-refunds.ts';
import { createSweep } from './commands/sweep.ts';
import type { EventStore } from './events/store.ts';
import type { Metrics } from './http/metrics.ts';
import type { Logger } from './logger.ts';

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
  const refunds = createRefunds({ writer, account, store, lookups, clock });
  const stuck = createStuckRefunds(({ error: err, ...refund }) =>
    logger.error({ ...refund, err }, 'A charge of one account cannot be given back: trying again'),
  );
  metrics.gauge(
    'waybill_stuck_refunds',
    'Charges that cannot be given back for a reason of their account',
    ['account'],
    () => [...stuck.counts()].map(([label, value]) => ({ labels: { account: label }, value })),
  );
  return { account, refunds, stuck, sweep: createSweep({ lookups, refunds, clock, stuck }) };
};
