import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Destroyed, Erase } from '../define.ts';
import { type Condition, type Views, ViewsUnavailable } from '../views.ts';
import type { CollectionWriter } from './collection-writer.ts';
import { parseCollection } from './collections.ts';
import { hasStored } from './partitions.ts';
import { type Slot, writersIn } from './slot.ts';

/** Documents of one chunk: other writes go on between two chunks. */
const CHUNK_DOCUMENTS = 500;
/** The chunk ends with the document that exceeds this length of JSON text. */
const CHUNK_CHARACTERS = 4 * 1024 * 1024;

/** The oldest month of the keys that a document's personal fields were sealed under. */
const MONTH = 'sealedMonth';

/** How many documents of each projection were emptied. */
export type Swept = Readonly<Record<string, number>>;

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

/** Documents of a chunk: of the writer's share, which are emptied now, and of others. */
interface Chunk {
  own: number;
  others: number;
}

/** Empties a chunk of documents, alone with the writer's partitions. */
const sweepChunk = (
  views: Views,
  writer: CollectionWriter,
  where: Where,
  destroyed: Destroyed,
): Promise<Chunk> =>
  writer.exclusive(async () => {
    if (writer.retired) return { own: 0, others: 0 };
    const { rows } = await views.scan<object>(writer.collection, {
      where,
      order: { field: MONTH, direction: 'ascending' },
      limit: CHUNK_DOCUMENTS,
      rowsMax: CHUNK_DOCUMENTS,
      charactersMax: CHUNK_CHARACTERS,
    });
    const own = rows.filter((row) => hasStored(writer, row));
    if (own.length > 0) {
      await views.replace(
        writer.collection,
        own.map((row) => ({ ...row, document: erased(writer, row.document, destroyed) })),
      );
    }
    for (const { id } of own) writer.recent.delete(id);
    return { own: own.length, others: rows.length - own.length };
  });

const sweepShare = async (
  views: Views,
  writer: CollectionWriter,
  destroyed: Destroyed,
): Promise<number> => {
  // Whoever catches up reads events again that it had read ahead.
  writer.sweeps += 1;
  let count = 0;
  for (const where of placesOf(writer.projection.erase as Erase<never>, destroyed)) {
    for (;;) {
      const { own, others } = await sweepChunk(views, writer, where, destroyed);
      count += own;
      if (own === 0 && others > 0) {
        throw new ViewsUnavailable(`${writer.collection} is not emptied by all its workers yet`);
      }
      if (own === 0) break;
      await nextTurn();
    }
  }
  return count;
};

/**
 * Throws while a collection is there that nothing sweeps: one of an older version, which serves until
 * its successor is built, or one that is about to be dropped.
 */
const demandAllSwept = async (
  views: Views,
  slots: readonly Slot[],
  swept: ReadonlySet<string>,
): Promise<void> => {
  const names = new Set(slots.map(({ projection }) => projection.name));
  for (const collection of await views.collections()) {
    if (swept.has(collection) || !names.has(parseCollection(collection)?.projection ?? ''))
      continue;
    throw new ViewsUnavailable(`${collection} has not been replaced yet`);
  }
};

/**
 * Takes out of the documents of all collections, serving or being built, what was sealed under
 * destroyed keys. The keys must be gone from the memory of the log's reader. Doing it again changes
 * nothing.
 */
export const sweepSlots = async (
  views: Views,
  slots: readonly Slot[],
  destroyed: Destroyed,
): Promise<Swept> => {
  const erasing = slots.filter(({ projection }) => projection.erase);
  const swept = new Set<string>();
  const counts: Record<string, number> = {};
  for (const slot of erasing) {
    const { name } = slot.projection;
    for (const writer of writersIn([slot])) {
      const count = await sweepShare(views, writer, destroyed);
      counts[name] = (counts[name] ?? 0) + count;
      swept.add(writer.collection);
    }
  }
  await demandAllSwept(views, erasing, swept);
  return counts;
};
