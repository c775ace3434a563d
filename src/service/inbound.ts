import { createSweep } from '../commands/account/sweep.ts';
import { createDeadLetterWork } from '../commands/inbound/dead-letter-work.ts';
import type { DeadLetters } from '../commands/inbound/dead-letters.ts';
import { createIngress } from '../commands/inbound/ingress.ts';
import { createStatuses } from '../commands/inbound/statuses.ts';
import type { NumberLinks } from '../commands/numbers/number-links.ts';
import type { Recoveries } from '../commands/sending/recoveries.ts';
import type { ServiceDeps } from './deps.ts';
import type { Stores } from './stores.ts';

/** Wires what takes in the provider's items, and what settles interrupted sends. */
export const createInbound = (
  { clock, logger }: ServiceDeps,
  stores: Stores,
  { links, recoveries, kept }: { links: NumberLinks; recoveries: Recoveries; kept: DeadLetters },
) => {
  const { writer, contacts, store, lookups, subjects, secrets, refunds, stuck } = stores;
  const { onOtherCategory } = stores;
  const sweep = createSweep({ lookups, refunds, recoveries, clock, stuck });
  const statuses = createStatuses({
    writer,
    contacts,
    subjects,
    store,
    recoveries,
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
