import type { ExpectedError } from '../shared/errors.ts';
import type { Link } from './chain.ts';
import type { Fact } from './define.ts';

/** Who caused an event: an administrator with a token, or a person, whose name is read apart. */
export interface Actor {
  id: string;
  email?: string | undefined;
  name?: string | undefined;
}

/** The idempotent request that caused an event, and the part of a batch. */
export interface Claim {
  id: string;
  part?: number;
}

/** The metadata of every event. */
export interface Meta {
  /** Wall clock, ISO 8601. Order never depends on it. */
  at: string;
  requestId: string;
  accountId?: string;
  /** The cause of an event without a request: a reactor, or the id of an event. */
  cause?: string;
  by?: Actor;
  claim?: Claim | undefined;
  /** The span that the event follows from, as W3C has it; absent unless its trace is recorded. */
  traceparent?: string;
}

/** An event that is ready to be stored. A stable `id` makes a repeated append a no-op. */
export interface NewEvent<F extends Fact = Fact> {
  id: string;
  type: F['type'];
  version: number;
  data: F['data'];
  /** The JSON of `data`, where it was made already. */
  text?: string;
  meta: Meta;
  /** Of a link of a chain: what lies beside its text. Links of older versions have it in their data. */
  link?: Link;
}

/** The place of an event in the whole log. Opaque; positions of one log sort as plain strings. */
export type Position = string;

/** Before the first event. */
export const START: Position = '';

/** The expected revision of a stream that must not exist yet. */
export const NO_STREAM = -1;

/** An event of the log in today's shape. Revisions count from 0. */
export interface Recorded<F extends Fact = Fact> extends Omit<NewEvent<F>, 'text'> {
  stream: string;
  revision: number;
  position: Position;
  /** The stored data where it differs from `data`, of an event whose stored form is hashed. */
  asStored?: { version: number; data: unknown };
  /** The sealed part, where it was not opened: its fields in `data` are null. */
  sealed?: string;
  /** Of an event with a sealed part that was opened or is erased: the oldest month of its keys. */
  sealedMonth?: string;
  /** A key of the sealed part was destroyed: its fields in `data` are null for ever. */
  isErased?: true;
  /** Of the record of a sent message, where it was read through `completed`: its ChargeReserved. */
  charge?: Recorded;
}

/** Revision and position of the last event of an append. */
export interface Appended {
  revision: number;
  position: Position;
}

/** Most events of one read. */
export const READ_MAX = 1_000;

export interface ReadOptions {
  /** First revision to read; when absent the stream's first, or backwards its last. */
  from?: number;
  direction?: 'forwards' | 'backwards';
  /** Default READ_MAX, which is also the most. */
  limit?: number;
}

/** Stored event types, each with the first revision of interest. */
export type Interest = ReadonlyMap<string, number>;

/** These types, at any revision. */
export const interestIn = (types: Iterable<string>): Interest =>
  new Map(Array.from(types, (type) => [type, 0]));

export const isOfInterest = (
  interest: Interest | undefined,
  { type, revision }: { type: string; revision: number },
): boolean => {
  if (!interest) return true;
  const from = interest.get(type);
  return from !== undefined && revision >= from;
};

/** The state of one stream up to `revision`, so that a long stream loads in bounded time. */
export interface Snapshot {
  revision: number;
  /** Version of the fold; a reader of another version ignores the snapshot. */
  version: number;
  state: unknown;
}

/** The stream does not end at the expected revision. Nothing was written. */
export class WrongRevision extends Error {
  readonly stream: string;
  readonly expected: number;
  constructor(stream: string, expected: number) {
    super(`stream ${stream} does not end at revision ${expected}`);
    this.name = 'WrongRevision';
    this.stream = stream;
    this.expected = expected;
  }
}

/** Most bytes of one append, in every store: 1 MiB, the default of EventStoreDB. */
export const APPEND_BYTES_MAX = 1024 * 1024;

/** The events of one append exceed APPEND_BYTES_MAX together. */
export class AppendTooLarge extends Error {
  constructor(stream: string, bytes: number) {
    super(`an append of ${bytes} bytes to ${stream} is over 1 MiB`);
    this.name = 'AppendTooLarge';
  }
}

/**
 * The form of a log: the names of its streams, what an event is stored as, and what its links hash. A log
 * of another form is never opened; an embedded one can be copied (`waybill log copy`).
 */
export const LOG_FORMAT = 3;

/** The log has another format than this program's. Nothing was written. */
export class OtherFormat extends Error {
  /** `file`: the embedded log; null for one on EventStoreDB. */
  constructor(file: string | null, found: number) {
    const olderRemedy =
      file === null
        ? 'no command brings such a log over. Use the program that wrote it, or begin anew on an empty ' +
          'EventStoreDB and an empty MongoDB database'
        : 'bring it over with: waybill log copy --from <its folder> --to <a new folder or esdb://...>';
    super(
      `${file ?? 'The log on EventStoreDB'} is of format ${found}, and this program's is ${LOG_FORMAT}: ` +
        (found > LOG_FORMAT ? 'use the program that wrote it' : olderRemedy),
    );
    this.name = 'OtherFormat';
  }
}

/**
 * The answer cannot be known now, or the write not made: the log, the read models or the data keys are
 * too busy, full, behind, closed or out of reach. The class of every failure that a repetition can mend.
 */
export class StoreUnavailable extends Error implements ExpectedError {
  readonly isExpected = true;
  readonly retryAfterSeconds: number;
  constructor(message: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'StoreUnavailable';
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
  }
}

/** An event that comes without its data, which are the most of it, where it is a link of a chain. */
export interface BareEvent {
  stream: string;
  revision: number;
  position: Position;
  /** Of a link. */
  link?: Link;
  /** Of any other event. */
  event?: Recorded;
}

/**
 * Reads the log: the only truth. Stream names are `<category>-<id>`.
 *
 * A stored event of an unknown type, version or shape comes as a {@link Recorded} of type
 * {@link UNREADABLE}; the reader decides what to do with it.
 */
export interface EventReader {
  /** Events of one stream in the asked direction; none when there is no such stream. */
  read(stream: string, options?: ReadOptions): Promise<Recorded[]>;
  /**
   * Up to `limit` events after `position`, in log order. Continue from `to`. With buckets, an adapter may
   * leave out those of accounts in others.
   */
  readAll(
    position: Position,
    limit: number,
    buckets?: ReadonlySet<number>,
  ): Promise<{ events: Recorded[]; to: Position }>;
  /**
   * Batches of events after `position`, then new ones as they come, until the signal. The first batch
   * comes as soon as the log is followed, an empty one when no event has come yet. An empty batch says
   * that no event of interest precedes `to`. With an interest, an adapter may leave out other events,
   * which spares reading them; with buckets, also those of accounts in others, but none that belongs to
   * no account.
   */
  follow(
    position: Position,
    signal: AbortSignal,
    interest?: Interest,
    buckets?: ReadonlySet<number>,
  ): AsyncIterable<{ events: Recorded[]; to: Position }>;
  /** Position of the newest event of the whole log; START when it is empty. */
  head(): Promise<Position>;
  /** How far the log goes, events of others included. A position after it is of another log. */
  end(): Promise<Position>;
  /**
   * For each bucket a position that no event of it follows, and that a follower of that
   * bucket reaches, though others write all the time.
   */
  bucketEnds(): Promise<readonly Position[]>;
  /**
   * The stored snapshot, unchecked. A state that is not JSON comes as undefined, and an unreadable
   * revision as NO_STREAM.
   */
  loadSnapshot(stream: string): Promise<Snapshot | undefined>;
  /** Whether the log can serve now; never throws. */
  health(): Promise<{ ok: boolean; detail?: string }>;
  close(): Promise<void>;
}

/** Throws for arguments that make no append. */
export const mustBeAppend = (expected: number, events: readonly NewEvent[]): void => {
  if (events.length === 0) throw new Error('an append needs at least one event');
  if (!Number.isInteger(expected) || expected < NO_STREAM) {
    throw new Error(`${expected} is not a revision`);
  }
};

/** Reads and writes the log. */
export interface EventStore extends EventReader {
  /**
   * Events of these types after a position, `limit` at most, as `EventReader.readAll` but without what
   * links of chains hold: they are most of an account's events, and this is less work.
   */
  bare(
    position: Position,
    limit: number,
    types: Interest,
  ): Promise<{ events: BareEvent[]; to: Position }>;
  /** Whether the store keeps all other processes from writing to this log. */
  readonly soleWriter: boolean;
  /**
   * Appends all of the events or none; they are durable before it resolves. `expected` is the
   * revision of the stream's last event or NO_STREAM. Throws WrongRevision, AppendTooLarge,
   * StoreUnavailable. A repeated append, whose events already follow `expected` in order, resolves as
   * the first did.
   */
  append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended>;
  /**
   * Keeps the snapshot with the highest revision, or with `replace` this one. A lost snapshot costs
   * time, never truth.
   */
  saveSnapshot(stream: string, snapshot: Snapshot, options?: { replace?: boolean }): Promise<void>;
}

/** The type of an unreadable event. */
export const UNREADABLE = '$unreadable';

/** The type of an event as it is stored, also of an unreadable one. */
export const storedType = ({ type, data }: Pick<Recorded, 'type' | 'data'>): string =>
  type === UNREADABLE ? (data as { type: string }).type : type;
