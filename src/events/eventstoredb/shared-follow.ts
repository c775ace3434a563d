import { type Interest, isOfInterest, type Position, type Recorded, storedType } from '../store.ts';
import { limited } from './connection.ts';
import { type Follow, unlessAborted } from './follow.ts';
import type { Head } from './head.ts';
import { BATCH_MAX, type Batch } from './subscription.ts';

export interface Sharing {
  /** Follows by a subscription of its own. */
  alone: Follow;
  head: Head;
  /** After this long without events, a follower looks whether the log holds more. */
  quietMs: number;
}

/** Newest events that stay in memory, for followers that come late or are slow. */
const KEPT_MAX = 1_024;
/** Events by which the leader may be behind before the reading waits for it. */
const AHEAD_MAX = 512;

/** After so many events, a follower hears how far the log is, whatever it wants. */
const PASSED_MAX = 256;

/** The newest events that one subscription has brought, for several followers. */
const createReading = (from: Position) => {
  const events: Recorded[] = [];
  /** All events after `base`, up to `end`, are in memory. */
  let base = from;
  let end = from;
  let ledTo = from;
  let isConfirmed = false;
  let isOver = false;
  let failure: unknown;
  /** Events that have come since all were woken. */
  let passed = 0;
  /** What is called at a change, with the events that it waits for. */
  const waiting = new Map<() => void, Interest | undefined>();

  const isWanted = (event: Recorded, interest: Interest | undefined): boolean =>
    isOfInterest(interest, { type: storedType(event), revision: event.revision });
  /** Wakes those that wait for any change, and those that wait for one of these events. */
  const wake = (added: readonly Recorded[] = []): void => {
    passed += added.length;
    const isForAll = passed >= PASSED_MAX;
    if (isForAll) passed = 0;
    for (const [settle, interest] of [...waiting]) {
      if (isForAll || !interest || added.some((event) => isWanted(event, interest))) settle();
    }
  };
  const indexAfter = (at: Position): number =>
    events.findLastIndex(({ position }) => position <= at) + 1;
  const isAhead = (): boolean => events.length - indexAfter(ledTo) >= AHEAD_MAX;

  return {
    push(batch: Batch): void {
      isConfirmed = true;
      events.push(...batch.events);
      end = batch.to;
      // The leader is behind by fewer events than are kept.
      if (events.length > KEPT_MAX + AHEAD_MAX) {
        const dropped = events.splice(0, events.length - KEPT_MAX);
        base = dropped.at(-1)!.position;
      }
      wake(batch.events);
    },
    isAhead,
    /** Notes how far the leader has come. */
    lead(to: Position): void {
      ledTo = to;
      wake();
    },
    over(error?: unknown): void {
      isOver = true;
      failure ??= error;
      for (const settle of [...waiting.keys()]) settle();
    },
    isOver: () => isOver,
    isConfirmed: () => isConfirmed,
    /** Whether what comes after a position is here, or comes here without waiting for the leader. */
    covers: (at: Position): boolean =>
      isConfirmed && !isOver && base <= at && (at <= end || !isAhead()),
    /** The events of interest after a position; undefined when the reading has not passed it. */
    after(at: Position, interest?: Interest): Batch | undefined {
      if (end <= at) return undefined;
      const first = indexAfter(at);
      const here = events.slice(first, first + BATCH_MAX);
      const isAll = first + here.length === events.length;
      return {
        events: interest ? here.filter((event) => isWanted(event, interest)) : here,
        to: isAll ? end : here.at(-1)!.position,
      };
    },
    /**
     * Resolves as woken at the signal and at the next change; with an interest at the next event of it,
     * or when many others have come. As quiet after a time.
     */
    changed: (
      signal: AbortSignal,
      { interest, quietMs }: { interest?: Interest | undefined; quietMs?: number } = {},
    ): Promise<'woken' | 'quiet'> =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve('woken');
        const settle = (how: 'woken' | 'quiet'): void => {
          clearTimeout(timer);
          waiting.delete(onChange);
          signal.removeEventListener('abort', onChange);
          resolve(how);
        };
        const onChange = (): void => settle('woken');
        const timer = quietMs === undefined ? undefined : setTimeout(settle, quietMs, 'quiet');
        waiting.set(onChange, interest);
        signal.addEventListener('abort', onChange);
      }),
    demandNoFailure(): void {
      if (failure !== undefined) throw failure;
    },
  };
};

type Reading = ReturnType<typeof createReading>;

/** Brings the batches of a subscription into the reading, at most AHEAD_MAX events before the leader. */
const fill = async (
  reading: Reading,
  batches: AsyncIterable<Batch>,
  signal: AbortSignal,
): Promise<void> => {
  try {
    for await (const batch of batches) {
      reading.push(batch);
      while (reading.isAhead() && !signal.aborted) await reading.changed(signal);
      if (signal.aborted) break;
    }
    reading.over();
  } catch (error) {
    reading.over(error);
  }
};

/**
 * What a reading brings after a position. Ends when the reading does not have what comes next: it is
 * over, has dropped it, or stands still while the log goes on. Throws what ended the subscription.
 */
async function* from(
  reading: Reading,
  position: Position,
  { interest, signal }: { interest: Interest | undefined; signal: AbortSignal },
  { head, quietMs }: Sharing,
): AsyncGenerator<Batch, void, void> {
  let at = position;
  let isMissing = false;
  while (!signal.aborted) {
    reading.demandNoFailure();
    if (!reading.covers(at)) return;
    const batch = reading.after(at, interest);
    if (batch) {
      isMissing = false;
      at = batch.to;
      yield batch;
      continue;
    }
    if ((await reading.changed(signal, { interest, quietMs })) === 'woken') continue;
    // A few events of other types wake nobody.
    if (reading.after(at)) continue;
    if (isMissing) return;
    const asking = limited(2 * quietMs, head.readWithin(quietMs / 2)).catch(() => null);
    const newest = await unlessAborted(signal, asking);
    // A log that cannot be read is for a subscription of its own to judge.
    if (newest === null) return;
    isMissing = newest !== undefined && newest > at;
  }
}

/**
 * Lets the followers of a process share one subscription. Each event that the server sends costs its
 * reader about 30 µs, for each subscription anew. The first follower of all events leads: the others
 * take what they want from its reading when they are near its place, and have subscriptions of their
 * own, which the server filters, before and after that. A leader that stands still holds up no other.
 */
export const createSharedFollow = (sharing: Sharing): Follow => {
  const { alone } = sharing;
  let current: Reading | undefined;

  async function* lead(position: Position, signal: AbortSignal): AsyncGenerator<Batch, void, void> {
    const reading = createReading(position);
    current = reading;
    const ending = new AbortController();
    const ended = AbortSignal.any([signal, ending.signal]);
    const filling = fill(reading, alone(position, ended), ended);
    try {
      let at = position;
      while (!reading.isConfirmed() && !reading.isOver()) await reading.changed(ended);
      reading.demandNoFailure();
      if (!signal.aborted) yield { events: [], to: at };
      while (!signal.aborted) {
        const batch = reading.after(at);
        if (!batch) {
          reading.demandNoFailure();
          await reading.changed(ended);
          continue;
        }
        at = batch.to;
        reading.lead(at);
        yield batch;
      }
    } finally {
      current = undefined;
      reading.over();
      ending.abort();
      await filling;
    }
  }

  async function* join(
    position: Position,
    signal: AbortSignal,
    interest: Interest | undefined,
  ): AsyncGenerator<Batch, void, void> {
    let at = position;
    let mayShare = true;
    while (!signal.aborted) {
      if (mayShare && current?.covers(at)) {
        yield { events: [], to: at };
        for await (const batch of from(current, at, { interest, signal }, sharing)) {
          at = batch.to;
          yield batch;
        }
        mayShare = false;
      }
      for await (const batch of alone(at, signal, interest)) {
        mayShare ||= batch.to > at;
        at = batch.to;
        yield batch;
        if (mayShare && current?.covers(at)) break;
      }
    }
  }

  return (position, signal, interest) =>
    interest === undefined && !current ? lead(position, signal) : join(position, signal, interest);
};
