import type { KnownEvent, KnownFact } from '../events/index.ts';

type EventOf<T extends KnownFact['type']> = Extract<KnownEvent, { type: T }>;

/** How one event changes the documents of a projection. */
export interface Handler<Doc, E> {
  /** Ids of the documents that the event touches. */
  key(event: E): string | readonly string[];
  /**
   * The document after the event: the same one for no change, null to remove it. Pure, and the
   * only input beside the event is the document itself, so a rebuild gives the same bytes.
   */
  fold(document: Doc | undefined, event: E, id: string): Doc | null | undefined;
}

/**
 * Fields of a document in index order. `-` before a name sorts it downwards; `?` behind one leaves
 * documents out of the index in which it is null.
 */
export type IndexFields = readonly string[];

export interface Projection<Doc = unknown> {
  name: string;
  /** Raise it when a fold or an index changes: a fresh collection is then filled from the start. */
  version: number;
  /** Of two that serve a question equally well the first is taken: put the rarest values first. */
  indexes: readonly IndexFields[];
  /** Further fields that lists look at row by row. */
  filters?: readonly string[];
  on: { [T in KnownFact['type']]?: Handler<Doc, EventOf<T>> };
}

/** A fold of events into documents. Documents are JSON objects. */
export const defineProjection = <Doc extends object>(
  projection: Projection<Doc>,
): Projection<Doc> => projection;
