import type { EventStore, NewEvent } from './store.ts';

/**
 * Calls `listener` with each appended event before `append` resolves, so that caches are invalidated
 * before the followed log delivers the event.
 */
export const onAppended = (log: EventStore, listener: (event: NewEvent) => void): EventStore => ({
  ...log,
  async append(stream, expected, events) {
    const appended = await log.append(stream, expected, events);
    for (const event of events) listener(event);
    return appended;
  },
});
