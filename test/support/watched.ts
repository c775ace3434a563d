import type { EventStore, NewEvent } from '../../src/events/store.ts';

/**
 * A log that counts: the sizes of its appends, and the streams that were read. `beforeAppend` may
 * delay an append, refuse it, or write something first.
 */
export const watched = (
  store: EventStore,
  beforeAppend: (events: readonly NewEvent[]) => unknown = () => undefined,
) => {
  const appends: number[] = [];
  const reads: string[] = [];
  const log: EventStore = {
    ...store,
    async append(stream, expected, events) {
      appends.push(events.length);
      await beforeAppend(events);
      return store.append(stream, expected, events);
    },
    async read(stream, options) {
      reads.push(stream);
      return store.read(stream, options);
    },
  };
  return { log, appends, reads };
};
