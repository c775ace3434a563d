import { pause } from '../../shared/timing.ts';
import { type Appended, AppendTooLarge, StoreUnavailable, WrongRevision } from '../store.ts';
import type { Appending } from './append-stream.ts';
import { type Connection, limited } from './connection.ts';
import { bytesOf, type Received } from './events.ts';
import { classify, unavailable } from './failure.ts';
import { readRaw } from './read.ts';

/** Sendings of one append in all, each with the same expected revision and ids. */
const SENDINGS_MAX = 3;
/** Least time limit of one call, also when less time is left. */
const TRY_MS_MIN = 250;
const PAUSE_MS_MIN = 25;
const PAUSE_MS_MAX = 400;

const readThere = (connection: Connection, { stream, expected, events }: Appending) =>
  readRaw(connection, stream, { from: expected + 1, limit: events.length });

/** The end of these events, when they are exactly those of the append. */
const asAppended = (there: readonly Received[], { events }: Appending): Appended | undefined => {
  const last = there.at(-1);
  if (!last || there.length !== events.length) return undefined;
  if (!there.every(({ id }, i) => id === events[i]?.id)) return undefined;
  return { revision: last.revision, position: last.position };
};

const remaining = (until: number): number => Math.max(until - performance.now(), TRY_MS_MIN);

const send = async (
  connection: Connection,
  appending: Appending,
  { until, given }: { until: number; given: AbortSignal },
): Promise<Appended> => {
  const timeoutMs = Math.min(connection.timeoutMs, remaining(until));
  const { revision, position } = await connection.run((_, sendAppend) =>
    sendAppend(appending, timeoutMs, given),
  );
  if (position) return { revision, position };
  const there = asAppended(await readThere(connection, appending), appending);
  if (!there)
    throw new StoreUnavailable('the event log does not show an append that it acknowledged');
  return there;
};

/** The outcome of an append that was refused for its revision, or not answered. */
const look = async (
  connection: Connection,
  appending: Appending,
): Promise<Appended | 'free' | 'taken'> => {
  const there = await readThere(connection, appending);
  if (there.length === 0) return 'free';
  return asAppended(there, appending) ?? 'taken';
};

/** Looks for the outcome of the append until one look succeeds, or until a moment. */
const settle = async (
  connection: Connection,
  appending: Appending,
  { until, cause, given }: { until: number; cause: unknown; given: AbortSignal },
): Promise<Appended | 'free'> => {
  let pauseMs = PAUSE_MS_MIN;
  for (;;) {
    const looking = limited(remaining(until), look(connection, appending));
    const seen = await looking.catch((error: unknown) => {
      given.throwIfAborted();
      if (performance.now() + pauseMs > until || classify(error) === 'denied') {
        throw unavailable('did not say whether it took an append', cause);
      }
      return undefined;
    });
    if (seen === 'taken') throw new WrongRevision(appending.stream, appending.expected);
    if (seen) return seen;
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
  }
};

/**
 * Appends exactly once, whatever happens to the calls. Looks for an append that was not answered, and
 * sends it again while its revisions are free. This cannot double the append: only one sending can
 * take these revisions, and the ids tell whose it was. Does not send again after the signal.
 */
export const appendOnce = async (
  connection: Connection,
  appending: Appending,
  { settleMs, given }: { settleMs: number; given: AbortSignal },
): Promise<Appended> => {
  const { stream, expected, events } = appending;
  const until = performance.now() + connection.timeoutMs + settleMs;
  for (let sending = 1; ; sending += 1) {
    try {
      return await send(connection, appending, { until, given });
    } catch (cause) {
      const failure = classify(cause);
      given.throwIfAborted();
      if (failure === 'too-large') throw new AppendTooLarge(stream, bytesOf(events));
      if (failure === 'deleted') throw new Error(`stream ${stream} is deleted for good`, { cause });
      if (failure === 'denied') throw unavailable('cannot be written', cause);
      const isLast = sending === SENDINGS_MAX || performance.now() > until;
      const seen = await settle(connection, appending, { until, cause, given });
      given.throwIfAborted();
      if (seen !== 'free') return seen;
      if (failure === 'wrong-revision') throw new WrongRevision(stream, expected);
      if (isLast) throw unavailable('did not take an append', cause);
    }
  }
};
