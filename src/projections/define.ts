import type { KnownEvent, KnownFact } from '../events/index.ts';

type EventOf<T extends KnownFact['type']> = Extract<KnownEvent, { type: T }>;

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
}

/**
 * Fields of a document in index order. A `-` prefix sorts descending; a `?` suffix leaves documents
 * with null in that field out of the index.
 */
export type IndexFields = readonly string[];

export interface Projection<Doc = unknown> {
  name: string;
  /** Raise it with every change of a fold or an index: a new collection is then built. */
  version: number;
  /** The first of several equally suitable indexes serves a query: put the rarest values first. */
  indexes: readonly IndexFields[];
  /** Further fields that queries compare row by row. */
  filters?: readonly string[];
  on: { [T in KnownFact['type']]?: Handler<Doc, EventOf<T>> };
}

/** A fold of events into documents. Documents are JSON objects. */
export const defineProjection = <Doc extends object>(
  projection: Projection<Doc>,
): Projection<Doc> => projection;
