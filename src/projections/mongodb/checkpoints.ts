import { type Position, START } from '../../events/store.ts';
import type { Checkpoints } from '../checkpoints.ts';
import type { Commit } from '../views.ts';

/** The state of a collection, beside its documents. */
export interface Entry {
  _id: string;
  /** The checkpoint of a collection with one partition. */
  position: Position;
  /** Those of a collection with several partitions, by `p` and the partition's number. */
  positions?: Readonly<Record<string, Position>> | undefined;
  /**
   * Part of the name of the MongoDB collection. It counts up when a dropped name is used again, so a
   * late drop or write never meets the documents of a later collection. It starts at a random
   * number, so that this also holds after a loss of the whole database.
   */
  incarnation: number;
  state: 'open' | 'dropping' | 'dropped';
  /** The fields that queries compare; absent in a collection of an older program. */
  fields?: readonly string[];
}

export const checkpointsOf = ({ position, positions }: Entry): Checkpoints =>
  positions
    ? Array.from(Object.keys(positions), (_, partition) => positions[`p${partition}`] ?? START)
    : [position];

/** The checkpoints of a new collection. */
export const atStart = (partitions: number): Pick<Entry, 'position' | 'positions'> => {
  if (partitions === 1) return { position: START };
  const all = Array.from({ length: partitions }, (_, partition) => [`p${partition}`, START]);
  return { position: START, positions: Object.fromEntries(all) };
};

/** The fields of an entry with the checkpoints that the commit moves, at this position. */
export const fieldsAt = (entry: Entry, { partitions }: Commit, position: Position) => {
  if (!entry.positions) return { position };
  const moved = partitions ?? Object.keys(entry.positions).map((_, partition) => partition);
  return Object.fromEntries(moved.map((partition) => [`positions.p${partition}`, position]));
};

/** Whether the checkpoints that the commit moves are where it begins. */
export const isAt = (
  entry: Entry | undefined,
  { from, partitions }: Pick<Commit, 'from' | 'partitions'>,
): entry is Entry => {
  if (entry?.state !== 'open') return false;
  const checkpoints = checkpointsOf(entry);
  const moved = partitions ? partitions.map((partition) => checkpoints[partition]) : checkpoints;
  return moved.every((checkpoint) => checkpoint === from);
};
