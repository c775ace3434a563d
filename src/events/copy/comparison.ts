import { isDeepStrictEqual } from 'node:util';
import { type Position, START } from '../store.ts';
import { laneOf } from './lanes.ts';
import { type CopySource, type SourceEvent, type TargetEvent, toNewEvent } from './ports.ts';

/** How far a reactor had come in the source, told as a position of the destination. */
export interface Mark {
  stream: string;
  position: Position;
}

/** What of the source stands in the destination. Small, however long the logs are. */
export interface Comparison {
  /** Takes in the destination, event by event, in order. Throws at what is no copy. */
  take(event: TargetEvent): void;
  has(position: number): boolean;
  /** All events up to here are there. */
  frontier(): number;
  count(): number;
  /** Valid once the whole destination was taken in. */
  marks(): readonly Mark[];
}

/** A log that is no copy of the source, or no longer. */
export class NoCopy extends Error {}

const refusal = ({ stream, revision, type }: TargetEvent, what: string): NoCopy =>
  new NoCopy(`the destination holds ${type} at revision ${revision} of ${stream}, ${what}`);

/** The name of a part in which the two are not the same. */
const differenceOf = (event: SourceEvent, found: TargetEvent): string | undefined => {
  const { id, type, version } = event;
  if (found.id !== id) return 'id';
  if (found.type !== type) return 'type';
  if (found.version !== version) return 'version';
  const isSame =
    JSON.stringify(found.data) === event.data && JSON.stringify(found.meta) === event.meta;
  if (isSame) return undefined;
  const { data, meta } = toNewEvent(event);
  if (!isDeepStrictEqual(found.data, data)) return 'data';
  return isDeepStrictEqual(found.meta, meta) ? undefined : 'metadata';
};

export const createComparison = (
  source: CopySource,
  /** The position in the source up to which each reactor has done its work. */
  reactors: readonly { stream: string; position: number }[],
  /** How many positions apart events may stand that were copied at the same time. */
  spanMax: number,
): Comparison => {
  /** All up to here is there, and these beyond it. */
  let frontier = 0;
  const ahead = new Set<number>();
  /** Position in the source of the newest event of each account. */
  const newest = new Map<string, number>();
  const marks = reactors.map((reactor) => ({ ...reactor, at: START, passed: false }));

  const demandOrder = (event: SourceEvent, found: TargetEvent): void => {
    const lane = laneOf(event);
    const inOrder =
      lane === undefined
        ? frontier === event.position - 1 && ahead.size === 0
        : event.position > (newest.get(lane) ?? 0) && event.position <= frontier + spanMax;
    if (!inOrder) throw refusal(found, 'which does not stand in the order of the source');
    if (lane !== undefined) newest.set(lane, event.position);
  };

  const advance = (position: number): void => {
    ahead.add(position);
    while (ahead.delete(frontier + 1)) frontier += 1;
  };

  return {
    take(found) {
      const event = source.at(found.stream, found.revision);
      if (!event) throw refusal(found, 'which the source does not');
      const difference = differenceOf(event, found);
      if (difference) throw refusal(found, `whose ${difference} is not that of the source`);
      demandOrder(event, found);
      advance(event.position);
      for (const mark of marks) {
        // What stands before the first event that the reactor had not seen is seen; what it had
        // seen and stands behind that comes to it again, as after a crash.
        if (event.position > mark.position) mark.passed = true;
        if (!mark.passed) mark.at = found.position;
      }
    },
    has: (position) => position <= frontier || ahead.has(position),
    frontier: () => frontier,
    count: () => frontier + ahead.size,
    marks: () => marks.map(({ stream, at }) => ({ stream, position: at })),
  };
};
