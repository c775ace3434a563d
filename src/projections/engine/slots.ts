import type { Position } from '../../events/store.ts';
import type { Projection } from '../define.ts';
import { type Views, ViewsUnavailable } from '../views.ts';
import { type CollectionWriter, createCollectionWriter } from './collection-writer.ts';
import { type Plan, planOf, prepareCollection } from './collections.ts';

/** One projection with its serving collection and the writers of that and of the next one. */
export interface Slot {
  readonly projection: Projection;
  serving: string;
  /** Writes the serving collection; absent while that has another version or another log. */
  writer: CollectionWriter | undefined;
  /** Builds the next collection. */
  next: CollectionWriter | undefined;
}

/** The serving collections and the checkpoints at one moment. */
interface Picture {
  live: Readonly<Record<string, string>>;
  checkpoints: Readonly<Record<string, Position>>;
  /** Of all collections, those that are being dropped included. */
  names: readonly string[];
}

/** More rounds happen only while others keep promoting collections of the same projection. */
const ROUNDS_MAX = 10;

const look = async (views: Views): Promise<Picture> => {
  const [live, checkpoints, names] = await Promise.all([
    views.live(),
    views.checkpoints(),
    views.collections(),
  ]);
  return { live, checkpoints, names };
};

const writerOf = async (views: Views, projection: Projection, collection: string) => {
  await prepareCollection(views, projection, collection);
  return createCollectionWriter(projection, collection, await views.checkpoint(collection));
};

/** Keeps the writer of this collection; retires another one and creates a new one. */
const keepOrOpen = async (
  views: Views,
  projection: Projection,
  known: CollectionWriter | undefined,
  collection: string,
): Promise<CollectionWriter> => {
  if (known?.collection === collection && !known.retired) return known;
  if (known) known.retired = true;
  return writerOf(views, projection, collection);
};

/**
 * Promotes a first collection: readers use it at once and see it grow. False when another process
 * was first.
 */
const beginServing = async (views: Views, projection: Projection, plan: Plan) => {
  const collection = plan.next ?? plan.fresh;
  await prepareCollection(views, projection, collection);
  return views.promote(projection.name, collection, undefined);
};

/** Makes the slot write the serving collection and build the next one. */
const adopt = async (
  views: Views,
  slot: Slot,
  { plan, serving }: { plan: Plan; serving: string },
  head: Position,
): Promise<void> => {
  const { projection } = slot;
  if (plan.current) {
    const writer = await keepOrOpen(views, projection, slot.writer, serving);
    // Views ahead of the log belong to another log, as after a restore.
    slot.writer = writer !== slot.writer && writer.position > head ? undefined : writer;
  } else {
    if (slot.writer) slot.writer.retired = true;
    slot.writer = undefined;
  }
  const next = plan.next ?? (slot.writer ? undefined : plan.fresh);
  if (next === undefined && slot.next) slot.next.retired = true;
  slot.next = next === undefined ? undefined : await keepOrOpen(views, projection, slot.next, next);
  slot.serving = serving;
};

const settleSlot = async (
  views: Views,
  slot: Slot,
  first: Picture,
  head: Position,
): Promise<string[]> => {
  const { projection, writer } = slot;
  let picture = first;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const plan = planOf(projection, picture.live, picture.names);
    // A halt does not outlive the collection.
    if (writer && picture.checkpoints[writer.collection] === undefined) writer.retired = true;
    if (plan.serving !== undefined) {
      await adopt(views, slot, { plan, serving: plan.serving }, head);
      return plan.obsolete;
    }
    await beginServing(views, projection, plan);
    picture = await look(views);
  }
  throw new ViewsUnavailable(`other processes keep promoting collections of ${projection.name}`);
};

/**
 * Makes the slots match the views: each slot writes the serving collection, and promotes one where
 * none serves. Returns the obsolete collections. `head` is the end of the log.
 */
export const settleSlots = async (
  views: Views,
  slots: readonly Slot[],
  head: Position,
): Promise<string[]> => {
  const picture = await look(views);
  const obsolete: string[] = [];
  for (const slot of slots) obsolete.push(...(await settleSlot(views, slot, picture, head)));
  return obsolete;
};

/** Finds or creates the collections of all projections. */
export const openSlots = async (
  views: Views,
  projections: readonly Projection[],
  head: Position,
): Promise<{ slots: Slot[]; obsolete: string[] }> => {
  const slots = projections.map(
    (projection): Slot => ({ projection, serving: '', writer: undefined, next: undefined }),
  );
  return { slots, obsolete: await settleSlots(views, slots, head) };
};

/** Finds rebuilds that any process asked for. */
export const findRebuilds = async (views: Views, slots: readonly Slot[]): Promise<void> => {
  const [live, collections] = await Promise.all([views.live(), views.collections()]);
  for (const slot of slots) {
    const { serving, next } = planOf(slot.projection, live, collections);
    // Another serving collection is the live session's to handle.
    if (serving !== slot.serving || next === undefined) continue;
    if (next === slot.next?.collection && !slot.next.retired) continue;
    slot.next = await writerOf(views, slot.projection, next);
  }
};

/** Why the slots no longer match the views; undefined while they do. */
export const findDrift = async (
  views: Views,
  slots: readonly Slot[],
  isFollowing: (writer: CollectionWriter) => boolean,
): Promise<string | undefined> => {
  const reached = slots.map(({ writer }) => (writer && isFollowing(writer) ? writer.position : ''));
  const [live, checkpoints] = await Promise.all([views.live(), views.checkpoints()]);
  for (const [index, { projection, serving }] of slots.entries()) {
    const now = live[projection.name];
    const position = checkpoints[serving];
    if (now === undefined || position === undefined) return `the views of ${serving} are lost`;
    if (now !== serving) return `${now} serves in place of ${serving}`;
    if (position < reached[index]!) return `the views of ${serving} were set back`;
  }
  return undefined;
};
