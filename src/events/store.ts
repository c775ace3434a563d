import type { ExpectedError } from '../shared/errors.ts';
import type { Fact } from './define.ts';

/** Who did it, when the act was an administrator's. */
export interface Actor {
  id: string;
  email: string;
  name: string;
}

/** The idempotent request under which something is done, and which part of it: a batch has many. */
export interface Claim {
  id: string;
  part?: number;
}

/** What every event carries beside its data. */
export interface Meta {
  /** Wall clock, ISO 8601. Order never depends on it. */
  at: string;
  requestId: string;
  accountId?: string;
  /** What made the program act where no request did: a reactor, or the id of an event. */
  cause?: string;
  by?: Actor;
  claim?: Claim | undefined;
}

/** An event that is ready to be stored. A stable `id` makes a repeated append a no-op. */
export interface NewEvent<F extends Fact = Fact> {
  id: string;
  type: F['type'];
  version: number;
  data: F['data'];
  meta: Meta;
}

/** Where an event stands in the whole log. Opaque; positions of one log sort as plain strings. */
export type Position = string;

/** Before the first event. */
export const START: Position = '';

/** The expected revision of a stream that must not exist yet. */
export const NO_STREAM = -1;

/** An event as the log holds it, read as today's shape. Revisions count from 0. */
export interface Recorded<F extends Fact = Fact> extends NewEvent<F> {
  stream: string;
  revision: number;
  position: Position;
  /**
   * The data as it is stored, of a money event that holds more than anybody writes: its hash does
   * not fit, and whoever verifies it must see what was added.
   */
  asStored?: unknown;
}

/** Where an append ended: revision and position of its last event. */
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

/** Types under which events are stored, each with the first revision that is of interest. */
export type Interest = ReadonlyMap<string, number>;

/** These types, wherever in their streams. */
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

/** A fold of one stream up to `revision`, kept so that a long stream loads in bounded time. */
export interface Snapshot {
  revision: number;
  /** Version of the fold; a reader that folds otherwise ignores the snapshot. */
  version: number;
  state: unknown;
}

/** The stream does not end where the writer thought. Nothing was written. */
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

/** The events of one append are larger together than any store of ours takes (1 MiB). */
export class AppendTooLarge extends Error {
  constructor(stream: string, bytes: number) {
    super(`an append of ${bytes} bytes to ${stream} is over 1 MiB`);
    this.name = 'AppendTooLarge';
  }
}

/** The log cannot take or give events now: too busy, full, closed or out of reach. */
export class StoreUnavailable extends Error implements ExpectedError {
  readonly isExpected = true;
  readonly retryAfterSeconds: number;
  constructor(message: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'StoreUnavailable';
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
  }
}

/**
 * Reads the log: the only truth. Stream names are `<category>-<id>`.
 *
 * A stored event that this program cannot read (unknown type or version, wrong shape) arrives as a
 * {@link Recorded} of type {@link UNREADABLE}; the reader decides what to do with it.
 */
export interface EventReader {
  /** Events of one stream in the asked direction; none when there is no such stream. */
  read(stream: string, options?: ReadOptions): Promise<Recorded[]>;
  /** Up to `limit` events after `position`, in log order. `to` is where to go on. */
  readAll(position: Position, limit: number): Promise<{ events: Recorded[]; to: Position }>;
  /**
   * Batches of events after `position`, then new ones as they come, until aborted. An empty batch
   * says that no event of interest precedes `to`. With an interest, an adapter may leave out other
   * events, which spares reading them.
   */
  follow(
    position: Position,
    signal: AbortSignal,
    interest?: Interest,
  ): AsyncIterable<{ events: Recorded[]; to: Position }>;
  /** Position of the newest event of the whole log; START when it is empty. */
  head(): Promise<Position>;
  /**
   * The stored snapshot, unchecked. A state that is no JSON comes as undefined, and an unreadable
   * revision as NO_STREAM.
   */
  loadSnapshot(stream: string): Promise<Snapshot | undefined>;
  /** Whether it can serve now; never throws. */
  health(): Promise<{ ok: boolean; detail?: string }>;
  close(): Promise<void>;
}

/** Reads and writes the log. */
export interface EventStore extends EventReader {
  /** Whether the store keeps all other processes from writing to this log. */
  readonly soleWriter: boolean;
  /**
   * All of the events or none, durable before it resolves. `expected` is the revision of the
   * stream's last event or NO_STREAM. Throws WrongRevision, AppendTooLarge, StoreUnavailable.
   * Repeating an append whose events are already there, in order, right after `expected`, resolves as the first did.
   */
  append(stream: string, expected: number, events: readonly NewEvent[]): Promise<Appended>;
  /**
   * Keeps the snapshot with the highest revision, or with `replace` this one. A lost snapshot costs
   * time, never truth.
   */
  saveSnapshot(stream: string, snapshot: Snapshot, options?: { replace?: boolean }): Promise<void>;
}

/** The type under which an event that cannot be read is handed out. */
export const UNREADABLE = '$unreadable';
