import {
  type BareEvent,
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
  const ownBare = (events: readonly BareEvent[]): BareEvent[] =>
    events.flatMap(({ event, ...bare }) => {
      if (!bare.stream.startsWith(prefix)) return [];
      const stream = bare.stream.slice(prefix.length);
      return [{ ...bare, stream, ...(event && { event: { ...event, stream } }) }];
    });
  /** A page of others alone is no end: a read passes over a bounded number of them. */
  const page = async <T>(
    position: Position,
    ours: (events: readonly T[]) => T[],
    read: (at: Position) => Promise<{ events: T[]; to: Position }>,
  ): Promise<{ events: T[]; to: Position }> => {
    let at = from(position);
    for (;;) {
      const { events, to } = await read(at);
      const found = ours(events);
      if (found.length > 0 || to <= at) return { events: found, to };
      at = to;
    }
  };
  return {
    ...store,
    append: (stream, expected, events) =>
      store.append(prefix + stream, expected, events).catch((error) => {
        throw error instanceof WrongRevision ? new WrongRevision(stream, expected) : error;
      }),
    read: async (stream, options) => own(await store.read(prefix + stream, options)),
    readAll: (position, limit, buckets) =>
      page(position, own, (at) => store.readAll(at, limit, buckets)),
    bare: (position, limit, types) => page(position, ownBare, (at) => store.bare(at, limit, types)),
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
