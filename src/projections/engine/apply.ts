import { type Position, type Recorded, START } from '../../events/store.ts';
import { Unwritable, type Views } from '../views.ts';
import { type CollectionWriter, splitOff } from './collection-writer.ts';
import { prepareCollection } from './collections.ts';
import { type Folded, foldEvents, refusal, settle, unreadableType } from './fold.ts';
import type { Open } from './open-events.ts';
import { partitionsOf } from './partitions.ts';
import { isTogether } from './writers.ts';

export interface Applying {
  views: Views;
  open: Open;
  /** Called when a writer halts. */
  onHalt: (writer: CollectionWriter) => void;
  /** Called with the writer of some partitions that one of the writers had before. */
  onSplit?: (part: CollectionWriter) => void;
  /** Called for an unreadable event. Writers that handle its type halt at it. */
  onUnreadable: (event: Recorded, type: string) => void;
}

/**
 * Folds a batch into all writers and commits it as one. A writer halts at an event that it cannot
 * fold and at a document that the views cannot keep; if only some of its partitions must, these get a
 * writer of their own. The others continue. Throws any other failure, after which no writer moved.
 */
export const applyBatch = (
  deps: Applying,
  writers: readonly CollectionWriter[],
  batch: { events: readonly Recorded[]; to: Position },
): Promise<void> =>
  writers.reduce<() => Promise<void>>(
    (work, writer) => () => writer.exclusive(work),
    () => applyAlone(deps, writers, batch),
  )();

/** The writer of the document that the views refused, where another partition of it can go on. */
const refusedIn = (folded: readonly Folded[], { collection, id }: Unwritable) => {
  for (const { writer, commit } of folded) {
    const write = commit.writes.find((one) => one.id === id);
    if (commit.collection !== collection || !write) continue;
    const event = { data: write.document ?? {} };
    return { writer, halting: partitionsOf(writer, [id], event) };
  }
  return undefined;
};

const applyAlone = async (
  { views, open, onHalt, onSplit, onUnreadable }: Applying,
  writers: readonly CollectionWriter[],
  batch: { events: readonly Recorded[]; to: Position },
): Promise<void> => {
  const parts: CollectionWriter[] = [];
  /** The writer of these partitions alone. */
  const alone = (writer: CollectionWriter, halting: ReadonlySet<number>): CollectionWriter => {
    if (halting.size >= writer.share.held.size) return writer;
    const part = splitOff(writer, halting);
    parts.push(part);
    return part;
  };

  const commit = async (moving: readonly CollectionWriter[]): Promise<Folded[]> => {
    const folded = await foldEvents({ views, open }, moving, batch.events, batch.to);
    for (const { writer, halt, halting } of folded) {
      const part = halt ? alone(writer, halting) : writer;
      if (part !== writer) return commit([...moving, part]);
    }
    try {
      const moved = folded.filter((one) => one.commit.to > one.commit.from);
      if (moved.length > 0) await views.commit(moved.map((one) => one.commit));
      return folded;
    } catch (error) {
      const refused = error instanceof Unwritable && refusedIn(folded, error);
      if (!refused) throw error;
      const part = alone(refused.writer, refused.halting);
      part.halt = refusal(error);
      return commit(moving.filter((one) => one !== part));
    }
  };

  try {
    for (const one of await commit(writers)) settle(one);
  } finally {
    for (const part of parts) onSplit?.(part);
  }
  for (const event of batch.events) {
    const type = unreadableType(event);
    if (type !== undefined) onUnreadable(event, type);
  }
  for (const writer of [...writers, ...parts]) if (writer.halt) onHalt(writer);
};

/** The checkpoint of a writer. Retires the writer where its partitions are at several places. */
const placeAt = (writer: CollectionWriter, checkpoints: readonly Position[]): Position => {
  if (!isTogether(writer, checkpoints)) writer.retired = true;
  const [first = 0] = writer.share.held;
  return checkpoints[first] ?? START;
};

/**
 * Reads the checkpoints again and forgets the cached documents. Creates a missing collection, as
 * after a loss of the views; it is then built from the start of the log.
 */
export const reload = async (views: Views, writers: readonly CollectionWriter[]): Promise<void> => {
  await Promise.all(
    writers.map(async (writer) => {
      writer.recent.clear();
      await prepareCollection(views, writer.projection, writer.collection);
    }),
  );
  const checkpoints = await views.checkpoints();
  for (const writer of writers) {
    writer.position = placeAt(writer, checkpoints[writer.collection] ?? [START]);
  }
};
