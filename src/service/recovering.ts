import type { Refunds } from '../commands/account/refunds.ts';
import type { StuckRefunds } from '../commands/account/stuck-refunds.ts';
import { createSweep } from '../commands/account/sweep.ts';
import type { Writer } from '../commands/core/execute.ts';
import type { Lookups } from '../commands/core/lookups.ts';
import { createDeadLetters } from '../commands/inbound/dead-letters.ts';
import { tellOfDeadLetter } from '../commands/inbound/tell-of-dead-letter.ts';
import { createRecoveries } from '../commands/sending/recoveries.ts';
import type { SendsUnderWay } from '../commands/sending/sends-under-way.ts';
import type { EventStore } from '../events/store.ts';
import type { Metrics } from '../http/ops/metrics.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';

/** Wires what becomes of sends that broke off and of items that cannot be taken in. */
export const createRecovering = (deps: {
  writer: Writer;
  store: EventStore;
  lookups: Lookups;
  refunds: Refunds;
  stuck: StuckRefunds;
  sends: SendsUnderWay;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}) => {
  const { writer, store, lookups, refunds, stuck, sends, clock, logger, metrics } = deps;
  const count = metrics.counter(
    'waybill_dead_letters_total',
    'Items of the provider that could not be taken in, by field and reason',
    ['field', 'reason'],
  );
  const deadLetters = createDeadLetters({ writer, onKept: tellOfDeadLetter(logger, count) });
  const recoveries = createRecoveries({
    ...{ writer, store, refunds, lookups, sends, deadLetters, clock },
    onFault: (chargeId, err) =>
      logger.error({ chargeId, err }, 'Whose a charge is could not be decided: trying again'),
  });
  const sweep = createSweep({ lookups, refunds, recoveries, clock, stuck });
  return { deadLetters, recoveries, sweep };
};
