import { setImmediate as othersHaveRun } from 'node:timers/promises';
import { type Position, type Recorded, START, storedType, UNREADABLE } from '../../events/store.ts';
import type { Handler, Projection } from '../define.ts';
import { type Commit, Unwritable, type Views, type Write } from '../views.ts';
import { type CollectionWriter, type Halt, splitOff } from './collection-writer.ts';
import { prepareCollection } from './collections.ts';
import { type Open, openWanted, readsSealed } from './open-events.ts';
import { holdsStream, partitionOf } from './partitions.ts';
import { isTogether } from './writers.ts';

/** Folds in a row before the event loop runs other work: a few milliseconds. */
const FOLDS_IN_A_ROW = 1000;

interface Touched {
  document: object | undefined;
  position: Position;
  changed: boolean;
  /** Of the events that touch it. */
  stream: string;
}

interface Step {
  event: Recorded;
  handler: Handler<object, Recorded>;
  ids: readonly string[];
}

interface Task {
  writer: CollectionWriter;
  steps: Step[];
  touched: Map<string, Touched>;
  missing: string[];
  /** The checkpoint after the batch: the end of the batch, or before the event of the halt. */
  to: Position;
  halt: Halt | null;
}

/** A writer's documents after a batch; not stored yet. */
export interface Folded {
  writer: CollectionWriter;
  commit: Commit;
  touched: Map<string, Touched>;
  halt: Halt | null;
  /** The partition that halts. */
  halting: number | undefined;
}

const handlerOf = ({ on }: Projection, type: string): Handler<object, Recorded> | undefined =>
  Object.hasOwn(on, type)
    ? ((on as Record<string, unknown>)[type] as Handler<object, Recorded>)
    : undefined;

/** The stored type of an unreadable event; undefined for a readable one. */
const unreadableType = (event: Recorded): string | undefined =>
  event.type === UNREADABLE ? storedType(event) : undefined;

const haltAt = (event: Recorded, reason: string): Halt => ({
  reason,
  position: event.position,
  stream: event.stream,
});

const begin = (writer: CollectionWriter, events: readonly Recorded[], to: Position): Task => {
  const task: Task = { writer, steps: [], touched: new Map(), missing: [], to, halt: null };
  let before = writer.position;
  for (const event of events) {
    if (event.position <= writer.position) continue;
    const halt = take(task, event);
    if (halt) return { ...task, to: before, halt };
    before = event.position;
  }
  return task;
};

const take = (task: Task, event: Recorded): Halt | undefined => {
  const { writer, steps } = task;
  const stored = unreadableType(event);
  const handler = handlerOf(writer.projection, stored ?? event.type);
  if (!handler || !holdsStream(writer, event.stream)) return undefined;
  if (stored !== undefined) {
    const { reason } = event.data as { reason: string };
    return haltAt(event, `${stored} cannot be read: ${reason}`);
  }
  try {
    const key = handler.key(event);
    const ids = typeof key === 'string' ? [key] : key;
    if (ids.length === 0) return undefined;
    const isNew = handler.begins?.(event) ?? false;
    for (const id of ids) touch(task, id, { stream: event.stream, isNew });
    steps.push({ event, handler, ids });
    return undefined;
  } catch (error) {
    return haltAt(event, `${event.type} cannot be folded: ${(error as Error).message}`);
  }
};

const touch = (
  { writer, touched, missing }: Task,
  id: string,
  { stream, isNew }: { stream: string; isNew: boolean },
): void => {
  if (touched.has(id)) return;
  const { document, position = '' } = writer.recent.get(id) ?? {};
  if (!document && !isNew) missing.push(id);
  touched.set(id, { document, position, changed: false, stream });
};

const load = async (views: Views, { writer, missing, touched }: Task): Promise<void> => {
  if (missing.length === 0) return;
  for (const { id, document, position } of await views.getMany<object>(
    writer.collection,
    missing,
  )) {
    Object.assign(touched.get(id)!, { document, position });
  }
};

/** The event with its personal fields, where the fold may read them. Throws for an unreadable one. */
const opened = (
  { writer }: Task,
  { event }: Step,
  found: ReadonlyMap<Recorded, Recorded>,
): Recorded => {
  const read = (readsSealed(writer.projection, event) && found.get(event)) || event;
  if (read.type !== UNREADABLE) return read;
  throw new Error((read.data as { reason: string }).reason);
};

/** Folds one event into all its documents, or throws and changes none of them. */
const step = ({ touched }: Task, { handler, ids }: Step, event: Recorded): void => {
  const before = (id: string) => touched.get(id)?.document;
  const after = ids.map((id) => handler.fold(before(id), event, id, before));
  for (const [index, id] of ids.entries()) {
    const entry = touched.get(id);
    const document = after[index];
    // A document that has seen the event stays unchanged, so that a replay changes nothing.
    if (!entry || event.position <= entry.position) continue;
    if (document === undefined || document === entry.document) continue;
    if (document === null && entry.document === undefined) continue;
    entry.document = document ?? undefined;
    entry.position = event.position;
    entry.changed = true;
  }
};

const fold = async (task: Task, found: ReadonlyMap<Recorded, Recorded>): Promise<Folded> => {
  let { to, halt } = task;
  let halting = halt?.stream == null ? undefined : partitionOf(task.writer, halt.stream);
  let before = task.writer.position;
  for (const [index, one] of task.steps.entries()) {
    if (index % FOLDS_IN_A_ROW === FOLDS_IN_A_ROW - 1) await othersHaveRun();
    try {
      step(task, one, opened(task, one, found));
    } catch (error) {
      halt = haltAt(one.event, `${one.event.type} cannot be folded: ${(error as Error).message}`);
      halting = partitionOf(task.writer, one.event.stream);
      to = before;
      break;
    }
    before = one.event.position;
  }
  return { ...finish(task, to), halt, halting };
};

const finish = ({ writer, touched }: Task, to: Position) => {
  const writes: Write[] = [];
  for (const [id, { document = null, position, changed }] of touched) {
    if (changed) writes.push({ id, position, document });
  }
  const { collection, share, position: from } = writer;
  const partitions = [...share.held];
  return { writer, commit: { collection, writes, from, to, partitions }, touched };
};

/** Folds the events into the documents of all writers. Changes only what it returns. */
export const foldEvents = async (
  { views, open }: { views: Views; open: Open },
  writers: readonly CollectionWriter[],
  events: readonly Recorded[],
  to: Position,
): Promise<Folded[]> => {
  const tasks = writers.map((writer) => begin(writer, events, to));
  const wanted = new Set<Recorded>();
  for (const { writer, steps } of tasks) {
    for (const { event } of steps) if (readsSealed(writer.projection, event)) wanted.add(event);
  }
  const [found] = await Promise.all([
    openWanted(open, events, wanted),
    ...tasks.map((task) => load(views, task)),
  ]);
  const folded: Folded[] = [];
  for (const task of tasks) folded.push(await fold(task, found));
  return folded;
};

/** Moves the writer to the end of a committed batch. One that was further on stays there. */
export const settle = ({ writer, commit, touched, halt }: Folded): void => {
  if (commit.to > commit.from) writer.position = commit.to;
  writer.halt = halt;
  for (const [id, { document, position }] of touched) {
    if (document) writer.recent.set(id, { id, position, document });
    else writer.recent.delete(id);
  }
};

/** The halt before a batch that contains a document which the views can never keep. */
export const refusal = ({ message, position }: Unwritable): Halt => ({
  reason: message,
  position,
  stream: null,
});

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

/** The writer of the document that the views refused, and its partition. */
const refusedIn = (folded: readonly Folded[], { collection, id }: Unwritable) => {
  for (const { writer, touched } of folded) {
    const found = writer.collection === collection ? touched.get(id) : undefined;
    if (found?.changed) return { writer, halting: partitionOf(writer, found.stream) };
  }
  return undefined;
};

/**
 * Folds a batch into all writers and commits it as one. A writer halts at an event that it cannot
 * fold and at a document that the views cannot keep: the partition of that gets a writer of its own,
 * and the others continue. Throws any other failure, after which no writer moved. Call it under the
 * lock of the group, or of those that catch up.
 */
export const applyBatch = async (
  { views, open, onHalt, onSplit, onUnreadable }: Applying,
  writers: readonly CollectionWriter[],
  batch: { events: readonly Recorded[]; to: Position },
): Promise<void> => {
  const parts: CollectionWriter[] = [];
  /** The writer of this partition alone. */
  const alone = (writer: CollectionWriter, halting: number): CollectionWriter => {
    if (writer.share.held.size === 1) return writer;
    const part = splitOff(writer, halting);
    parts.push(part);
    return part;
  };

  const commit = async (moving: readonly CollectionWriter[]): Promise<Folded[]> => {
    const folded = await foldEvents({ views, open }, moving, batch.events, batch.to);
    for (const { writer, halt, halting } of folded) {
      const part = halt && halting !== undefined ? alone(writer, halting) : writer;
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
