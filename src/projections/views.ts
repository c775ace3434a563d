import { type Position, StoreUnavailable } from '../events/store.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { IndexFields } from './define.ts';

export type Scalar = string | number | boolean | null;

export interface Range {
  gt?: string | number;
  gte?: string | number;
  lt?: string | number;
  lte?: string | number;
}

/** One of these values. */
export interface OneOf {
  in: readonly (string | number)[];
}

/** A value, or a condition on the value of a field. Null matches a missing value. */
export type Condition =
  | Scalar
  | Range
  | OneOf
  /** Outside the range, or without a value. */
  | { not: Range }
  /** A text that contains this text; case matters. */
  | { contains: string };

/**
 * A query of one collection. It uses the index with the most leading fields that `where` sets to a
 * value or to one of several, followed by the field of `order`. The other conditions are compared row by row.
 */
export interface Query {
  where: Readonly<Record<string, Condition>>;
  order: { field: string; direction: 'ascending' | 'descending' };
  limit: number;
  /** Fields to return, null for missing ones; the whole document when absent. */
  fields?: readonly string[];
}

/** A query of bounded cost, answered page by page. */
export interface Scan extends Query {
  /** Most rows of the index that a page examines. */
  rowsMax: number;
  /**
   * An adapter that reads in this process ends the page after this much work, but not before some
   * hundred rows. No such bound when absent.
   */
  workMs?: number;
  /** The page ends with the document that exceeds this length, in characters as they are stored. */
  charactersMax: number;
}

export interface Scanned<Doc = unknown> {
  rows: Kept<Doc>[];
  /**
   * The value of the order's field in the last examined row: the next page begins after it. Null at
   * the end.
   */
  next: string | number | null;
}

/** A stored document, with the position of the newest event in it. */
export interface Kept<Doc = unknown> {
  id: string;
  position: Position;
  document: Doc;
}

export interface Write {
  id: string;
  /** Position of the newest event in it. Changes nothing if the stored document is as new. */
  position: Position;
  /** Null removes it. */
  document: object | null;
}

/** All writes of one batch to partitions of a collection, all when absent, and their checkpoint. */
export interface Commit {
  collection: string;
  partitions?: readonly number[];
  writes: readonly Write[];
  /** Checkpoint before and after. The views refuse a commit from another checkpoint. */
  from: Position;
  to: Position;
}

/** Why a partition of a collection goes no further, and at which event. */
export interface Halt {
  reason: string;
  position: Position;
  /** Null where that is not known: another process halted there. */
  stream: string | null;
}

/** The partitions of a collection that have halted, by number. */
export type Halts = ReadonlyMap<number, Halt>;

/** Another writer has moved the checkpoint. */
export class StaleCheckpoint extends Error {
  constructor(collection: string) {
    super(`the checkpoint of ${collection} was moved by another writer`);
    this.name = 'StaleCheckpoint';
  }
}

/** The views can never keep this document: it is too large, or not JSON. */
export class Unwritable extends Error {
  readonly collection: string;
  readonly id: string;
  readonly position: Position;
  constructor(
    collection: string,
    { id, position }: Pick<Write, 'id' | 'position'>,
    cause: unknown,
  ) {
    super(`${collection} cannot keep a document: ${(cause as Error).message}`, { cause });
    this.name = 'Unwritable';
    this.collection = collection;
    this.id = id;
    this.position = position;
  }
}

/** The views cannot be read or written now, or do not show yet what was asked for. */
export class ViewsUnavailable extends StoreUnavailable {
  constructor(message: string, options: ConstructorParameters<typeof StoreUnavailable>[1] = {}) {
    super(message, options);
    this.name = 'ViewsUnavailable';
  }
}

/** No index of the collection can answer the query within bounds. */
export class Unserved extends ViewsUnavailable {
  constructor(collection: string, { where, order }: Pick<Query, 'where' | 'order'>) {
    const fields = Object.keys(where).join(', ');
    super(`${collection} has no index for a question by ${fields} in order of ${order.field}`);
    this.name = 'Unserved';
  }
}

/** Rows that `find` may examine. */
export const FIND_ROWS_MAX = 10_000;

/**
 * Reads documents. A collection is one generation of one projection, such as `ledger_v1_1`; `live`
 * gives the generation that serves readers. Every call throws ViewsUnavailable when the server is
 * away.
 */
export interface ViewsReader {
  get<Doc>(collection: string, id: string): Promise<Kept<Doc> | undefined>;
  getMany<Doc>(collection: string, ids: readonly string[]): Promise<Kept<Doc>[]>;
  /** The whole answer. Throws Unserved when it takes more than FIND_ROWS_MAX rows. */
  find<Doc>(collection: string, query: Query): Promise<Kept<Doc>[]>;
  /**
   * A page, read in another thread where the adapter has one. Rejects with the signal's reason soon
   * after the signal. Throws Unserved.
   */
  scan<Doc>(collection: string, scan: Scan, signal?: AbortSignal): Promise<Scanned<Doc>>;
  /** The number of documents along an index. Throws Unserved unless that alone can tell. */
  count(collection: string, query: Pick<Query, 'where' | 'order'>): Promise<number>;
  /** The checkpoint of a collection: that of its slowest partition; START when it has none. */
  checkpoint(collection: string): Promise<Position>;
  /** The checkpoints of all prepared collections: one for each partition, by its number. */
  checkpoints(): Promise<Readonly<Record<string, Checkpoints>>>;
  /**
   * What the writers have told of partitions that are still before the event at which they halted. Nothing
   * where one process writes, which knows.
   */
  halts(): Promise<Readonly<Record<string, Halts>>>;
  /** The collection that serves each projection. */
  live(): Promise<Readonly<Record<string, string>>>;
  /** Names of all collections, live or not. */
  collections(): Promise<string[]>;
  health(): Promise<{ ok: boolean; detail?: string }>;
  close(): Promise<void>;
}

/** Reads and writes documents. New collections have so many `partitions`. */
export interface Views extends ViewsReader {
  readonly partitions: number;
  /**
   * Creates the collection and its indexes when missing. Queries compare the fields of the indexes
   * and the `filters`, and no others. `words` are those of them that hold few different texts.
   */
  prepare(
    collection: string,
    indexes: readonly IndexFields[],
    filters?: readonly string[],
    words?: readonly string[],
  ): Promise<void>;
  /**
   * Applies each commit whole, documents before checkpoint; a repetition changes nothing. Meanwhile a
   * reader may see some of its documents and not the others. Throws StaleCheckpoint, Unwritable.
   */
  commit(commits: readonly Commit[]): Promise<void>;
  /** Tells other processes that a partition of the collection halts. */
  halt(collection: string, partition: number, halt: Halt): Promise<void>;
  /**
   * Puts documents in place of those with the same id and position, and leaves the others alone: what
   * a fold made of events that have changed since, because their keys were destroyed.
   */
  replace(collection: string, documents: readonly Kept<object>[]): Promise<void>;
  /**
   * Removes from the adapter's own files what earlier documents left there. Throws ViewsUnavailable
   * when that cannot be done now.
   */
  clean(): Promise<void>;
  /**
   * Makes the collection serve the projection's readers instead of `instead`, or as the first one
   * when that is undefined. True when the collection serves now. False when another one than
   * `instead` serves, or the collection is not prepared: the caller must read `live` and
   * `checkpoints` again.
   */
  promote(projection: string, collection: string, instead: string | undefined): Promise<boolean>;
  /** Removes the collection. False, and nothing changes, while it serves a projection. */
  drop(collection: string): Promise<boolean>;
}
