import {
  createEmptying,
  createKeyDestroyer,
  type Emptying,
} from '../../commands/privacy/erasing.ts';
import { createPrivacy } from '../../commands/privacy/privacy.ts';
import { createRetentionDuty } from '../../commands/privacy/retention-duty.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Stores } from '../stores.ts';
import { createFindJoined, createFindSubjects } from './find-subjects.ts';
import { createCountHeld } from './held-data.ts';
import { createRetained } from './retained.ts';

/** Months for which items of the provider are kept that belong to no account, unless it is set. */
const DEAD_LETTER_MONTHS = 3;

/** Wires the commands for personal data. */
export const createPrivacyWork = ({ ids }: ServiceDeps, stores: Stores) => {
  const { writer, lookups, store, reader, keys, subjects } = stores;
  const findSubjects = createFindSubjects({ store, reader, keys, subjects });
  return createPrivacy({ writer, lookups, findSubjects, ids });
};

/**
 * Empties the documents of this process's partitions, and waits for those of the others. So every
 * process runs it that folds some. Made anew at each start.
 */
export const createEmptyingWork = ({ logger }: ServiceDeps, stores: Stores): Emptying => {
  const { writer, log, reader, engine, keys } = stores;
  return createEmptying({
    writer,
    keys,
    sweeper: engine,
    count: createCountHeld({ log, reader }),
    onUnclean(err) {
      logger.warn({ err }, 'Files with erased data cannot be cleaned yet');
    },
  });
};

/** Wires what follows from the commands, in one process. Made anew at each start of the reactors. */
export const createErasing = (deps: ServiceDeps, stores: Stores) => {
  const { clock, ids, settings } = deps;
  const { writer, log, store, reader, keys, subjects } = stores;
  const memory = subjects.ring;
  const { deadLetterRetentionMonths = DEAD_LETTER_MONTHS } = settings;
  const retention = createRetentionDuty({
    writer,
    keys,
    memory,
    clock,
    ids,
    retained: createRetained({ store, reader }, deadLetterRetentionMonths),
    monotonicMs: () => performance.now(),
  });
  const findJoined = createFindJoined({ log, reader });
  const destroyer = createKeyDestroyer({ writer, keys, memory, findJoined });
  return { destroyer, retention };
};
