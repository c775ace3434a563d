import { START } from '../../events/store.ts';
import type { Checkpoints } from '../checkpoints.ts';
import type { Projection } from '../define.ts';
import type { Views } from '../views.ts';
import { type CollectionWriter, createCollectionWriter } from './collection-writer.ts';
import { prepareCollection } from './collections.ts';

/** Whether this process folds the documents of a partition. */
export type Holds = (partition: number) => boolean;

export const retire = (writers: readonly CollectionWriter[]): void => {
  for (const writer of writers) writer.retired = true;
};

/** Whether all its partitions are at one place, so that they can move together. */
export const isTogether = ({ share }: CollectionWriter, checkpoints: Checkpoints): boolean =>
  share.count === checkpoints.length &&
  new Set([...share.held].map((partition) => checkpoints[partition])).size <= 1;

/**
 * The writers of the partitions of a collection that this process holds: one for all that are at the
 * same place. Keeps those of `known` that fit, and retires the others.
 */
export const openWriters = async (
  { views, holds }: { views: Views; holds: Holds },
  projection: Projection,
  collection: string,
  known: readonly CollectionWriter[],
): Promise<readonly CollectionWriter[]> => {
  const isOpen = known.some((one) => one.collection === collection && !one.retired);
  if (!isOpen) await prepareCollection(views, projection, collection);
  const checkpoints = (await views.checkpoints())[collection] ?? [START];
  const kept: CollectionWriter[] = [];
  for (const one of known) {
    const fits = one.collection === collection && isTogether(one, checkpoints);
    if (fits && !one.retired) kept.push(one);
    else one.retired = true;
  }
  const taken = new Set(kept.flatMap(({ share }) => [...share.held]));
  const free = [...checkpoints.keys()].filter((one) => holds(one) && !taken.has(one));
  const count = checkpoints.length;
  const opened = [...Map.groupBy(free, (one) => checkpoints[one]!)].map(([position, partitions]) =>
    createCollectionWriter(projection, collection, position, { count, held: new Set(partitions) }),
  );
  return [...kept, ...opened];
};
