import { bucketOf, bucketOfAccount, NONE } from '../../events/bucket.ts';
import type { Projection } from '../define.ts';

/**
 * Partitions of a collection, of all `count`, that one writer folds: the buckets of accounts where
 * processes share the work, else one for all.
 */
export interface Share {
  readonly count: number;
  /** Changes while the writer lives; only between two batches. */
  readonly held: Set<number>;
}

interface Place {
  share: Share;
}

/** The partition of the documents that the events of a stream touch. */
export const partitionOf = ({ share }: Place, stream: string): number =>
  share.count === 1 ? 0 : bucketOf(stream);

/** Whether the writer folds all documents of its collection. */
const holdsAll = ({ share: { count, held } }: Place): boolean => held.size === count;

/** Whether the writer folds the events of a stream. */
export const holdsStream = (place: Place, stream: string): boolean =>
  holdsAll(place) || place.share.held.has(partitionOf(place, stream));

/** Whether the writer folds a document that holds personal data. */
export const holdsDocument = (
  place: Place & { projection: Pick<Projection, 'erase'> },
  { document }: { document: object },
): boolean => {
  const { accountId = null } = document as { accountId?: string | null };
  const bucket = place.projection.erase?.ofNone ? NONE : bucketOfAccount(accountId);
  return holdsAll(place) || place.share.held.has(bucket);
};
