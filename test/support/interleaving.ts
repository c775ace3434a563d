import { setImmediate as nextTurn } from 'node:timers/promises';
import { ALL_BUCKETS } from '../../src/events/bucket.ts';
import { decode } from '../../src/events/index.ts';
import {
  type EventStore,
  type NewEvent,
  type Recorded,
  START,
  UNREADABLE,
  WrongRevision,
} from '../../src/events/store.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { positionAt } from './projections-facts.ts';
import { NOW } from './samples.ts';
import { readOpened } from './subjects.ts';

/** Steps that wait for their turn; chance says whose it is. */
export interface Turns {
  /** Resolves when it is this step's turn. */
  take(): Promise<void>;
  /** Lets some of those that wait go on, one after the other. */
  some(count: number): Promise<void>;
  /** Lets everybody go on until nobody waits any more. */
  all(): Promise<void>;
}

export const createTurns = (random: () => number): Turns => {
  const waiting: (() => void)[] = [];
  const one = async () => {
    const [go] = waiting.splice(Math.floor(random() * waiting.length), 1);
    go?.();
    await nextTurn();
  };
  return {
    take: () => new Promise((resolve) => waiting.push(resolve)),
    async some(count) {
      for (let left = count; left > 0; left -= 1) await one();
    },
    async all() {
      await nextTurn();
      while (waiting.length > 0) await one();
    },
  };
};

/** As a store gives it; events that the service does not know stay as they are. */
const decoded = (event: Recorded): Recorded => {
  const known = decode(event);
  return known.type === UNREADABLE ? event : known;
};

/** A log in memory, as far as a writer and a search in it need one. `events` are as they are stored. */
export const createMemoryLog = () => {
  const events: Recorded[] = [];
  const of = (stream: string) => events.filter((event) => event.stream === stream);
  const head = async () => events.at(-1)?.position ?? START;
  const store: EventStore = {
    soleWriter: false,
    async append(stream, expected, added: readonly NewEvent[]) {
      const revision = of(stream).length - 1;
      if (revision !== expected) throw new WrongRevision(stream, expected);
      for (const [index, event] of added.entries()) {
        const place = { revision: revision + 1 + index, position: positionAt(events.length) };
        events.push(readOpened({ ...structuredClone(event), stream, ...place }));
      }
      return { revision: revision + added.length, position: events.at(-1)!.position };
    },
    async read(stream, { from, limit = 1000, direction = 'forwards' } = {}) {
      const all = direction === 'forwards' ? of(stream) : of(stream).toReversed();
      const wanted = (revision: number) =>
        from === undefined || (direction === 'forwards' ? revision >= from : revision <= from);
      const found = all.filter(({ revision }) => wanted(revision)).slice(0, limit);
      return found.map(decoded);
    },
    async readAll(after, limit) {
      const page = events.filter(({ position }) => position > after).slice(0, limit);
      return { events: page.map(decoded), to: page.at(-1)?.position ?? after };
    },
    bare: async () => ({ events: [], to: START }),
    async *follow() {},
    head,
    end: head,
    bucketEnds: async () => ALL_BUCKETS.map(() => events.at(-1)?.position ?? START),
    loadSnapshot: async () => undefined,
    saveSnapshot: async () => undefined,
    health: async () => ({ ok: true }),
    close: async () => undefined,
  };
  /** Writes an event of any type at the end of a stream, as another process would. */
  const write = (
    stream: string,
    type: string,
    data: object,
    how: Partial<NewEvent['meta']> = {},
  ) => {
    const meta = { at: isoTime(NOW), requestId: 'r', ...how };
    const event: NewEvent = { id: `e${events.length + 1}`, type, version: 1, data, meta };
    return store.append(stream, of(stream).length - 1, [event]);
  };
  return { store, events, write };
};
