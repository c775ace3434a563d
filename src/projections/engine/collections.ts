import type { Projection } from '../define.ts';
import type { Views } from '../views.ts';

// A collection is one generation of one version of a projection: `ledger_v2_5`. Generations count
// up over all versions, so the highest number is the newest collection.

interface Generation {
  projection: string;
  version: number;
  generation: number;
}

type Named = Pick<Projection, 'name' | 'version'>;

const nameOf = ({ name, version }: Named, generation: number): string =>
  `${name}_v${version}_${generation}`;

export const parseCollection = (collection: string): Generation | undefined => {
  const match = /^(.+)_v(\d+)_(\d+)$/.exec(collection);
  if (!match) return undefined;
  const [, projection = '', version, generation] = match;
  return { projection, version: Number(version), generation: Number(generation) };
};

/** The collections of a projection by their purpose. */
export interface Plan {
  /** The collection that readers use; undefined when there is none yet. */
  serving: string | undefined;
  /** Whether the serving collection has this program's version. */
  current: boolean;
  /** The collection of an unfinished build. */
  next: string | undefined;
  /** Name for a further generation. */
  fresh: string;
  /** Neither serving nor being built. */
  obsolete: string[];
}

export const planOf = (
  projection: Named,
  live: Readonly<Record<string, string>>,
  collections: readonly string[],
): Plan => {
  const own = collections
    .flatMap((collection) => parseCollection(collection) ?? [])
    .filter((one) => one.projection === projection.name)
    .sort((one, other) => one.generation - other.generation);
  const serving = live[projection.name];
  const served = serving === undefined ? undefined : parseCollection(serving);
  const newest = own.at(-1);
  const unfinished =
    newest?.version === projection.version && newest.generation > (served?.generation ?? 0);
  const next = unfinished ? nameOf(projection, newest.generation) : undefined;
  const all = own.map((one) => nameOf({ ...one, name: one.projection }, one.generation));
  return {
    serving,
    current: served?.version === projection.version,
    next,
    fresh: nameOf(projection, Math.max(newest?.generation ?? 0, served?.generation ?? 0) + 1),
    obsolete: all.filter((collection) => collection !== serving && collection !== next),
  };
};

/** Creates a collection of the projection when it is missing. */
export const prepareCollection = (
  views: Pick<Views, 'prepare'>,
  { indexes, filters, words }: Projection,
  collection: string,
): Promise<void> => views.prepare(collection, indexes, filters, words);

/**
 * Asks for a rebuild of a projection by creating its next generation, which the process that runs
 * the engine finds. Changes nothing while a build is unfinished.
 */
export const requestRebuild = async (views: Views, projection: Projection): Promise<void> => {
  const [live, collections] = await Promise.all([views.live(), views.collections()]);
  const { next, fresh } = planOf(projection, live, collections);
  await prepareCollection(views, projection, next ?? fresh);
};
