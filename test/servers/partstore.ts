import {
  type EventStoreDbOptions,
  type EventStoreDbStore,
  openEventStoreDb as openWhole,
} from '../../src/events/eventstoredb/store.ts';
import { partOfLog } from '../support/part-of-log.ts';

/** The part of the server's log that the environment names. */
export const openEventStoreDb = async (
  options: EventStoreDbOptions,
): Promise<EventStoreDbStore> => {
  const { TEST_LOG_PREFIX: prefix = '', TEST_LOG_BASE: base = '', TEST_LOG_LIMITS } = process.env;
  const whole = await openWhole({ ...options, ...JSON.parse(TEST_LOG_LIMITS ?? '{}') });
  return { ...partOfLog(whole, { prefix, base }), stats: whole.stats };
};
