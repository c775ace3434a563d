import { ALL_BUCKETS } from '../../src/events/bucket.ts';
import { decode } from '../../src/events/index.ts';
import {
  APPEND_BYTES_MAX,
  type Appended,
  AppendTooLarge,
  type EventStore,
  isOfInterest,
  type NewEvent,
  type Position,
  READ_MAX,
  type Recorded,
  type Snapshot,
  START,
  StoreUnavailable,
  WrongRevision,
} from '../../src/events/store.ts';
import { positionAt } from '../support/projections-facts.ts';

/** How a call gets to a store and back: it may wait, fail or never return. */
export interface Way {
  to(what: string, added?: readonly NewEvent[]): Promise<void>;
  back(what: string): Promise<void>;
}

const atOnce: Way = { to: async () => undefined, back: async () => undefined };

/** A log in memory that begins with these events, as they are stored. Each handle is that of one process. */
export const createMemoryLog = (
  before: readonly Recorded[] = [],
  onAppended: (event: Recorded) => void = () => undefined,
) => {
  const events = [...before];
  const streams = Map.groupBy(events, ({ stream }) => stream);
  const snapshots = new Map<string, string>();
  const followers = new Set<() => void>();
  const head = (): Position => events.at(-1)?.position ?? START;
  const after = (position: Position) => (position === START ? 0 : Number(position));

  const append = (stream: string, expected: number, added: readonly NewEvent[]): Appended => {
    const known = streams.get(stream) ?? [];
    const there = known.slice(expected + 1, expected + 1 + added.length);
    const isRepeated =
      there.length === added.length && there.every(({ id }, index) => id === added[index]!.id);
    if (isRepeated && added.length > 0) {
      const { revision, position } = there.at(-1)!;
      return { revision, position };
    }
    const texts = added.map((event) => JSON.stringify(event));
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(stream, bytes);
    if (known.length - 1 !== expected) throw new WrongRevision(stream, expected);
    const from = events.length;
    for (const text of texts) {
      const place = { stream, revision: known.length, position: positionAt(events.length) };
      const event = { ...JSON.parse(text), ...place } as Recorded;
      known.push(event);
      events.push(event);
    }
    streams.set(stream, known);
    for (const wake of [...followers]) wake();
    for (const event of events.slice(from)) onAppended(event);
    return { revision: known.length - 1, position: head() };
  };

  const open = (soleWriter: boolean, { to, back }: Way = atOnce): EventStore => {
    let isOpen = true;
    const step = async <T>(
      what: string,
      work: () => T,
      added?: readonly NewEvent[],
    ): Promise<T> => {
      await to(what, added);
      if (!isOpen) throw new StoreUnavailable('the log is closed');
      const done = work();
      await back(what);
      return done;
    };
    return {
      soleWriter,
      append: (stream, expected, added) => {
        const types = added.map(({ type }) => type).join(', ');
        const work = () => append(stream, expected, added);
        return step(`append ${types} to ${stream} after ${expected}`, work, added);
      },
      read: (stream, { from, direction = 'forwards', limit = READ_MAX } = {}) =>
        step(`read ${stream}`, () => {
          const all = streams.get(stream) ?? [];
          const most = Math.min(limit, READ_MAX);
          if (direction === 'forwards') return all.slice(from ?? 0, (from ?? 0) + most).map(decode);
          return all
            .slice(0, (from ?? all.length) + 1)
            .slice(-most)
            .reverse()
            .map(decode);
        }),
      readAll: (position, limit) =>
        step('read the log', () => {
          const page = events.slice(after(position), after(position) + limit);
          return { events: page.map(decode), to: page.at(-1)?.position ?? position };
        }),
      bare: (position, limit, types) =>
        step('read the log', () => {
          const page = events.slice(after(position), after(position) + limit);
          const wanted = page.filter((event) => isOfInterest(types, event));
          const bare = wanted.map((event) => {
            const { stream, revision, position: at, link } = event;
            return {
              stream,
              revision,
              position: at,
              ...(link ? { link } : { event: decode(event) }),
            };
          });
          return { events: bare, to: page.at(-1)?.position ?? position };
        }),
      async *follow(position, signal, interest) {
        let place = position;
        for (let isFirst = true; !signal.aborted; isFirst = false) {
          const stored = events.slice(after(place), after(place) + READ_MAX);
          if (stored.length === 0 && !isFirst) {
            const { promise, resolve } = Promise.withResolvers<void>();
            followers.add(resolve);
            signal.addEventListener('abort', () => resolve());
            await promise;
            followers.delete(resolve);
            if (!isOpen) throw new StoreUnavailable('the log is closed');
            continue;
          }
          await to('follow the log');
          if (signal.aborted) return;
          place = stored.at(-1)?.position ?? place;
          const wanted = stored.filter((event) => isOfInterest(interest, event));
          yield { events: wanted.map(decode), to: place };
        }
      },
      head: () => step('the head of the log', head),
      end: () => step('the end of the log', head),
      bucketEnds: () => step('the ends of the buckets', () => ALL_BUCKETS.map(head)),
      loadSnapshot: (stream) =>
        step(`the snapshot of ${stream}`, () => {
          const text = snapshots.get(stream);
          return text === undefined ? undefined : (JSON.parse(text) as Snapshot);
        }),
      saveSnapshot: (stream, snapshot, { replace = false } = {}) =>
        step(`keep a snapshot of ${stream}`, () => {
          const before = snapshots.get(stream);
          const isNewer =
            before === undefined || (JSON.parse(before) as Snapshot).revision <= snapshot.revision;
          if (isNewer || replace) snapshots.set(stream, JSON.stringify(snapshot));
        }),
      health: async () => (isOpen ? { ok: true } : { ok: false, detail: 'closed' }),
      close: async () => {
        isOpen = false;
        for (const wake of [...followers]) wake();
      },
    };
  };
  return { open, events };
};
