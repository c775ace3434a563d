import { createSweep } from '../commands/account/sweep.ts';
import { createDeadLetterWork } from '../commands/inbound/dead-letter-work.ts';
import { createDeadLetters } from '../commands/inbound/dead-letters.ts';
import { createIngress } from '../commands/inbound/ingress.ts';
import { createStatuses } from '../commands/inbound/statuses.ts';
import { tellOfDeadLetter } from '../commands/inbound/tell-of-dead-letter.ts';
import type { NumberLinks } from '../commands/numbers/number-links.ts';
import { createRecoveries } from '../commands/sending/recoveries.ts';
import type { SendsUnderWay } from '../commands/sending/sends-under-way.ts';
import type { ServiceDeps } from './deps.ts';
import type { Stores } from './stores.ts';

/** Wires what takes in the provider's items, and what settles interrupted sends. */
export const createInbound = (
  { clock, logger }: ServiceDeps,
  stores: Stores,
  { links, sends }: { links: NumberLinks; sends: SendsUnderWay },
) => {
  const { writer, contacts, store, lookups, subjects, secrets, refunds, stuck } = stores;
  const { metrics, onOtherCategory } = stores;
  const count = metrics.counter(
    'waybill_dead_letters_total',
    'Items of the provider that could not be taken in, by field and reason',
    ['field', 'reason'],
  );
  const kept = createDeadLetters({
    ...{ writer, lookups, subjects, secrets },
    onKept: tellOfDeadLetter(logger, count),
  });
  const recoveries = createRecoveries({
    ...{ writer, contacts, subjects, store, refunds, lookups, sends, deadLetters: kept, clock },
    onFault: (chargeId, err) =>
      logger.error({ chargeId, err }, 'The account of a charge could not be decided: trying again'),
  });
  const sweep = createSweep({ lookups, refunds, recoveries, clock, stuck });
  const statuses = createStatuses({
    ...{ writer, contacts, subjects, store, recoveries },
    onOtherCategory,
  });
  const ingress = createIngress({
    ...{ writer, contacts, subjects, statuses, secrets, deadLetters: kept, lookups, links, clock },
  });
  const deadLetters = createDeadLetterWork({
    ...{ writer, lookups, store, ingress },
    onFault: (deadLetterId, err) =>
      logger.error({ deadLetterId, err }, 'A dead letter could not be taken in again'),
  });
  return { sweep, ingress, deadLetters };
};
