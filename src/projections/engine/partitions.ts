import type { Recorded } from '../../events/store.ts';
import { partitionOf } from '../../shared/partition.ts';
import type { Projection } from '../define.ts';

/** Partitions of a collection, of all `count`: those of its documents that one writer folds. */
export interface Share {
  readonly count: number;
  /** Changes while the writer lives; only between two batches. */
  readonly held: Set<number>;
}

interface Place {
  projection: Pick<Projection, 'unit'>;
  share: Share;
}

const partitionIn = (
  { projection: { unit }, share }: Place,
  id: string,
  content: object,
): number => {
  const value = unit === undefined ? id : (content as Record<string, unknown>)[unit];
  return partitionOf(String(value), share.count);
};

/** Whether the writer folds all documents of its collection. */
export const holdsAll = ({ share: { count, held } }: Place): boolean => held.size === count;

/** Whether the writer folds a document that the event touches. */
export const hasTouched = (writer: Place, id: string, { data }: Recorded): boolean =>
  holdsAll(writer) || writer.share.held.has(partitionIn(writer, id, data as object));

/** Whether the writer folds a stored document. */
export const hasStored = (writer: Place, { id, document }: { id: string; document: object }) =>
  holdsAll(writer) || writer.share.held.has(partitionIn(writer, id, document));

/** The partitions of documents that an event touches. */
export const partitionsOf = (
  writer: Place,
  ids: readonly string[],
  { data }: Pick<Recorded, 'data'>,
): ReadonlySet<number> => new Set(ids.map((id) => partitionIn(writer, id, data as object)));
