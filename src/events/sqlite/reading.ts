import { ALL_BUCKETS } from '../bucket.ts';
import {
  type EventStore,
  type Position,
  READ_MAX,
  type ReadOptions,
  type Recorded,
  START,
} from '../store.ts';
import { follow, positionIn, type Source } from './follow.ts';
import type { Reader } from './reader.ts';
import { formatPosition, parsePosition } from './rows.ts';

const limitOf = (asked: number = READ_MAX): number => Math.max(0, Math.min(asked, READ_MAX));

export const readStream = (reader: Reader, stream: string, options: ReadOptions): Recorded[] => {
  const limit = limitOf(options.limit);
  return options.direction === 'backwards'
    ? reader.backwards(stream, options.from ?? Number.MAX_SAFE_INTEGER, limit)
    : reader.forwards(stream, options.from ?? 0, limit);
};

export type Reading = Pick<
  EventStore,
  'read' | 'readAll' | 'bare' | 'follow' | 'head' | 'end' | 'bucketEnds' | 'loadSnapshot'
>;

/** The reading part of the port. The writing thread has no part in it. */
export const createReading = (source: Source): Reading => {
  const { buffer, reader, demandReadable } = source;
  /** The file shows a commit before this thread hears of it; the head must not be older than a read. */
  let newestRead: Position = START;

  const handOut = (events: Recorded[]): Recorded[] => {
    for (const end of [events[0], events.at(-1)]) {
      if (end && end.position > newestRead) newestRead = end.position;
    }
    return events;
  };

  const head = async (): Promise<Position> => {
    const heard = formatPosition(buffer.head());
    return newestRead > heard ? newestRead : heard;
  };

  return {
    read: async (stream, options = {}) => {
      demandReadable();
      return handOut(readStream(reader, stream, options));
    },
    readAll: async (position, limit) => {
      demandReadable();
      const events = handOut(reader.after(positionIn(position, source), limitOf(limit)));
      return { events, to: events.at(-1)?.position ?? position };
    },
    async bare(position, limit, types) {
      demandReadable();
      const at = positionIn(position, source);
      const to = Math.min(parsePosition(await head()), at + limit);
      const events = to <= at ? [] : reader.bare(at, to - at, types);
      const named = events.map((event) => ({ ...event, position: formatPosition(event.position) }));
      return { events: named, to: to <= at ? position : formatPosition(to) };
    },
    follow: (position, signal, interest) => follow(position, signal, source, interest),
    head,
    // The file holds no events of others.
    end: head,
    async bucketEnds() {
      const end = await head();
      return ALL_BUCKETS.map(() => end);
    },
    loadSnapshot: async (stream) => {
      demandReadable();
      return reader.snapshot(stream);
    },
  };
};
