import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '../../events/store.ts';
import type { Destroyed, Erase } from '../define.ts';
import { type Condition, type Views, ViewsUnavailable } from '../views.ts';
import { type CollectionWriter, holdsDocument } from './collection-writer.ts';
import { parseCollection } from './collections.ts';
import { type LiveGroup, whileNoneWrites } from './live-group.ts';
import { type Slot, writersIn } from './slots.ts';

/** Documents of one chunk: other writes go on between two chunks. */
const CHUNK_DOCUMENTS = 500;
/** The chunk ends with the document that exceeds this length of JSON text. */
const CHUNK_CHARACTERS = 4 * 1024 * 1024;

/** The oldest month of the keys that a document's personal fields were sealed under. */
const MONTH = 'sealedMonth';

const order = { field: MONTH, direction: 'ascending' } as const;
const ONE = { order, limit: 1, rowsMax: 1, charactersMax: CHUNK_CHARACTERS };

type Where = Readonly<Record<string, Condition>>;

/** Where the documents are that hold something personal of what was destroyed. */
export const placesOf = ({ by }: Pick<Erase<never>, 'by'>, destroyed: Destroyed): Where[] => {
  if ('through' in destroyed) {
    const { accountId, through } = destroyed;
    return [{ accountId, [MONTH]: { lte: through } }];
  }
  return [by]
    .flat()
    .flatMap((field) => destroyed.refs.map((ref) => ({ [field]: ref, [MONTH]: { gte: '' } })));
};

const erased = (writer: CollectionWriter, document: object, destroyed: Destroyed): object => {
  const { name, erase } = writer.projection;
  const { by, document: empty } = erase as Erase<object>;
  const left = empty(document, destroyed);
  const { [MONTH]: month = null, ...fields } = left as Record<string, string | null>;
  const isFound =
    'through' in destroyed
      ? month !== null && month <= destroyed.through
      : month !== null && [by].flat().some((field) => destroyed.refs.includes(fields[field] ?? ''));
  // The sweep would find it again, without end.
  if (isFound) throw new Error(`${name} keeps personal data in a document without its keys`);
  return left;
};

interface Sweeping {
  views: Views;
  group: LiveGroup;
  destroyed: Destroyed;
}

/**
 * Empties the documents of the writer's partitions that are among the first ones, alone with its partitions.
 * Resolves to their number: 0 also where documents of others come first.
 */
const sweepChunk = (
  { views, group, destroyed }: Sweeping,
  writer: CollectionWriter,
  where: Where,
): Promise<number> =>
  whileNoneWrites(group, async () => {
    if (writer.places.size === 0) return 0;
    const { rows } = await views.scan<object>(writer.collection, {
      where,
      order,
      limit: CHUNK_DOCUMENTS,
      rowsMax: CHUNK_DOCUMENTS,
      charactersMax: CHUNK_CHARACTERS,
    });
    const own = rows.filter((row) => holdsDocument(writer, row));
    if (own.length > 0) {
      await views.replace(
        writer.collection,
        own.map((row) => ({ ...row, document: erased(writer, row.document, destroyed) })),
      );
    }
    for (const { id } of own) writer.recent.delete(id);
    return own.length;
  });

const sweepPlaces = async (sweeping: Sweeping, writer: CollectionWriter): Promise<void> => {
  for (const where of placesOf(writer.projection.erase as Erase<never>, sweeping.destroyed)) {
    while ((await sweepChunk(sweeping, writer, where)) > 0) await nextTurn();
  }
};

const isInUse = ({ projection, serving, next }: Slot, collection: string): boolean =>
  parseCollection(collection)?.version === projection.version &&
  [serving, next?.writer.collection].includes(collection);

const haltedHere = (slot: Slot, collection: string): ReadonlySet<number> => {
  const writer = writersIn([slot]).find((one) => one.collection === collection);
  const places = [...(writer?.places ?? [])];
  return new Set(places.flatMap(([partition, { halt }]) => (halt ? [partition] : [])));
};

const isEmptied = async (
  views: Views,
  collection: string,
  wheres: readonly Where[],
): Promise<boolean> => {
  for (const where of wheres) {
    const { rows } = await views.scan(collection, { where, ...ONE });
    if (rows.length > 0) return false;
  }
  return true;
};

/**
 * Throws while a collection is there that nothing sweeps: one of an older version, which serves until
 * its successor is built, or one that is about to be dropped. Also while documents are not emptied, and
 * while what was opened before the destruction may still be written: by another worker, or by a call of
 * this one that was not answered. A writer that has passed the destruction has written these documents again.
 * A partition that has halted here may stay behind: nothing of it is written.
 */
const demandAllSwept = async (
  views: Views,
  slots: readonly Slot[],
  destroyed: Destroyed,
  after: Position,
): Promise<void> => {
  const [collections, checkpoints] = await Promise.all([views.collections(), views.checkpoints()]);
  for (const collection of collections) {
    const name = parseCollection(collection)?.projection;
    const slot = slots.find(({ projection }) => projection.name === name);
    if (!slot) continue;
    const places = checkpoints[collection];
    if (!places || !isInUse(slot, collection)) {
      throw new ViewsUnavailable(`${collection} has not been replaced yet`);
    }
    const halted = haltedHere(slot, collection);
    const hasPassed = (place: Position, partition: number) =>
      place >= after || halted.has(partition);
    const wheres = placesOf(slot.projection.erase as Erase<never>, destroyed);
    const isDone = places.every(hasPassed) && (await isEmptied(views, collection, wheres));
    if (!isDone) throw new ViewsUnavailable(`${collection} is not emptied by all its workers yet`);
  }
};

export interface Erasing {
  destroyed: Destroyed;
  /** The position of the event from which on no reader has the keys. */
  after: Position;
  /** Whether another process has made sure that the documents of all are emptied. */
  isDone: boolean;
}

/**
 * Takes out of the documents of all collections, serving or being built, what was sealed under
 * destroyed keys. The keys must be gone from the memory of the log's reader. Doing it again changes
 * nothing.
 */
export const sweepSlots = async (
  views: Views,
  { slots, group }: { slots: readonly Slot[]; group: LiveGroup },
  { destroyed, after, isDone }: Erasing,
): Promise<void> => {
  const erasing = slots.filter(({ projection }) => projection.erase);
  for (const slot of erasing) {
    for (const writer of writersIn([slot])) await sweepPlaces({ views, group, destroyed }, writer);
  }
  if (!isDone) await demandAllSwept(views, erasing, destroyed, after);
};
