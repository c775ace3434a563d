import type {
  AllStreamResolvedEvent,
  Position as LogPosition,
  ResolvedEvent,
} from '@eventstore/db-client';
import { namesElsewhere } from '../bucket.ts';
import type { Link } from '../chain.ts';
import { packHash, unpackHash } from '../charge-form.ts';
import { decode } from '../index.ts';
import { type Meta, type NewEvent, type Position, type Recorded, START } from '../store.ts';

export type Resolved = ResolvedEvent | AllStreamResolvedEvent;

/** Digits of the largest position there can be, so that positions sort as strings. */
const DIGITS = 20;
const shape = /^\d{20}-\d{20}$/;

export const formatPosition = ({
  commit,
  prepare,
}: Record<keyof LogPosition, bigint | string>): Position =>
  `${String(commit).padStart(DIGITS, '0')}-${String(prepare).padStart(DIGITS, '0')}`;

export const parsePosition = (position: Position): LogPosition | 'start' => {
  if (position === START) return 'start';
  if (!shape.test(position)) throw new Error(`"${position}" is not a position of this log`);
  return {
    commit: BigInt(position.slice(0, DIGITS)),
    prepare: BigInt(position.slice(DIGITS + 1)),
  };
};

/** Bytes of the log from one position to another. */
export const bytesBetween = (from: Position, to: Position): number =>
  Number(to.slice(0, DIGITS)) - Number(from.slice(0, DIGITS));

const SNAPSHOT_PREFIX = 'snapshot-';

export const snapshotStreamOf = (stream: string): string => `${SNAPSHOT_PREFIX}${stream}`;

/**
 * The names of our streams as a regex for the server, without those of accounts in other buckets. It
 * lists what it excludes, so that new categories need no change here.
 */
export const namesFor = (buckets?: ReadonlySet<number>): string => {
  const others = buckets ? `|${namesElsewhere(buckets)}` : '';
  return `^(?!\\$|${SNAPSHOT_PREFIX}${others})`;
};

const isOurName = (name: string): boolean =>
  !name.startsWith('$') && !name.startsWith(SNAPSHOT_PREFIX);

/** False for the server's own events, for snapshots, and for marks of deleted streams. */
export const isOurs = ({ event }: Resolved): boolean =>
  event !== undefined && isOurName(event.streamId) && !event.type.startsWith('$');

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An event as the server stores it; data and metadata are JSON. */
export interface Encoded {
  id: string;
  type: string;
  data: Buffer;
  metadata: Buffer;
}

export const toJson = (value: unknown): Buffer => {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new Error('stored data must be JSON');
  return Buffer.from(text);
};

export const encode = ({ id, type, version, data, text, meta, link }: NewEvent): Encoded => {
  if (!uuid.test(id)) throw new Error(`"${id}" is not a UUID in lower case`);
  const metadata = toJson({ ...meta, v: version, ...(link && { link: packLink(link) }) });
  return { id, type, data: text === undefined ? toJson(data) : Buffer.from(text), metadata };
};

/** The two hashes of a link in the metadata, in base64url. */
const packLink = ({ previousHash, hash }: Link): string[] => [previousHash, hash].map(packHash);

export const unpackLink = (packed: unknown): Link => {
  const [previousHash, hash] = (packed as unknown[]).map((one) => String(unpackHash(one)));
  return { previousHash: previousHash ?? '', hash: hash ?? '' };
};

/** For the id, the revision and the server's own fields. */
const FRAME_BYTES = 128;

/** At least the size that the server counts, which differs between its versions. */
export const bytesOf = (events: readonly Encoded[]): number =>
  events.reduce(
    (sum, { type, data, metadata }) =>
      sum + data.length + metadata.length + 2 * type.length + FRAME_BYTES,
    0,
  );

export const positionOf = ({ event }: Resolved): Position => {
  if (!event?.position) {
    throw new Error('the event log gives no positions: EventStoreDB 23.10 or later is needed');
  }
  return formatPosition(event.position);
};

const noMeta: Meta = { at: '', requestId: '' };

const readable = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

/** Reads an event of ours as today's shape. Events of other writers come out as UNREADABLE. */
export const toRecorded = (resolved: Resolved): Recorded => {
  const { event } = resolved;
  if (!event) throw new Error('the event log answered with an empty event');
  const { id, type, streamId: stream } = event;
  const metadata: unknown = event.metadata;
  const isObject = typeof metadata === 'object' && metadata !== null;
  const isMeta = isObject && !ArrayBuffer.isView(metadata) && !Array.isArray(metadata);
  const { v, link, ...meta } = (isMeta ? metadata : {}) as Meta & { v?: unknown; link?: unknown };
  return decode({
    id,
    type,
    version: typeof v === 'number' ? v : 0,
    data: readable(event.data),
    meta: isMeta ? meta : noMeta,
    stream,
    revision: Number(event.revision),
    position: positionOf(resolved),
    ...(link !== undefined && { link: unpackLink(link) }),
  });
};
