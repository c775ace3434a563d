import {
  type EventStore,
  type Position,
  type Recorded,
  START,
  WrongRevision,
} from '../../src/events/store.ts';

export interface LogPart {
  /** Before the name of each stream. */
  prefix: string;
  /** Where the log ended when the part began. */
  base: Position;
}

/** A log within a log: what other services write to the same server is not seen. */
export const partOfLog = (store: EventStore, { prefix, base }: LogPart): EventStore => {
  const from = (position: Position) => (position === START ? base : position);
  const own = (events: readonly Recorded[]): Recorded[] =>
    events
      .filter(({ stream }) => stream.startsWith(prefix))
      .map((event) => ({ ...event, stream: event.stream.slice(prefix.length) }));
  return {
    ...store,
    append: (stream, expected, events) =>
      store.append(prefix + stream, expected, events).catch((error) => {
        throw error instanceof WrongRevision ? new WrongRevision(stream, expected) : error;
      }),
    read: async (stream, options) => own(await store.read(prefix + stream, options)),
    async readAll(position, limit, buckets) {
      let at = from(position);
      for (;;) {
        const { events, to } = await store.readAll(at, limit, buckets);
        const found = own(events);
        // A page of others alone is no end: a read passes over a bounded number of them.
        if (found.length > 0 || to <= at) return { events: found, to };
        at = to;
      }
    },
    async *follow(position, signal, types, buckets) {
      for await (const { events, to } of store.follow(from(position), signal, types, buckets)) {
        yield { events: own(events), to };
      }
    },
    loadSnapshot: (stream) => store.loadSnapshot(prefix + stream),
    saveSnapshot: (stream, snapshot, options) =>
      store.saveSnapshot(prefix + stream, snapshot, options),
  };
};
