import type { EventStore } from './store.ts';

/** Calls `onTime` with the time of each read of a stream, in seconds. */
export const timedReads = (log: EventStore, onTime: (seconds: number) => void): EventStore => ({
  ...log,
  async read(stream, options) {
    const startedAt = performance.now();
    const events = await log.read(stream, options);
    onTime((performance.now() - startedAt) / 1000);
    return events;
  },
});
