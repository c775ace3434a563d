import { createCoalesced } from '../../shared/concurrency.ts';
import type { Log } from '../../shared/logger.ts';
import { isShare } from '../bucket.ts';
import {
  APPEND_BYTES_MAX,
  AppendTooLarge,
  type EventStore,
  mustBeAppend,
  StoreUnavailable,
} from '../store.ts';
import { appendOnce } from './append.ts';
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts';
import { type Connection, limited, openConnection } from './connection.ts';
import { bytesOf, encode, toBare, toRecorded } from './events.ts';
import { unavailable } from './failure.ts';
import { follow } from './follow.ts';
import { createHead } from './head.ts';
import { createLivenessMonitor, type LivenessMonitor, Silence } from './liveness-monitor.ts';
import { readAll, readBucketEnds, readStream, readTop } from './read.ts';
import { createSharedFollow } from './shared-follow.ts';
import { loadSnapshot, saveSnapshot } from './snapshot.ts';
import { readWanted } from './subscription.ts';

export interface EventStoreDbOptions {
  /** `esdb://user:password@host:2113?tls=true`; several hosts are one cluster. */
  url: string;
  logger?: Pick<Log, 'warn'>;
  /** Time limit of one call; default 5,000. */
  timeoutMs?: number;
  /** Further time to find the outcome of an unanswered append; default 3,000. */
  settleMs?: number;
  /** After this silence of the server, waiting calls fail; default 3,000. */
  silenceMs?: number;
  /** After this silence a follower checks its subscription; default 500. */
  quietMs?: number;
  /** Outage after which a follower throws; default 1,000. */
  outageMs?: number;
  /** Concurrent appends; default 64. */
  appendsInFlightMax?: number;
  /** Appends that may wait to start; default 10,000. */
  appendsWaitingMax?: number;
}

interface EventStoreDbStats {
  appendsInFlight: number;
  appendsWaiting: number;
}

export interface EventStoreDbStore extends EventStore {
  /** For the metrics. */
  stats(): EventStoreDbStats;
}

const WAITING_BYTES_MAX = 32 * 1024 * 1024;
/** One connection carries 100 calls at a time; the rest is for appends and followers. */
const READS_IN_FLIGHT_MAX = 24;
const READS_WAITING_MAX = 10_000;
const PROBE_MS_MAX = 2_000;
/** Stream for trial appends after failures. */
const PROBE_STREAM = 'probe';

const closedError = (): StoreUnavailable => new StoreUnavailable('the event log is closed');

/**
 * A circuit breaker. After FAILURES_MAX failures in a row, or a silence, it admits one append at a
 * time as a trial and refuses the others at once, instead of letting each wait for its time limit.
 */
interface Breaker {
  /** Whether to append now. After true, the caller must call `report`. */
  admits(): boolean;
  report(failure: Error | undefined): void;
  /** The last failure; undefined after a success. */
  failure(): Error | undefined;
}

const FAILURES_MAX = 3;

const createBreaker = (): Breaker => {
  let failures = 0;
  let failure: Error | undefined;
  let trying = false;

  return {
    admits: () => {
      if (failures < FAILURES_MAX) return true;
      if (trying) return false;
      trying = true;
      return true;
    },
    report: (error) => {
      trying = false;
      failure = error;
      if (!error) failures = 0;
      else failures = error instanceof Silence ? FAILURES_MAX : failures + 1;
    },
    failure: () => failure,
  };
};

const createAppend = (
  connection: Connection,
  {
    limit,
    liveness,
    settleMs,
  }: { limit: ConcurrencyLimit; liveness: LivenessMonitor; settleMs: number },
) => {
  const breaker = createBreaker();

  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!breaker.admits()) {
      throw new StoreUnavailable('the event log is out of reach', { cause: breaker.failure() });
    }
    let failure: StoreUnavailable | undefined;
    try {
      return await work();
    } catch (error) {
      if (error instanceof StoreUnavailable) failure = error;
      throw error;
    } finally {
      breaker.report(failure);
    }
  };

  const append: EventStore['append'] = async (stream, expected, events) => {
    mustBeAppend(expected, events);
    const data = events.map(encode);
    const bytes = bytesOf(data);
    if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(stream, bytes);
    const appending = { stream, expected, events: data };
    const once = (given: AbortSignal) => appendOnce(connection, appending, { settleMs, given });
    return limit.run(() => attempt(() => liveness.whileHeard(once)), bytes);
  };
  return { append, attempt, failure: breaker.failure };
};

/** Why the log cannot be used now; undefined when it can. */
const createHealth =
  (connection: Connection, { attempt, failure }: ReturnType<typeof createAppend>) =>
  async (): Promise<string | undefined> => {
    const probe = { revision: 0, version: 1, state: null };
    const asking: Promise<unknown> =
      failure() === undefined
        ? readTop(connection)
        : attempt(() => saveSnapshot(connection, PROBE_STREAM, probe));
    return limited(PROBE_MS_MAX, asking).then(
      () => undefined,
      (error: unknown) => `${connection.hosts}: ${unavailable('does not answer', error).message}`,
    );
  };

/**
 * The log in EventStoreDB 23.10 or later, one server or a cluster. Resolves even while the server is
 * away; throws for a URL that cannot be used. No other program may write to the database.
 */
export const openEventStoreDb = async (
  options: EventStoreDbOptions,
): Promise<EventStoreDbStore> => {
  const { logger: log, timeoutMs = 5_000, settleMs = 3_000 } = options;
  const { quietMs = 500, outageMs = 1_000, silenceMs = 3_000 } = options;
  const connection = await openConnection({ url: options.url, timeoutMs, log });
  const head = createHead(connection);
  const closing = new AbortController();
  const limitOf = (inFlightMax: number, waitingMax: number): ConcurrencyLimit =>
    createConcurrencyLimit({
      inFlightMax,
      waitingMax,
      waitingBytesMax: WAITING_BYTES_MAX,
      waitMsMax: timeoutMs,
    });
  const reads = limitOf(READS_IN_FLIGHT_MAX, READS_WAITING_MAX);
  const appends = limitOf(options.appendsInFlightMax ?? 64, options.appendsWaitingMax ?? 10_000);
  const liveness = createLivenessMonitor(connection, silenceMs);
  const appending = createAppend(connection, { limit: appends, liveness, settleMs });
  const trouble = createHealth(connection, appending);

  const whileOpen = <T>(work: () => Promise<T>): Promise<T> =>
    closing.signal.aborted ? Promise.reject(closedError()) : work();
  const reading = <T>(work: () => Promise<T>): Promise<T> =>
    whileOpen(() => reads.run(() => liveness.whileHeard(work)));

  // Every GET that waits asks; one that comes during a read shares the next one.
  const readEnds = createCoalesced(() => readBucketEnds(connection));
  const source = { connection, head, liveness, log, quietMs, outageMs, closing: closing.signal };
  let closed: Promise<void> | undefined;
  const shut = async (): Promise<void> => {
    closing.abort();
    const idle = Promise.all([appends.empty(), reads.empty()]);
    await limited(timeoutMs + settleMs, idle).catch(() => undefined);
    await connection.close();
  };

  return {
    soleWriter: false,
    append: (stream, expected, events) =>
      whileOpen(() => appending.append(stream, expected, events)),
    read: (stream, readOptions = {}) => reading(() => readStream(connection, stream, readOptions)),
    readAll: (position, limit, buckets) =>
      reading(() =>
        isShare(buckets)
          ? readWanted(connection, { position, limit, buckets }, toRecorded)
          : readAll(connection, position, limit),
      ),
    bare: (position, limit, interest) =>
      reading(() => readWanted(connection, { position, limit, interest }, toBare)),
    follow: createSharedFollow({
      alone: (position, signal, interest, buckets) =>
        follow(position, signal, source, { interest, buckets }),
      head,
      liveness,
      quietMs,
    }),
    head: () => whileOpen(() => head.read()),
    end: () => whileOpen(() => readTop(connection)),
    bucketEnds: () => reading(readEnds),
    loadSnapshot: (stream) => reading(() => loadSnapshot(connection, stream)),
    saveSnapshot: (stream, snapshot, options) =>
      reading(() => saveSnapshot(connection, stream, snapshot, options)),
    health: async () => {
      if (closing.signal.aborted) return { ok: false, detail: closedError().message };
      const detail = await trouble();
      return detail === undefined ? { ok: true } : { ok: false, detail };
    },
    stats: () => {
      const { inFlight, waiting } = appends.stats();
      return { appendsInFlight: inFlight, appendsWaiting: waiting };
    },
    close: () => {
      closed ??= shut();
      return closed;
    },
  };
};
