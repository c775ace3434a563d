import type { Position } from '../../events/store.ts';
import type { Projection } from '../define.ts';
import { type Views, ViewsUnavailable } from '../views.ts';
import { type Plan, planOf } from './collections.ts';
import { type CollectionWriter, createCollectionWriter } from './fold.ts';

/** One projection: the collection that serves readers, its writer, and the writer of the next. */
export interface Slot {
  readonly projection: Projection;
  serving: string;
  /** Fills the serving collection; absent while that has another version or cannot be trusted. */
  writer: CollectionWriter | undefined;
  /** Fills the collection that will serve next. */
  next: CollectionWriter | undefined;
}

/** What the views say at one moment: which collections serve, and how far each collection is. */
interface Picture {
  live: Readonly<Record<string, string>>;
  checkpoints: Readonly<Record<string, Position>>;
  /** Those that are being dropped too. */
  names: readonly string[];
}

/** More rounds are only gone when others promote collections of the same projection all the time. */
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
  await views.prepare(collection, projection.indexes, projection.filters);
  return createCollectionWriter(projection, collection, await views.checkpoint(collection));
};

/** The writer goes on when it fills this collection; otherwise it ends, and a new one begins. */
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
 * Makes a collection serve where nothing does: readers get it at once and see it fill. It is
 * prepared first, so nothing serves that is not there. False when another process was first.
 */
const beginServing = async (views: Views, projection: Projection, plan: Plan) => {
  const collection = plan.next ?? plan.fresh;
  await views.prepare(collection, projection.indexes);
  return views.promote(projection.name, collection, undefined);
};

/** Makes the slot fill what serves now, and what shall serve next. */
const adopt = async (
  views: Views,
  slot: Slot,
  { plan, serving }: { plan: Plan; serving: string },
  head: Position,
): Promise<void> => {
  const { projection } = slot;
  if (plan.current) {
    const writer = await keepOrOpen(views, projection, slot.writer, serving);
    // Views that are ahead of the log were made from another one, such as before a restore.
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
    // A writer that halted in a collection that is gone has nothing to stand before any more.
    if (writer && picture.checkpoints[writer.collection] === undefined) writer.retired = true;
    if (plan.serving !== undefined) {
      await adopt(views, slot, { plan, serving: plan.serving }, head);
      return plan.obsolete;
    }
    await beginServing(views, projection, plan);
    picture = await look(views);
  }
  throw new ViewsUnavailable(`others change what serves ${projection.name} all the time`);
};

/**
 * Brings the slots into line with the views as they are now, whatever has become of them: what
 * serves is what is filled, and where nothing serves a collection is made to. Returns the
 * collections that are neither. `head` is the end of the log.
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

/** Finds or makes the collections of all projections. */
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

/** Takes up rebuilds that were asked for, in this process or another one. */
export const findRebuilds = async (views: Views, slots: readonly Slot[]): Promise<void> => {
  const [live, collections] = await Promise.all([views.live(), views.collections()]);
  for (const slot of slots) {
    const { serving, next } = planOf(slot.projection, live, collections);
    // Where something else serves than this process knows, its session is about to settle that.
    if (serving !== slot.serving || next === undefined) continue;
    if (next === slot.next?.collection && !slot.next.retired) continue;
    slot.next = await writerOf(views, slot.projection, next);
  }
};

/** Why the slots are not in line with the views any more; undefined while they are. */
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
