import { type Position, START } from '../events/store.ts';

/** The checkpoint of each partition of a collection, by number. Their count never changes. */
export type Checkpoints = readonly Position[];

/** That of the partition that is furthest behind. */
export const slowestOf = (checkpoints: Checkpoints): Position => checkpoints.toSorted()[0] ?? START;
