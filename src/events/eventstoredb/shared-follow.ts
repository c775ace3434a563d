import { firstPast } from '../paging.ts';
import { type Interest, isOfInterest, type Position, type Recorded, storedType } from '../store.ts';
import { createWaitingFollowers, type Wish } from '../waiting-followers.ts';
import { bytesBetween } from './events.ts';
import { type Follow, readAhead } from './follow.ts';
import type { Head } from './head.ts';
import type { LivenessMonitor } from './liveness-monitor.ts';
import { BATCH_MAX, type Batch, type Wanted } from './subscription.ts';

/** Newest events that stay in memory, for followers that come late or are slow. */
const KEPT_MAX = 1_024;
/** Events by which the leader may be behind before the reading waits for it. */
const AHEAD_MAX = 512;
/** A follower that is further on by less waits for the reading, which comes to it in seconds. */
const NEAR_BYTES = 4 * 1024 * 1024;
/** One that has moved within this time gets on, and others may wait for it too. */
const LEADING_MS = 1_000;
const stored = (event: Recorded) => ({ type: storedType(event), revision: event.revision });

/** The newest events that one subscription has brought, for several followers. */
export interface Reading {
  push(batch: Batch): void;
  /** Ends it, with what ended the subscription. */
  over(error?: unknown): void;
  /** Notes how far the leader has come. */
  lead(to: Position): void;
  /** Whether the leader is so far behind that the reading must wait for it. */
  isAhead(): boolean;
  isConfirmed(): boolean;
  isOver(): boolean;
  /** How far it is. */
  end(): Position;
  /**
   * Whether what comes after a position in these buckets, in all when absent, is here, or comes here
   * without waiting for a leader that stands still or is far behind.
   */
  covers(at: Position, buckets?: ReadonlySet<number>): boolean;
  /** The events of interest after a position; undefined when the reading has not passed it. */
  after(at: Position, interest?: Interest): Batch | undefined;
  /**
   * Resolves as woken at the signal and at the next change; with an interest at the next event of it,
   * or when many others have come. As quiet after a time.
   */
  changed(signal: AbortSignal, wish?: Wish): Promise<'woken' | 'quiet'>;
  demandNoFailure(): void;
}

export const createReading = (
  from: Position,
  of?: ReadonlySet<number>,
  monotonicMs: () => number = () => performance.now(),
): Reading => {
  const waiting = createWaitingFollowers();
  let events: Recorded[] = [];
  /** All events after `base`, up to `end`, are in memory. */
  let base = from;
  let end = from;
  let ledTo = from;
  let ledAt = monotonicMs();
  let isConfirmed = false;
  let isOver = false;
  let failure: unknown;

  const indexAfter = (at: Position): number => firstPast(events, ({ position }) => position > at);
  const isAhead = (): boolean => events.length - indexAfter(ledTo) >= AHEAD_MAX;
  const standsStill = (): boolean => isAhead() && monotonicMs() - ledAt > LEADING_MS;

  return {
    push(batch) {
      isConfirmed = true;
      events.push(...batch.events);
      end = batch.to;
      // The leader is behind by fewer events than are kept.
      if (events.length > KEPT_MAX + AHEAD_MAX) {
        base = events.at(-KEPT_MAX - 1)!.position;
        events = events.slice(-KEPT_MAX);
      }
      waiting.wake(batch.events.map(stored), batch.events.length);
    },
    over(error) {
      isOver = true;
      failure ??= error;
      waiting.wakeAll();
    },
    lead(to) {
      ledTo = to;
      ledAt = monotonicMs();
      waiting.wake([], 0);
    },
    isAhead,
    isConfirmed: () => isConfirmed,
    isOver: () => isOver,
    end: () => end,
    covers(at, buckets) {
      if (of && !buckets?.isSubsetOf(of)) return false;
      if (!isConfirmed || isOver || at < base) return false;
      return at <= end || (!standsStill() && bytesBetween(end, at) < NEAR_BYTES);
    },
    after(at, interest) {
      if (end <= at) return undefined;
      const first = indexAfter(at);
      const here = events.slice(first, first + BATCH_MAX);
      const isAll = first + here.length === events.length;
      return {
        events: interest ? here.filter((event) => isOfInterest(interest, stored(event))) : here,
        to: isAll ? end : here.at(-1)!.position,
      };
    },
    changed: (signal, wish = {}) => waiting.changed(signal, wish),
    demandNoFailure() {
      if (failure !== undefined) throw failure;
    },
  };
};

interface Sharing {
  /** Follows by a subscription of its own. */
  alone: Follow;
  head: Head;
  liveness: LivenessMonitor;
  /**
   * After this long without events, a follower looks whether the log holds more. So long one of a worker waits
   * for a leader to come.
   */
  quietMs: number;
}

/** Brings the batches of a subscription into the reading, and waits for a leader that is far behind. */
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
  { interest, buckets, signal }: Wanted & { signal: AbortSignal },
  sharing: Sharing,
): AsyncGenerator<Batch, void, void> {
  const wait = (ending: AbortSignal) => reading.changed(ending, { interest });
  let at = position;
  /** After a silence while the log was further on: how long the next one may last, and where the reading stood. */
  let patienceMs: number | undefined;
  let stoodAt = position;
  while (!signal.aborted) {
    reading.demandNoFailure();
    if (!reading.covers(at, buckets)) return;
    const batch = reading.after(at, interest);
    if (batch) {
      patienceMs = undefined;
      at = batch.to;
      yield batch;
      continue;
    }
    const quietMs = patienceMs ?? sharing.quietMs;
    const how = await reading.changed(signal, { interest, quietMs });
    // A few events of other types wake no follower.
    if (how === 'woken' || reading.end() > at) continue;
    if (patienceMs !== undefined && reading.end() === stoodAt) return;
    stoodAt = reading.end();
    const ahead = await readAhead(sharing, wait, signal).catch(() => null);
    // A log that cannot be read is for a subscription of its own to judge.
    if (ahead === null) return;
    patienceMs = ahead && ahead.newest > at ? ahead.patienceMs : undefined;
  }
}

const isServing = (reading: Reading): boolean => reading.isConfirmed() && !reading.isOver();

/**
 * Lets the followers of a process share one subscription. Each event that the server sends costs its
 * reader about 10 µs in each subscription. The first follower of all events leads: the others
 * take what they want from its reading when they are near its place, and have subscriptions of their
 * own, which the server filters, before and after that. A leader that gets on is waited for, so that a backlog
 * is read once; one that stands still, or is far behind, holds up no other.
 */
export const createSharedFollow = (sharing: Sharing): Follow => {
  const { alone } = sharing;
  let current: Reading | undefined;
  const coming = createWaitingFollowers();

  async function* lead(
    position: Position,
    signal: AbortSignal,
    buckets: ReadonlySet<number> | undefined,
  ): AsyncGenerator<Batch, void, void> {
    const reading = createReading(position, buckets);
    current = reading;
    const ending = new AbortController();
    const ended = AbortSignal.any([signal, ending.signal]);
    const filling = fill(reading, alone(position, ended, undefined, buckets), ended);
    try {
      let at = position;
      while (!reading.isConfirmed() && !reading.isOver()) await reading.changed(ended);
      reading.demandNoFailure();
      if (isServing(reading)) coming.wakeAll();
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
      if (current === reading) current = undefined;
      reading.over();
      ending.abort();
      await filling;
    }
  }

  async function* join(
    position: Position,
    signal: AbortSignal,
    { interest, buckets }: Wanted,
  ): AsyncGenerator<Batch, void, void> {
    let at = position;
    let mayShare = true;
    while (!signal.aborted) {
      // A worker has a leader: it ends with each change of the shares and each outage, and the next one comes.
      if (mayShare && buckets && !(current && isServing(current))) {
        await coming.changed(signal, { quietMs: sharing.quietMs });
      }
      const reading = current;
      if (mayShare && reading?.covers(at, buckets)) {
        const joinedAt = at;
        yield { events: [], to: at };
        for await (const batch of from(reading, at, { interest, buckets, signal }, sharing)) {
          at = batch.to;
          yield batch;
        }
        // Leaders that come and go hold up nobody: one that has brought nothing is not waited for again.
        mayShare = reading.isOver() && at > joinedAt;
        if (mayShare) continue;
      }
      for await (const batch of alone(at, signal, interest, buckets)) {
        mayShare ||= batch.to > at;
        at = batch.to;
        yield batch;
        if (mayShare && current?.covers(at, buckets)) break;
      }
    }
  }

  // Decides when its reader begins: until then there is no other leader.
  return async function* shared(position, signal, interest, buckets) {
    const isLeader = interest === undefined && !current;
    yield* isLeader
      ? lead(position, signal, buckets)
      : join(position, signal, { interest, buckets });
  };
};
