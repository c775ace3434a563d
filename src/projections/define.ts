import type { Destroyed } from '../events/erasure.ts';
import type { EventOf, KnownFact } from '../events/index.ts';

export type { Destroyed };

/** How one event changes the documents of a projection. */
export interface Handler<Doc, E> {
  /** Ids of the documents that the event touches. */
  key(event: E): string | readonly string[];
  /**
   * The document after the event: the same object for no change, null to remove it. Pure, so a
   * rebuild gives the same bytes.
   *
   * `other` gives another document of the event's keys. It is as it was before the event, or, where a
   * crash came between the writes of a batch, as it was after a later one.
   */
  fold(
    document: Doc | undefined,
    event: E,
    id: string,
    other: (id: string) => Doc | undefined,
  ): Doc | null | undefined;
  /** Whether the event is the first of its documents, which are then not looked for. */
  begins?(event: E): boolean;
}

/** A handler of an event that alone makes its documents. */
export const made = <Doc, E>(
  key: Handler<Doc, NoInfer<E>>['key'],
  make: (event: E, id: string) => Doc | undefined,
): Handler<Doc, E> => ({ key, begins: () => true, fold: (_, event, id) => make(event, id) });

/**
 * Fields of a document in index order. A `-` prefix sorts descending; a `?` suffix leaves documents
 * with null in that field out of the index.
 */
export type IndexFields = readonly string[];

/**
 * How personal data leave documents when keys are destroyed. A document that holds some has a field
 * `sealedMonth`: the oldest month of the keys that its personal fields were sealed under, null when
 * nothing personal is left. The projection has an index `[field, 'sealedMonth?']` for each field of
 * `by`, and `['accountId', 'sealedMonth?']` for months.
 */
export interface Erase<Doc> {
  /** The fields of a document with a ref of its contact. */
  by: string | readonly string[];
  /** Whether its events are in streams of no account, whatever its `accountId` says. */
  ofNone?: true;
  /**
   * The document without what the keys had sealed: the same as a rebuild makes of the events once
   * their personal fields are null. Its `sealedMonth` is then null, or later than the months, or its
   * fields of `by` do not name the refs any more.
   */
  document(document: Doc, destroyed: Destroyed): Doc;
}

export interface Projection<Doc = unknown> {
  name: string;
  /** Raise it with every change of a fold or an index: a new collection is then built. */
  version: number;
  /** The first of several equally suitable indexes serves a query: put the rarest values first. */
  indexes: readonly IndexFields[];
  /** Further fields that queries compare row by row. */
  filters?: readonly string[];
  /**
   * Fields of indexes and filters that hold texts, of which there are few, such as the ids of
   * accounts; never personal data. Queries compare them for equality only. An adapter may store a
   * number for each text, and keeps the texts for ever.
   */
  words?: readonly string[];
  /** Needed where documents hold personal data. */
  erase?: Erase<Doc>;
  on: { [T in KnownFact['type']]?: Handler<Doc, EventOf<T>> };
}

/** A fold of events into documents. Documents are JSON objects. */
export const defineProjection = <Doc extends object>(
  projection: Projection<Doc>,
): Projection<Doc> => projection;
