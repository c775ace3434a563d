import type { Recorded } from '../../events/store.ts';
import type { Projection } from '../define.ts';

/** Partitions of a collection, of all `count`: those of its documents that one writer folds. */
export interface Share {
  readonly count: number;
  /** Changes while the writer lives; only between two batches. */
  readonly held: Set<number>;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A hash of 32 bits (FNV-1a over UTF-16 units): the same in every process and version. */
const hashOf = (text: string): number => {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  // The lower bits of FNV-1a alone spread badly over small counts.
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** The partition that all documents and events of a unit, such as an account, belong to. */
export const partitionOf = (unit: string, count: number): number =>
  count === 1 ? 0 : hashOf(unit) % count;

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
