import type { Log } from '../../shared/logger.ts';
import { createDelays } from '../../shared/retry.ts';
import { pause } from '../../shared/timing.ts';
import { type Interest, type Position, StoreUnavailable } from '../store.ts';
import type { Connection } from './connection.ts';
import { toRecorded } from './events.ts';
import { unavailable } from './failure.ts';
import type { Head } from './head.ts';
import type { LivenessMonitor } from './liveness-monitor.ts';
import { readForwards, readTop } from './read.ts';
import { type Batch, isWanted, type Subscription, subscribe, type Wanted } from './subscription.ts';

/** The log and the time limits of a follower. */
export interface Source {
  connection: Connection;
  head: Head;
  liveness: LivenessMonitor;
  log?: Pick<Log, 'warn'> | undefined;
  /**
   * After this long without events, the follower reads the head. If the head is further and no event
   * arrives within the same time again, and twice what the server took for the head, the subscription
   * is dead; if not all events are wanted, only if the log holds a wanted one up to there.
   */
  quietMs: number;
  /**
   * After an outage of this length `follow` throws, because readers such as the caches of look-ups
   * must know. They follow again by themselves.
   */
  outageMs: number;
  /** Aborted when the store is closed. */
  closing: AbortSignal;
}

/** Batches of events after a position, as they come; see `EventReader.follow`. */
export type Follow = (
  position: Position,
  signal: AbortSignal,
  interest?: Interest,
  buckets?: ReadonlySet<number>,
) => AsyncGenerator<Batch, void, void>;

/** Events that one read looks through for those of interest. */
const PASSED_MAX = 1_000;
const DELAYS = { minMs: 20, maxMs: 300 };
/** A subscription counts as a success when the server has answered anything this long after its start. */
const PROVEN_MS = 1_000;

/** Undefined after the signal. */
const unlessAborted = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const onAbort = (): void => resolve(undefined);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};

/** The newest position of the log, and the further silence that shows a subscription to be dead. */
interface Ahead {
  newest: Position;
  patienceMs: number;
}

/**
 * Reads the head until news wake its reader: undefined then. Waits for a slow server as long as anything
 * is heard of it, and gives a subscription more time where it is slow: a new one would begin at its start.
 */
export const readAhead = async (
  { head, liveness, quietMs }: Pick<Source, 'head' | 'liveness' | 'quietMs'>,
  woken: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<Ahead | undefined> => {
  const ending = new AbortController();
  const askedAt = performance.now();
  const asking = liveness.whileHeard(() => head.readWithin(quietMs / 2));
  const news = woken(ending.signal).then(() => undefined);
  try {
    const newest = await unlessAborted(signal, Promise.race([asking, news]));
    const patienceMs = quietMs + 2 * (performance.now() - askedAt);
    return newest === undefined ? undefined : { newest, patienceMs };
  } finally {
    ending.abort();
  }
};

const demandSameLog = async (position: Position, { connection }: Source): Promise<void> => {
  const top = await readTop(connection);
  if (position > top) throw new Error(`position ${position} is past the end of this log`);
};

/**
 * An empty batch up to `newest`, or to the end of a page before it, if the log holds no wanted event
 * there; else undefined.
 */
const passOver = async (
  { at, newest, wanted }: { at: Position; newest: Position; wanted: Wanted },
  { connection, liveness }: Source,
): Promise<Batch | undefined> => {
  const { events } = await liveness.whileHeard(() => readForwards(connection, at, PASSED_MAX));
  const before = events.filter(({ position }) => position <= newest);
  const last = before.at(-1);
  if (!last || before.some((event) => isWanted(event, wanted))) return undefined;
  return { events: [], to: last.position };
};

/**
 * Waits for the next batch; undefined after the signal. The first one comes when the server has
 * confirmed the subscription, an empty one when no event waits. Throws when the subscription is dead.
 */
const nextBatch = async (
  subscription: Subscription,
  { at, isFirst, wanted }: { at: Position; isFirst: boolean; wanted: Wanted },
  source: Source,
  signal: AbortSignal,
): Promise<Batch | undefined> => {
  const wait = (ending: AbortSignal) => subscription.wait(ending);
  let missing: Ahead | undefined;
  while (!signal.aborted) {
    const batch = subscription.take();
    // A checkpoint may be of events that were passed over.
    if (batch && (batch.to > at || batch.events.length > 0)) return batch;
    if (isFirst && subscription.isAlive()) return { events: [], to: at };
    const quietMs = missing?.patienceMs ?? source.quietMs;
    const how = await subscription.wait(signal, quietMs);
    if (how === 'woken') continue;
    if (missing !== undefined) {
      const isAll = !wanted.interest && !wanted.buckets;
      const looking = isAll ? undefined : passOver({ at, newest: missing.newest, wanted }, source);
      const passed = looking && (await unlessAborted(signal, looking));
      if (passed || signal.aborted) return passed;
      throw new StoreUnavailable(`${Math.round(quietMs)} ms of silence, though there is more`);
    }
    const ahead = await readAhead(source, wait, signal);
    if (ahead && ahead.newest > at) missing = ahead;
  }
  return undefined;
};

/** The pauses between attempts, until the outage takes too long. */
const createPatience = (outageMs: number) => {
  const delays = createDelays(DELAYS);
  let failingSince: number | undefined;
  return {
    /** Ends the outage. */
    restore: (): void => {
      failingSince = undefined;
      delays.reset();
    },
    /** The next pause in ms; undefined when the outage took too long. */
    next: (): number | undefined => {
      const now = performance.now();
      failingSince ??= now;
      return now - failingSince > outageMs ? undefined : delays.next();
    },
  };
};

/**
 * Batches of events after `position`, as they come. Subscribes again after the last batch when the
 * subscription ends or goes silent; throws StoreUnavailable after an outage of `outageMs`.
 */
export async function* follow(
  position: Position,
  signal: AbortSignal,
  source: Source,
  wanted: Wanted = {},
): AsyncGenerator<Batch, void, void> {
  if (signal.aborted) return;
  const { connection, closing, log } = source;
  const ending = AbortSignal.any([signal, closing]);
  if (!ending.aborted) await unlessAborted(ending, demandSameLog(position, source));
  const patience = createPatience(source.outageMs);
  let at = position;
  let isFirst = true;
  while (!ending.aborted) {
    const subscription = subscribe(connection, at, wanted, toRecorded);
    const openedAt = performance.now();
    try {
      for (;;) {
        const batch = await nextBatch(subscription, { at, isFirst, wanted }, source, ending);
        if (!batch || ending.aborted) break;
        if (batch.to !== at) patience.restore();
        isFirst = false;
        at = batch.to;
        yield batch;
      }
    } catch (error) {
      const workedMs = connection.heardAt() - openedAt;
      if (subscription.isAlive() && workedMs > PROVEN_MS) patience.restore();
      const pauseMs = patience.next();
      const reason = (error as Error).message;
      log?.warn({ position: at, reason }, 'A subscription to the event log ended');
      if (pauseMs === undefined) throw unavailable('cannot be followed', error);
      await pause(pauseMs, ending);
    } finally {
      subscription.stop();
    }
  }
  if (!signal.aborted) throw new StoreUnavailable('the event log is closed');
}
