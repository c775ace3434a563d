import type { EventStore, NewEvent } from './store.ts';

/**
 * The same log, which calls `listener` with each appended event before `append` resolves. Caches
 * learn in this way what is outdated, before the followed log delivers the event.
 */
export const onAppended = (log: EventStore, listener: (event: NewEvent) => void): EventStore => ({
  ...log,
  async append(stream, expected, events) {
    const appended = await log.append(stream, expected, events);
    for (const event of events) listener(event);
    return appended;
  },
});
