import { type EventStore, type NewEvent, WrongRevision } from './store.ts';

export interface AppendListener {
  /**
   * Called with each appended event before `append` resolves, so that caches are invalidated before
   * the followed log delivers the event.
   */
  onEvent(event: NewEvent): void;
  /** Called with the time that a successful append took, in seconds. */
  onTime(seconds: number): void;
  /** Called when an append failed; `conflict`: another writer was first. */
  onFailure(reason: 'conflict' | 'failed'): void;
}

/** Tells a listener about each append. */
export const onAppended = (log: EventStore, listener: AppendListener): EventStore => ({
  ...log,
  async append(stream, expected, events) {
    const startedAt = performance.now();
    let appended: Awaited<ReturnType<EventStore['append']>>;
    try {
      appended = await log.append(stream, expected, events);
    } catch (error) {
      listener.onFailure(error instanceof WrongRevision ? 'conflict' : 'failed');
      throw error;
    }
    listener.onTime((performance.now() - startedAt) / 1000);
    for (const event of events) listener.onEvent(event);
    return appended;
  },
});
