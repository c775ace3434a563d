import { isDeepStrictEqual } from 'node:util';
import { type Position, START } from '../store.ts';
import { type CopySource, type SourceEvent, type TargetEvent, toNewEvent } from './ports.ts';

/** A reactor's checkpoint, as a position of the destination. */
export interface Mark {
  stream: string;
  position: Position;
}

/** Compares the destination with the source, in constant memory. */
export interface Comparison {
  /** Takes the next event of the destination. Throws unless it is the source's next event. */
  take(event: TargetEvent): void;
  /** Events taken, which is also the position in the source of the newest of them. */
  count(): number;
  /** Valid after the last event of the destination. */
  marks(): readonly Mark[];
}

const refusal = ({ stream, revision, type }: TargetEvent, what: string): Error =>
  new Error(`the destination holds ${type} at revision ${revision} of ${stream}, ${what}`);

/** The first part that differs. */
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
  /** The reactors' checkpoints in the source. */
  reactors: readonly { stream: string; position: number }[],
): Comparison => {
  let count = 0;
  const marks = reactors.map((reactor) => ({ ...reactor, at: START }));
  return {
    take(found) {
      const event = source.at(found.stream, found.revision);
      if (!event) throw refusal(found, 'which the source does not');
      const difference = differenceOf(event, found);
      if (difference) throw refusal(found, `whose ${difference} is not that of the source`);
      if (event.position !== count + 1) {
        throw refusal(found, 'which does not stand in the order of the source');
      }
      count += 1;
      for (const mark of marks) {
        if (event.position <= mark.position) mark.at = found.position;
      }
    },
    count: () => count,
    marks: () => marks.map(({ stream, at }) => ({ stream, position: at })),
  };
};
