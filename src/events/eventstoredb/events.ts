import { namesElsewhere } from '../bucket.ts';
import type { Link } from '../chain.ts';
import { packHash, unpackHash } from '../charge-form.ts';
import { decode } from '../index.ts';
import type { BareEvent, Meta, NewEvent, Position, Recorded } from '../store.ts';

/** Digits of the largest position there can be, so that positions sort as strings. */
const DIGITS = 20;
const shape = /^\d{20}-\d{20}$/;

/** A place in the log, in bytes. */
export interface Place {
  commit: number;
  prepare: number;
}

/** An event as the server sends it. */
export interface Received {
  id: string;
  type: string;
  stream: string;
  revision: number;
  position: Position;
  isJson: boolean;
  /** Not parsed yet: what is passed over is never looked at. */
  data: Buffer;
  metadata: Buffer;
}

export const formatPosition = ({ commit, prepare }: Place): Position =>
  `${String(commit).padStart(DIGITS, '0')}-${String(prepare).padStart(DIGITS, '0')}`;

export const parsePosition = (position: Position): Place => {
  if (!shape.test(position)) throw new Error(`"${position}" is not a position of this log`);
  return { commit: bytesTo(position), prepare: Number(position.slice(DIGITS + 1)) };
};

const bytesTo = (position: Position): number => Number(position.slice(0, DIGITS));

/** Bytes of the log from one position to another. */
export const bytesBetween = (from: Position, to: Position): number => bytesTo(to) - bytesTo(from);

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

/** False for the server's own events, for snapshots, and for marks of deleted streams. */
export const isOurs = ({ stream, type }: Pick<Received, 'stream' | 'type'>): boolean =>
  !stream.startsWith('$') && !stream.startsWith(SNAPSHOT_PREFIX) && !type.startsWith('$');

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

const NO_META: Meta = { at: '', requestId: '' };

/** The JSON of bytes; undefined when they hold none. */
const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};

/** The data of an event. Another writer's may be any text or, in base64, bytes. */
export const dataOf = ({ data, isJson }: Received): unknown => {
  if (!isJson) return data.toString('base64');
  const value = parsed(data);
  return value === undefined ? data.toString() : value;
};

/** The metadata of an event of ours; undefined where another writer left something else. */
const metaOf = ({ metadata }: Received): Record<string, unknown> | undefined => {
  const meta = parsed(metadata);
  const isObject = typeof meta === 'object' && meta !== null && !Array.isArray(meta);
  return isObject ? (meta as Record<string, unknown>) : undefined;
};

/** The parts of an event as it is stored, unchecked; `noMeta` stands for metadata that another writer left. */
export const storedOf = (received: Received, noMeta: object = {}) => {
  const { id, type, stream, revision, position } = received;
  const { v, link, ...meta } = (metaOf(received) ?? noMeta) as Meta & Record<string, unknown>;
  return {
    id,
    type,
    version: v,
    data: dataOf(received),
    meta,
    stream,
    revision,
    position,
    ...(link !== undefined && { link: unpackLink(link) }),
  };
};

/** Reads an event of ours as today's shape. Events of other writers come out as UNREADABLE. */
export const toRecorded = (received: Received): Recorded => {
  const stored = storedOf(received, NO_META);
  const { version } = stored;
  return decode({ ...stored, version: typeof version === 'number' ? version : 0 });
};

/** As `EventStore.bare` hands it out: the metadata of an event tell whether it is a link. */
export const toBare = (received: Received): BareEvent => {
  const { stream, revision, position } = received;
  const link = metaOf(received)?.link;
  const rest = link === undefined ? { event: toRecorded(received) } : { link: unpackLink(link) };
  return { stream, revision, position, ...rest };
};
