import type { EventStore, NewEvent } from './store.ts';

/**
 * The same log, for those who write: `note` hears of what was appended before its writer goes on,
 * who may ask for what that makes old before the followed log has come so far.
 */
export const withNotes = (log: EventStore, note: (event: NewEvent) => void): EventStore => ({
  ...log,
  async append(stream, expected, events) {
    const appended = await log.append(stream, expected, events);
    for (const event of events) note(event);
    return appended;
  },
});
