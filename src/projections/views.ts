import { type Position, StoreUnavailable } from '../events/store.ts';
import type { IndexFields } from './define.ts';

export type Scalar = string | number | boolean | null;

export interface Range {
  gt?: string | number;
  gte?: string | number;
  lt?: string | number;
  lte?: string | number;
}

/** A value, or what the value of a field must be like. Null: it has none. */
export type Condition =
  | Scalar
  | Range
  | { in: readonly (string | number)[] }
  /** In none of it, or without a value. */
  | { not: Range }
  /** A text with this text in it, in the same case. */
  | { contains: string };

/**
 * A question to one collection. An index serves it: the one with the most leading fields that
 * `where` sets to a value, and the field of `order` right behind them. The other conditions are
 * looked at row by row.
 */
export interface Query {
  where: Readonly<Record<string, Condition>>;
  order: { field: string; direction: 'ascending' | 'descending' };
  limit: number;
  /** Only these fields of each document, null where it has none; the whole document when absent. */
  fields?: readonly string[];
}

/** A question that may be answered in parts, each of which costs no more than its bounds. */
export interface Scan extends Query {
  /** Rows of the index that are looked at. */
  rowsMax: number;
  /**
   * An adapter that reads in this process ends an answer earlier once it has worked this long on
   * it. Some hundred rows are looked at in any case. No such end when absent.
   */
  workMs?: number;
  /** An answer ends with the document that passes this length. In characters of JSON text. */
  charactersMax: number;
}

export interface Scanned<Doc = unknown> {
  rows: Kept<Doc>[];
  /**
   * The value of the order's field at the last row that was looked at: whoever asks again for what
   * comes behind it misses nothing. Null when nothing is left.
   */
  next: string | number | null;
}

/** A document as it is kept: what the fold made, and the newest event that it has seen. */
export interface Kept<Doc = unknown> {
  id: string;
  position: Position;
  document: Doc;
}

export interface Write {
  id: string;
  /** Position of the newest event in it. A write that is not newer than what is kept changes nothing. */
  position: Position;
  /** Null removes it. */
  document: object | null;
}

/** All writes of one batch to one collection, and how far the log has then been read for it. */
export interface Commit {
  collection: string;
  writes: readonly Write[];
  /** Checkpoint before and after; a commit whose `from` is not the stored one is refused. */
  from: Position;
  to: Position;
}

/** Somebody else has moved the checkpoint: this writer's picture is old and must not be written. */
export class StaleCheckpoint extends Error {
  constructor(collection: string) {
    super(`the checkpoint of ${collection} was moved by another writer`);
    this.name = 'StaleCheckpoint';
  }
}

/** This document can never be kept, however often it is tried: too large, or no JSON. */
export class Unwritable extends Error {
  readonly collection: string;
  /** Of the newest event in the document. */
  readonly position: Position;
  constructor(collection: string, position: Position, cause: unknown) {
    super(`${collection} cannot keep a document: ${(cause as Error).message}`, { cause });
    this.name = 'Unwritable';
    this.collection = collection;
    this.position = position;
  }
}

/**
 * The views cannot be read or written now. Whoever waits for the log when it is away waits for them
 * in the same way.
 */
export class ViewsUnavailable extends StoreUnavailable {
  constructor(message: string, options: ConstructorParameters<typeof StoreUnavailable>[1] = {}) {
    super(message, options);
    this.name = 'ViewsUnavailable';
  }
}

/** No index of the collection leads to the answer within bounds. */
export class Unserved extends ViewsUnavailable {
  constructor(collection: string, { where, order }: Query) {
    const fields = Object.keys(where).join(', ');
    super(`${collection} has no index for a question by ${fields} in order of ${order.field}`);
    this.name = 'Unserved';
  }
}

/** Rows that a question without bounds of its own may look at. */
export const FIND_ROWS_MAX = 10_000;

/**
 * Reads documents. A collection is one generation of one projection, such as `ledger_v1_1`; which
 * generation serves a projection's readers is kept beside them. Every call throws ViewsUnavailable
 * when a server does not answer.
 */
export interface ViewsReader {
  get<Doc>(collection: string, id: string): Promise<Kept<Doc> | undefined>;
  getMany<Doc>(collection: string, ids: readonly string[]): Promise<Kept<Doc>[]>;
  /** The whole answer, or Unserved where more than FIND_ROWS_MAX rows hold it. */
  find<Doc>(collection: string, query: Query): Promise<Kept<Doc>[]>;
  /**
   * A page, off the thread that asks where the adapter can. Ends soon after the signal, and then
   * rejects with its reason. Throws Unserved.
   */
  scan<Doc>(collection: string, scan: Scan, signal?: AbortSignal): Promise<Scanned<Doc>>;
  /** How far the log has been read into the collection; START when never. */
  checkpoint(collection: string): Promise<Position>;
  /** The same of all collections that are prepared. */
  checkpoints(): Promise<Readonly<Record<string, Position>>>;
  /** The collection that serves each projection. */
  live(): Promise<Readonly<Record<string, string>>>;
  /** Names of all collections, live or not. */
  collections(): Promise<string[]>;
  health(): Promise<{ ok: boolean; detail?: string }>;
  close(): Promise<void>;
}

/** Reads and writes documents. */
export interface Views extends ViewsReader {
  /**
   * Makes the collection and its indexes, if they are not there. `filters` are further fields that
   * queries look at: the adapter keeps them so that this is cheap.
   */
  prepare(
    collection: string,
    indexes: readonly IndexFields[],
    filters?: readonly string[],
  ): Promise<void>;
  /**
   * One commit is applied whole, documents before checkpoint; repeating it changes nothing. Until
   * it is done a reader may meet some of its documents and not the others.
   * Throws StaleCheckpoint, Unwritable.
   */
  commit(commits: readonly Commit[]): Promise<void>;
  /**
   * Lets the collection serve the projection's readers in place of `instead`, or as the first one
   * when that is undefined. True when the collection serves now. False when another one serves than
   * `instead`, or the collection is not prepared: the caller's picture is old, and it must read
   * `live` and `checkpoints` again.
   */
  promote(projection: string, collection: string, instead: string | undefined): Promise<boolean>;
  /** Removes the collection. False, and nothing changes, while it serves a projection. */
  drop(collection: string): Promise<boolean>;
}
