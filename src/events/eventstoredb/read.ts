import type { EventStoreDBClient } from '@eventstore/db-client';
import { ALL_BUCKETS, BUCKETS_SEEN_WITHIN, bucketOf } from '../bucket.ts';
import { type Position, READ_MAX, type ReadOptions, type Recorded, START } from '../store.ts';
import type { Connection } from './connection.ts';
import { isOurs, type Received, toRecorded } from './events.ts';
import { TimedOut, unavailable } from './failure.ts';
import type { ReadRequest } from './messages.ts';
import { ofAll, ofStream, openRead, type Reader } from './read-call.ts';

/** Pages that one call searches for events of ours. */
const PAGES_MAX = 20;
const PAGE_MIN = 32;
/** The first event of a read may be known already: two are progress. */
const CUT_MIN = 2;

interface Collecting {
  timeoutMs: number;
  requiresLeader?: boolean;
  /** Called at the time limit, where what has come by then is handed out all the same. */
  onCut?: (() => void) | undefined;
}

/** The events of a read of bounded length, which is cancelled on the server after the time limit. */
const collect = (
  client: EventStoreDBClient,
  request: ReadRequest,
  { timeoutMs, onCut, ...calling }: Collecting,
): Promise<Received[]> =>
  new Promise((resolve, reject) => {
    const events: Received[] = [];
    const reader: Reader = {
      reply: ({ event }) => {
        if (event) events.push(event);
      },
      end: (error) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve(events);
      },
    };
    const call = openRead(client, request, reader, calling);
    const timer = setTimeout(() => {
      call.cancel();
      if (!onCut || events.length < CUT_MIN) reject(new TimedOut(timeoutMs));
      else {
        onCut();
        resolve(events);
      }
    }, timeoutMs);
  });

const read = (
  connection: Connection,
  request: ReadRequest,
  onCut?: () => void,
): Promise<Received[]> => {
  const { timeoutMs } = connection;
  return connection
    .runTwice((client) => collect(client, request, { timeoutMs, onCut }))
    .catch((error: unknown) => {
      throw unavailable('cannot be read', error);
    });
};

/** The raw events of one stream; none when it does not exist. */
export const readRaw = (
  connection: Connection,
  stream: string,
  { from, direction = 'forwards', limit = READ_MAX }: ReadOptions,
): Promise<Received[]> => {
  const count = Math.min(limit, READ_MAX);
  if (count <= 0) return Promise.resolve([]);
  return read(connection, ofStream(stream, { from, direction, count }));
};

export const readStream = async (
  connection: Connection,
  stream: string,
  options: ReadOptions,
): Promise<Recorded[]> => (await readRaw(connection, stream, options)).map(toRecorded);

/** Events of all writers, newest first, from the log's end or before a position. */
export const readBackwards = (
  connection: Connection,
  before: Position | undefined,
  maxCount: number,
): Promise<Received[]> => read(connection, ofAll(before ?? 'end', 'backwards', maxCount));

/** Events of all writers after a position: fewer than asked for at the log's end, and of a page that is slow to come. */
export const readForwards = async (
  connection: Connection,
  position: Position,
  maxCount: number,
): Promise<{ events: Received[]; isEnd: boolean }> => {
  // A read begins with the event at the position.
  const request = ofAll(position, 'forwards', maxCount + 1);
  let isCut = false;
  const page = await read(connection, request, () => {
    isCut = true;
  });
  const events = page.filter((event) => event.position > position);
  return { events, isEnd: !isCut && page.length <= maxCount };
};

/**
 * Events of ours after `position`. Skips events of others here, as the server filters only
 * subscriptions. After a bounded number of skipped events, returns none, and `to` to continue from.
 */
export const readAll = async (
  connection: Connection,
  position: Position,
  limit: number,
  pagesMax = PAGES_MAX,
): Promise<{ events: Recorded[]; to: Position }> => {
  const count = Math.min(limit, READ_MAX);
  if (count <= 0) return { events: [], to: position };
  let to = position;
  let pageSize = Math.max(count, PAGE_MIN);
  for (let page = 1; page <= pagesMax; page += 1) {
    const { events, isEnd } = await readForwards(connection, to, pageSize);
    const ours = events.filter(isOurs).slice(0, count);
    const last = ours.length === count ? ours.at(-1) : events.at(-1);
    if (last) to = last.position;
    if (ours.length > 0 || isEnd) return { events: ours.map(toRecorded), to };
    pageSize = READ_MAX;
  }
  return { events: [], to };
};

/** Makes any server answer. An answer after the limit still counts as a sign of life. */
export const probe = async (connection: Connection, limitMs: number): Promise<void> => {
  const newest = ofAll('end', 'backwards', 1);
  const calling = { timeoutMs: connection.timeoutMs, requiresLeader: false };
  await connection.run((client) => collect(client, newest, calling), limitMs);
};

/** See `EventReader.bucketEnds`. Of a bucket that the page does not show, that is its beginning. */
export const readBucketEnds = async (connection: Connection): Promise<readonly Position[]> => {
  const page = await readBackwards(connection, undefined, 2 * BUCKETS_SEEN_WITHIN);
  const oldest = page.at(-1);
  const ends = ALL_BUCKETS.map(() => oldest?.position ?? START);
  for (const event of page.reverse()) {
    if (isOurs(event)) ends[bucketOf(event.stream)] = event.position;
  }
  return ends;
};

/** Position of the newest event of any writer. */
export const readTop = async (connection: Connection): Promise<Position> => {
  const [newest] = await readBackwards(connection, undefined, 1);
  return newest?.position ?? START;
};
