import { type EventReader, type Position, START } from '../../events/store.ts';
import { type Checkpoints, furthestOf } from '../checkpoints.ts';
import type { Projection } from '../define.ts';
import { type Views, ViewsUnavailable } from '../views.ts';
import {
  type CollectionWriter,
  type Holds,
  type Opening,
  openWriter,
  placesOf,
} from './collection-writer.ts';
import { type Plan, planOf, prepareCollection } from './collections.ts';

/** One projection with the writers of its serving collection and of the next one. */
export interface Slot {
  readonly projection: Projection;
  serving: string;
  /** Of the serving collection; undefined while that has another version or is of another log. */
  writer: CollectionWriter | undefined;
  /** The build of the next collection. */
  next: Build | undefined;
}

export interface Build {
  writer: CollectionWriter;
  /** Where its places here had caught up. */
  livePosition?: Position;
}

/** All writers, of serving collections and of builds. */
export const writersIn = (slots: readonly Slot[]): CollectionWriter[] =>
  slots.flatMap(({ writer, next }) => [writer ?? [], next?.writer ?? []].flat());

/** Lets a writer write nothing more. */
export const retire = (writer: CollectionWriter | undefined): void => writer?.places.clear();

/** The serving collections and the checkpoints at one moment. */
interface Picture {
  live: Readonly<Record<string, string>>;
  checkpoints: Readonly<Record<string, Checkpoints>>;
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

/**
 * Promotes a first collection: readers use it at once and see it grow. False when another process
 * was first.
 */
const beginServing = async (views: Views, projection: Projection, plan: Plan) => {
  const collection = plan.next ?? plan.fresh;
  await prepareCollection(views, projection, collection);
  return views.promote(projection.name, collection, undefined);
};

interface Settling {
  views: Views;
  holds: Holds;
  store: Pick<EventReader, 'end'>;
}

/**
 * Whether a checkpoint lies after the log's end, which it may reach though the log's last events are of
 * others. The end is read after the checkpoint: another process may have moved that meanwhile.
 */
const createPastEnd = ({ store }: Settling) => {
  let known: Position = START;
  return async (checkpoint: Position): Promise<boolean> => {
    if (checkpoint > known) known = await store.end();
    return checkpoint > known;
  };
};

type Adopting = Settling & Opening & { isPastEnd: ReturnType<typeof createPastEnd> };

const openNext = async (opening: Opening, slot: Slot, next: string) => {
  const writer = await openWriter(opening, slot.projection, next, slot.next?.writer);
  slot.next = { ...slot.next, writer };
};

/** Makes the slot write the serving collection and build the next one. */
const adopt = async (
  settling: Adopting,
  slot: Slot,
  { plan, serving }: { plan: Plan; serving: string },
): Promise<void> => {
  const { projection } = slot;
  const building = slot.next?.writer.collection;
  if (building === serving) {
    retire(slot.writer);
    slot.writer = slot.next?.writer;
  } else if (building !== plan.next) retire(slot.next?.writer);
  if (building !== plan.next) slot.next = undefined;
  const opened = plan.current
    ? await openWriter(settling, projection, serving, slot.writer)
    : undefined;
  // Views ahead of the log belong to another log, as after a restore.
  const furthest = furthestOf(placesOf(opened).map(({ position }) => position));
  const isOurs = opened && !(await settling.isPastEnd(furthest));
  if (!isOurs) for (const one of [slot.writer, opened]) retire(one);
  slot.writer = isOurs ? opened : undefined;
  slot.serving = serving;
  const next = plan.next ?? (isOurs ? undefined : plan.fresh);
  if (next !== undefined) await openNext(settling, slot, next);
};

/**
 * Promotes a first collection of each projection that has none. All of them, and then one look: a
 * store parses its schema anew after each that it makes.
 */
const beginMissing = async (views: Views, slots: readonly Slot[]): Promise<Picture> => {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const picture = await look(views);
    const plans = slots.map(({ projection }) => ({
      projection,
      plan: planOf(projection, picture.live, picture.names),
    }));
    const missing = plans.filter(({ plan }) => plan.serving === undefined);
    if (missing.length === 0) return picture;
    for (const { projection, plan } of missing) await beginServing(views, projection, plan);
  }
  throw new ViewsUnavailable('other processes keep promoting collections of the same projections');
};

/** Whether the collection has lost what was before a halt. */
const isLost = ({ places }: CollectionWriter, checkpoints: Checkpoints | undefined): boolean =>
  !checkpoints ||
  [...places].some(([one, { halt, position }]) => halt && (checkpoints[one] ?? START) < position);

/**
 * Makes the slots match the views: each slot writes its partitions of the serving collection, and
 * promotes one where none serves. Returns the obsolete collections.
 */
export const settleSlots = async (
  settling: Settling,
  slots: readonly Slot[],
): Promise<string[]> => {
  const { live, checkpoints, names } = await beginMissing(settling.views, slots);
  const obsolete: string[] = [];
  const adopting = { ...settling, found: checkpoints, isPastEnd: createPastEnd(settling) };
  for (const slot of slots) {
    const plan = planOf(slot.projection, live, names);
    // A halt does not outlive the collection, which may have been made again under its name.
    if (slot.writer && isLost(slot.writer, checkpoints[slot.writer.collection])) {
      retire(slot.writer);
      slot.writer = undefined;
    }
    await adopt(adopting, slot, { plan, serving: plan.serving! });
    obsolete.push(...plan.obsolete);
  }
  return obsolete;
};

/** Finds or creates the collections of all projections. */
export const openSlots = async (
  settling: Settling,
  projections: readonly Projection[],
): Promise<{ slots: Slot[]; obsolete: string[] }> => {
  const slots = projections.map(
    (projection): Slot => ({ projection, serving: '', writer: undefined, next: undefined }),
  );
  return { slots, obsolete: await settleSlots(settling, slots) };
};

/** Finds rebuilds that any process asked for. */
export const findRebuilds = async (
  { views, holds }: Omit<Settling, 'store'>,
  slots: readonly Slot[],
): Promise<void> => {
  const { live, checkpoints: found, names } = await look(views);
  for (const slot of slots) {
    const { serving, next } = planOf(slot.projection, live, names);
    // Another serving collection is the live session's to handle.
    if (serving !== slot.serving || next === undefined) continue;
    if (next !== slot.next?.writer.collection) slot.next = undefined;
    await openNext({ views, holds, found }, slot, next);
  }
};

/** Where the live places of a writer are. */
const reachedBy = (writer: CollectionWriter | undefined): [number, Position][] =>
  [...(writer?.places ?? [])].flatMap(([partition, { isLive, position }]) =>
    isLive ? [[partition, position]] : [],
  );

/** Why the slots no longer match the views; undefined while they do. */
export const findDrift = async (
  views: Views,
  slots: readonly Slot[],
): Promise<string | undefined> => {
  // Before the look, because they move on meanwhile.
  const reached = slots.map(({ writer }) => reachedBy(writer));
  const [live, checkpoints] = await Promise.all([views.live(), views.checkpoints()]);
  for (const [index, { projection, serving }] of slots.entries()) {
    const now = live[projection.name];
    const there = checkpoints[serving];
    if (now === undefined || there === undefined) return `the views of ${serving} are lost`;
    if (now !== serving) return `${now} serves in place of ${serving}`;
    if (reached[index]!.some(([partition, position]) => (there[partition] ?? START) < position)) {
      return `the views of ${serving} were set back`;
    }
  }
  return undefined;
};
