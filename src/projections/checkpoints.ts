import { type Position, START } from '../events/store.ts';

/** The checkpoint of each partition of a collection, by number. Their count never changes. */
export type Checkpoints = readonly Position[];

/** That of the partition that is furthest behind. */
export const slowestOf = (checkpoints: Checkpoints): Position => checkpoints.toSorted()[0] ?? START;

export const furthestOf = (checkpoints: Checkpoints): Position => {
  let furthest = START;
  for (const one of checkpoints) if (one > furthest) furthest = one;
  return furthest;
};

/**
 * Where the log ends for each of `count` partitions, by the ends of the buckets: a bucket is a partition,
 * or one partition has the events of all.
 */
export const endsOf = (count: number, ends: readonly Position[]): readonly Position[] =>
  count === 1 ? ends.toSorted().slice(-1) : ends;
