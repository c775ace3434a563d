import { setImmediate as othersHaveRun } from 'node:timers/promises';
import { type Position, type Recorded, START, storedType, UNREADABLE } from '../../events/store.ts';
import type { Handler, Projection } from '../define.ts';
import { type Commit, type Halt, Unwritable, type Views, type Write } from '../views.ts';
import { type CollectionWriter, type Mover, moves, partitionOf } from './collection-writer.ts';
import { prepareCollection } from './collections.ts';
import { type Open, openWanted, readsSealed } from './open-events.ts';

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
  mover: Mover;
  steps: Step[];
  touched: Map<string, Touched>;
  missing: string[];
  /** The checkpoint after the batch: the end of the batch, or before the event of the halt. */
  to: Position;
  halt: Halt | null;
}

/** The documents of what moves after a batch; not stored yet. */
export interface Folded {
  mover: Mover;
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

/** The tasks of the movers. Of an event, only those are asked that handle its type. */
const beginAll = (movers: readonly Mover[], events: readonly Recorded[], to: Position): Task[] => {
  const tasks = movers.map(
    (mover): Task => ({ mover, steps: [], touched: new Map(), missing: [], to, halt: null }),
  );
  const handling = new Map<string, readonly (readonly [Task, Handler<object, Recorded>])[]>();
  let before = START;
  for (const event of events) {
    const type = unreadableType(event) ?? event.type;
    const found = handling.get(type) ?? tasks.flatMap((task) => handledBy(task, type));
    handling.set(type, found);
    for (const [task, handler] of found) {
      if (task.halt || event.position <= task.mover.position) continue;
      task.halt = take(task, event, handler);
      if (task.halt) task.to = before;
    }
    before = event.position;
  }
  return tasks;
};

const handledBy = (task: Task, type: string): [Task, Handler<object, Recorded>][] => {
  const handler = handlerOf(task.mover.writer.projection, type);
  return handler ? [[task, handler]] : [];
};

const take = (task: Task, event: Recorded, handler: Handler<object, Recorded>): Halt | null => {
  const { mover, steps } = task;
  if (!moves(mover, event.stream)) return null;
  const stored = unreadableType(event);
  if (stored !== undefined) {
    const { reason } = event.data as { reason: string };
    return haltAt(event, `${stored} cannot be read: ${reason}`);
  }
  try {
    const key = handler.key(event);
    const ids = typeof key === 'string' ? [key] : key;
    if (ids.length === 0) return null;
    const isNew = handler.begins?.(event) ?? false;
    for (const id of ids) touch(task, id, { stream: event.stream, isNew });
    steps.push({ event, handler, ids });
    return null;
  } catch (error) {
    return haltAt(event, `${event.type} cannot be folded: ${(error as Error).message}`);
  }
};

const touch = (
  { mover, touched, missing }: Task,
  id: string,
  { stream, isNew }: { stream: string; isNew: boolean },
): void => {
  if (touched.has(id)) return;
  const { document, position = '' } = mover.writer.recent.get(id) ?? {};
  if (!document && !isNew) missing.push(id);
  touched.set(id, { document, position, changed: false, stream });
};

const load = async (views: Views, { mover, missing, touched }: Task): Promise<void> => {
  if (missing.length === 0) return;
  for (const { id, document, position } of await views.getMany<object>(
    mover.writer.collection,
    missing,
  )) {
    Object.assign(touched.get(id)!, { document, position });
  }
};

/** The event with its personal fields, where the fold may read them. Throws for an unreadable one. */
const opened = (
  { mover }: Task,
  { event }: Step,
  found: ReadonlyMap<Recorded, Recorded>,
): Recorded => {
  const read = (readsSealed(mover.writer.projection, event) && found.get(event)) || event;
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
  let halting = halt?.stream == null ? undefined : partitionOf(task.mover.writer, halt.stream);
  let before = task.mover.position;
  for (const [index, one] of task.steps.entries()) {
    if (index % FOLDS_IN_A_ROW === FOLDS_IN_A_ROW - 1) await othersHaveRun();
    try {
      step(task, one, opened(task, one, found));
    } catch (error) {
      halt = haltAt(one.event, `${one.event.type} cannot be folded: ${(error as Error).message}`);
      halting = partitionOf(task.mover.writer, one.event.stream);
      to = before;
      break;
    }
    before = one.event.position;
  }
  return { ...finish(task, to), halt, halting };
};

const finish = ({ mover, touched }: Task, to: Position) => {
  const writes: Write[] = [];
  for (const [id, { document = null, position, changed }] of touched) {
    if (changed) writes.push({ id, position, document });
  }
  const { collection } = mover.writer;
  const commit = {
    collection,
    writes,
    from: mover.position,
    to,
    partitions: [...mover.partitions],
  };
  return { mover, commit, touched };
};

/** Folds the events into the documents of all that moves. Changes only what it returns. */
export const foldEvents = async (
  { views, open }: { views: Views; open: Open },
  movers: readonly Mover[],
  events: readonly Recorded[],
  to: Position,
): Promise<Folded[]> => {
  const tasks = beginAll(movers, events, to);
  const wanted = new Set<Recorded>();
  for (const { mover, steps } of tasks) {
    const { projection } = mover.writer;
    for (const { event } of steps) if (readsSealed(projection, event)) wanted.add(event);
  }
  const [found] = await Promise.all([
    openWanted(open, events, wanted),
    ...tasks.map((task) => load(views, task)),
  ]);
  const folded: Folded[] = [];
  for (const task of tasks) folded.push(await fold(task, found));
  return folded;
};

/** Moves what is committed to the end of its batch. One that was further on stays there. */
const settle = ({ mover: { writer, partitions }, commit, touched, halt }: Folded): void => {
  for (const partition of partitions) {
    const place = writer.places.get(partition);
    if (!place) continue;
    if (commit.to > commit.from) place.position = commit.to;
    place.halt = halt;
  }
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
  /** Called when a partition of a writer halts. */
  onHalt: (writer: CollectionWriter, halt: Halt) => void;
  /** Called for an unreadable event. Partitions whose writers handle its type halt at it. */
  onUnreadable: (event: Recorded, type: string) => void;
}

/** The document that the views refused: what moved it, and its partition. */
const refusedIn = (folded: readonly Folded[], { collection, id }: Unwritable) => {
  for (const { mover, touched } of folded) {
    const found = mover.writer.collection === collection ? touched.get(id) : undefined;
    if (found?.changed) return { mover, halting: partitionOf(mover.writer, found.stream) };
  }
  return undefined;
};

/** The movers without one partition of one of them, and that partition alone. */
const apart = (movers: readonly Mover[], one: Mover, partition: number) => {
  const alone = { ...one, partitions: new Set([partition]) };
  const left = { ...one, partitions: one.partitions.difference(alone.partitions) };
  const others = movers.flatMap((mover) => (mover === one ? left : mover));
  return { alone, others: others.filter(({ partitions }) => partitions.size > 0) };
};

/**
 * Folds a batch into all that moves and commits it as one. A partition halts at an event that its writer
 * cannot fold, and at a document that the views cannot keep; the others continue. Throws any other failure,
 * after which nothing moved. Call it under the lock of the group, or of those that catch up.
 */
export const applyBatch = async (
  { views, open, onHalt, onUnreadable }: Applying,
  movers: readonly Mover[],
  batch: { events: readonly Recorded[]; to: Position },
): Promise<void> => {
  const commit = async (moving: readonly Mover[]): Promise<Folded[]> => {
    const folded = await foldEvents({ views, open }, moving, batch.events, batch.to);
    for (const { mover, halting } of folded) {
      if (halting === undefined || mover.partitions.size === 1) continue;
      const { alone, others } = apart(moving, mover, halting);
      return commit([...others, alone]);
    }
    for (const { mover, halt, halting } of folded) {
      if (halt && halting !== undefined) await views.halt(mover.writer.collection, halting, halt);
    }
    try {
      const moved = folded.filter((one) => one.commit.to > one.commit.from);
      if (moved.length > 0) await views.commit(moved.map((one) => one.commit));
      return folded;
    } catch (error) {
      const refused = error instanceof Unwritable && refusedIn(folded, error);
      if (!refused) throw error;
      const { mover, halting } = refused;
      const { others } = apart(moving, mover, halting);
      const halt = refusal(error);
      await views.halt(mover.writer.collection, halting, halt);
      const place = mover.writer.places.get(halting);
      if (place) place.halt = halt;
      onHalt(mover.writer, halt);
      return commit(others);
    }
  };

  for (const one of await commit(movers)) {
    settle(one);
    if (one.halt) onHalt(one.mover.writer, one.halt);
  }
  for (const event of batch.events) {
    const type = unreadableType(event);
    if (type !== undefined) onUnreadable(event, type);
  }
};

/**
 * Reads the checkpoints again of what does not follow the log, and forgets the cached documents. Creates a
 * missing collection, as after a loss of the views; it is then built from the start of the log.
 */
export const reload = async (views: Views, writers: readonly CollectionWriter[]): Promise<void> => {
  for (const { recent } of writers) recent.clear();
  // The views then know of a collection that was lost and made again meanwhile.
  const names = new Set(await views.collections());
  let checkpoints = await views.checkpoints();
  const missing = writers.filter(
    ({ collection }) => !names.has(collection) || !checkpoints[collection],
  );
  if (missing.length > 0) {
    const prepare = ({ projection, collection }: CollectionWriter) =>
      prepareCollection(views, projection, collection);
    await Promise.all(missing.map(prepare));
    checkpoints = await views.checkpoints();
  }
  for (const { collection, places } of writers) {
    for (const [partition, place] of places) {
      if (!place.isLive && !place.halt) {
        place.position = checkpoints[collection]?.[partition] ?? START;
      }
    }
  }
};
