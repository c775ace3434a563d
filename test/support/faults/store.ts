import type { KnownEvent } from '../../../src/events/index.ts';
import {
  type EventStore,
  type NewEvent,
  type Recorded,
  StoreUnavailable,
} from '../../../src/events/store.ts';
import { until } from '../until.ts';

type Matches = (stream: string, events: readonly NewEvent[]) => boolean;

/** Stands between the service and its log, and does to it what a test says. */
export interface FaultyStore {
  wrap(store: EventStore): EventStore;
  /** Appends that match wait until they are let go. */
  hold(matches: Matches): { arrived(): Promise<void>; release(): void };
  /**
   * The next `count` appends that match are stored and their replies lost. `retried`: the adapter
   * has tried again by itself; otherwise the writer is told that the log cannot be reached. Returns
   * what tells how many were lost.
   */
  loseReplies(matches: Matches, how: { count: number; retried?: boolean }): () => number;
  /** Nothing of the log can be reached until it is up again. */
  setDown(isDown: boolean): void;
  /** Followers get every event twice, and each batch again together with the one after it. */
  setRepeating(isRepeating: boolean): void;
}

/** Appends that hold an event of this type, in one account's stream or in any. */
export const withType =
  (type: KnownEvent['type'], accountId?: string): Matches =>
  (stream, events) =>
    events.some((event) => event.type === type) &&
    (accountId === undefined || stream === `account-${accountId}`);

const unavailable = () => new StoreUnavailable('the log is down', { retryAfterSeconds: 3 });

interface Batch {
  events: Recorded[];
  to: string;
}

const twice = async function* (batches: AsyncIterable<Batch>): AsyncIterable<Batch> {
  let before: Recorded[] = [];
  for await (const { events, to } of batches) {
    yield { events: [...before, ...events.flatMap((event) => [event, event])], to };
    yield { events, to };
    before = events;
  }
};

export const createFaultyStore = (): FaultyStore => {
  const holds = new Set<{ matches: Matches; open: Promise<void>; here: number }>();
  const losses: { matches: Matches; left: number; retried: boolean }[] = [];
  let isDown = false;
  let isRepeating = false;
  let fall = new AbortController();

  const demandUp = () => {
    if (isDown) throw unavailable();
  };

  const wait: (...on: Parameters<Matches>) => Promise<void> = async (stream, events) => {
    for (const hold of [...holds]) {
      if (!hold.matches(stream, events)) continue;
      hold.here += 1;
      await hold.open;
    }
  };

  const append =
    (store: EventStore): EventStore['append'] =>
    async (stream, expected, events) => {
      demandUp();
      await wait(stream, events);
      demandUp();
      const appended = await store.append(stream, expected, events);
      const loss = losses.find(({ left, matches }) => left > 0 && matches(stream, events));
      if (!loss) return appended;
      loss.left -= 1;
      if (loss.retried) return store.append(stream, expected, events);
      throw unavailable();
    };

  /** Ends with a failure as soon as the log goes down. */
  const follow = (store: EventStore): EventStore['follow'] =>
    async function* (position, signal, ...rest) {
      demandUp();
      const { signal: falling } = fall;
      const either = AbortSignal.any([signal, falling]);
      const batches = store.follow(position, either, ...rest);
      yield* isRepeating ? twice(batches) : batches;
      if (falling.aborted) throw unavailable();
    };

  const whileUp =
    <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      demandUp();
      return work(...given);
    };

  return {
    wrap: (store) => ({
      ...store,
      append: append(store),
      follow: follow(store),
      read: whileUp(store.read),
      readAll: whileUp(store.readAll),
      head: whileUp(store.head),
      loadSnapshot: whileUp(store.loadSnapshot),
      saveSnapshot: whileUp(store.saveSnapshot),
      health: async () => (isDown ? { ok: false, detail: 'down' } : store.health()),
    }),
    hold(matches) {
      const { promise: open, resolve } = Promise.withResolvers<void>();
      const hold = { matches, open, here: 0 };
      holds.add(hold);
      return {
        arrived: () => until('an append to be held', () => hold.here > 0),
        release() {
          holds.delete(hold);
          resolve();
        },
      };
    },
    loseReplies(matches, { count, retried = false }) {
      const loss = { matches, left: count, retried };
      losses.push(loss);
      return () => count - loss.left;
    },
    setDown(down) {
      isDown = down;
      if (down) fall.abort();
      else fall = new AbortController();
    },
    setRepeating(repeating) {
      isRepeating = repeating;
    },
  };
};
