import type { Collection, UpdateFilter } from 'mongodb';
import { type Position, START } from '../../events/store.ts';
import { type Checkpoints, furthestOf } from '../checkpoints.ts';
import { type Commit, type Halt, type Halts, StaleCheckpoint } from '../views.ts';
import { type Connection, DURABLE, LIMIT_MS } from './connection.ts';
import { isDuplicate } from './failure.ts';

const ID = 'all';
/** Characters of a halt's reason that are kept. */
const REASON_MAX = 1_000;

/** A partition of all read models. */
interface Shared {
  /** Counts its changes. Each is guarded by it, so a process that was overtaken changes nothing. */
  fence: number;
  /** The checkpoint of the collections that have none of their own here. */
  at: Position;
}

/** A collection, with the checkpoints of the partitions that are elsewhere than the shared ones. */
interface Own {
  incarnation: number;
  at: Readonly<Record<string, Position>>;
  /** Where partitions have halted. One whose checkpoint has come there since goes on. */
  halts?: Readonly<Record<string, Pick<Halt, 'reason' | 'position'>>>;
}

/**
 * All checkpoints, in one document: read models that are live move together, so a batch changes one
 * position for each partition, however many read models there are. One that is being filled, or has
 * halted, has its own.
 */
interface Places {
  _id: string;
  shared: Readonly<Record<string, Shared>>;
  collections: Readonly<Record<string, Own>>;
}

const nameOf = (partition: number): string => `p${partition}`;

const fresh = <T>(partitions: number, make: () => T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: partitions }, (_, one) => [nameOf(one), make()]));

const checkpointIn = ({ shared }: Places, { at }: Own, partition: number): Position => {
  const name = nameOf(partition);
  return at[name] ?? shared[name]!.at;
};

const checkpointsIn = (places: Places, own: Own): Checkpoints =>
  Array.from(Object.keys(places.shared), (_, one) => checkpointIn(places, own, one));

const haltsIn = (places: Places, own: Own): Halts => {
  const checkpoints = checkpointsIn(places, own);
  const halts = checkpoints.flatMap((at, partition): [number, Halt][] => {
    const halt = own.halts?.[nameOf(partition)];
    return halt && halt.position > at ? [[partition, { ...halt, stream: null }]] : [];
  });
  return new Map(halts);
};

const partitionsOf = ({ shared }: Places, { partitions }: Commit): readonly number[] =>
  partitions ?? [...Object.keys(shared).keys()];

/** Throws where a checkpoint that the commits move is not where they begin. */
const demandFrom = (places: Places | undefined, commits: readonly Commit[]): Places => {
  for (const commit of commits) {
    const own = places?.collections[commit.collection];
    const isThere = (partition: number) =>
      own && checkpointIn(places, own, partition) === commit.from;
    if (!places || !partitionsOf(places, commit).every(isThere)) {
      throw new StaleCheckpoint(commit.collection);
    }
  }
  return places!;
};

/** The change that moves the checkpoints of one partition. */
const moveOf = ({ shared, collections }: Places, partition: number, commits: readonly Commit[]) => {
  const name = nameOf(partition);
  const { fence, at } = shared[name]!;
  const together = Object.keys(collections).filter(
    (one) => collections[one]!.at[name] === undefined,
  );
  const moving = new Map(commits.map((one) => [one.collection, one]));
  const isMoved = together.length === 0 || together.some((one) => moving.has(one));
  const ahead = commits.filter(({ from }) => together.length === 0 || from === at);
  const to = isMoved ? furthestOf(ahead.map((one) => one.to)) : at;
  const own = new Map<string, Position | null>();
  // They have halted, or were left out: they stay behind.
  if (isMoved) for (const one of together) if (!moving.has(one)) own.set(one, at);
  for (const one of commits) own.set(one.collection, one.to === to ? null : one.to);
  return { name, fence, to, own };
};

const changeOf = (places: Places, commits: readonly Commit[]) => {
  const filter: Record<string, string | number> = { _id: ID };
  const set: Record<string, string | number> = {};
  const unset: Record<string, ''> = {};
  const guard = (collection: string): void => {
    filter[`collections.${collection}.incarnation`] = places.collections[collection]!.incarnation;
  };
  for (const { collection } of commits) guard(collection);
  const moved = new Set(commits.flatMap((one) => partitionsOf(places, one)));
  for (const partition of moved) {
    const own = commits.filter((one) => partitionsOf(places, one).includes(partition));
    const move = moveOf(places, partition, own);
    filter[`shared.${move.name}.fence`] = move.fence;
    set[`shared.${move.name}.fence`] = move.fence + 1;
    set[`shared.${move.name}.at`] = move.to;
    for (const [collection, at] of move.own) {
      const isShared = places.collections[collection]!.at[move.name] === undefined;
      if (at === null && isShared) continue;
      guard(collection);
      const path = `collections.${collection}.at.${move.name}`;
      if (at === null) unset[path] = '';
      else set[path] = at;
    }
  }
  const update = { $set: set, ...(Object.keys(unset).length > 0 && { $unset: unset }) };
  return { filter, update: update as UpdateFilter<Places> };
};

/** The checkpoints of new collections have so many partitions. */
export const createCheckpoints = ({ db, call }: Connection, partitions: number) => {
  const documents: Collection<Places> = db.collection('views.checkpoints');

  const read = async (): Promise<Places | undefined> => {
    const options = { maxTimeMS: LIMIT_MS.read };
    const found = await call(LIMIT_MS.read, () => documents.findOne({ _id: ID }, options));
    return found ?? undefined;
  };
  const update = (filter: object, change: UpdateFilter<Places>, upsert = false) =>
    call(LIMIT_MS.write, () =>
      documents.updateOne({ _id: ID, ...filter }, change, { ...DURABLE, upsert }),
    );

  const ofEach = async <T>(tell: (places: Places, own: Own) => T): Promise<Record<string, T>> => {
    const places = await read();
    const entries = Object.entries(places?.collections ?? {});
    return Object.fromEntries(entries.map(([name, own]) => [name, tell(places!, own)]));
  };

  return {
    /** What the commits begin from. Throws StaleCheckpoint. */
    demand: async (commits: readonly Commit[]): Promise<Places> =>
      demandFrom(await read(), commits),
    incarnationIn: ({ collections }: Places, collection: string): number =>
      collections[collection]!.incarnation,
    all: () => ofEach(checkpointsIn),
    halts: () => ofEach(haltsIn),
    /** The name of the stream is not kept: it may hold a customer's number. */
    async halt(collection: string, partition: number, { reason, position }: Halt): Promise<void> {
      const path = `collections.${collection}`;
      const halt = { reason: reason.slice(0, REASON_MAX), position };
      const change = { $set: { [`${path}.halts.${nameOf(partition)}`]: halt } };
      await update({ [`${path}.incarnation`]: { $exists: true } }, change);
    },
    /** Moves all checkpoints to the ends of these commits, or none. Throws StaleCheckpoint. */
    async move(commits: readonly Commit[], places: Places): Promise<void> {
      const change = changeOf(places, commits);
      const { matchedCount } = await update(change.filter, change.update);
      if (matchedCount === 0) throw new StaleCheckpoint(commits[0]!.collection);
    },
    /** Puts a new collection, or a later one of the same name, at the start. */
    async open(collection: string, incarnation: number): Promise<void> {
      const start = { shared: fresh(partitions, () => ({ fence: 0, at: START })), collections: {} };
      await update({}, { $setOnInsert: start }, true).catch((error: unknown) => {
        if (!isDuplicate(error)) throw error;
      });
      const path = `collections.${collection}`;
      const own: Own = { incarnation, at: fresh(partitions, () => START) };
      await update({ [`${path}.incarnation`]: { $ne: incarnation } }, { $set: { [path]: own } });
    },
    async close(collection: string): Promise<void> {
      await update({}, { $unset: { [`collections.${collection}`]: '' } });
    },
  };
};
