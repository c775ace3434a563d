import type { EventStore, Position } from '../../src/events/store.ts';

/**
 * A log whose newest event of ours is at `head`, and which ends with so many events of others, as seen by
 * one process. Nothing is written to it any more.
 */
export const withOthersAfter = (store: EventStore, head: Position, count: number): EventStore => {
  const end = String(Number(head) + count).padStart(head.length, '0');
  return {
    ...store,
    end: async () => end,
    readAll: async (position, limit) => {
      if (position >= head) return { events: [], to: end };
      return store.readAll(position, limit);
    },
    async *follow(position, signal, ...wanted) {
      let at = position;
      for await (const batch of store.follow(at < head ? at : head, signal, ...wanted)) {
        yield batch.to > at ? batch : { events: [], to: at };
        if (batch.to > at) at = batch.to;
        if (at < head || at >= end) continue;
        at = end;
        yield { events: [], to: end };
      }
    },
  };
};
