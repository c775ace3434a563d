import { isoTime } from '../../shared/clock.ts';
import type { Link } from '../chain.ts';
import type { Row, StoredRow } from './rows.ts';

// An event between its text form and the columns of the table `events`. What does not have the usual
// shape is stored as the text that it is.

const HASH_DIGITS = 64;

const hasUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const packUuid = (text: string): string | Uint8Array =>
  hasUuid.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : text;

const unpackUuid = (text: string): string =>
  text.startsWith('=')
    ? text.slice(1)
    : `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;

/** The start of all metadata. Anything else is stored as it is. */
const usualMeta = /^\{"at":"([\dT:.Z-]{24})","requestId":"([^"\\]*)"(?:,(.+))?\}$/s;

const packMeta = (meta: string): [number | null, string | Uint8Array | null, string | null] => {
  const [, at = '', requestId = '', rest] = usualMeta.exec(meta) ?? [];
  const time = Date.parse(at);
  if (Number.isNaN(time) || isoTime(time) !== at) return [null, null, meta];
  return [time, packUuid(requestId), rest === undefined ? null : `{${rest}}`];
};

const unpackMeta = (at: number | null, request: string | null, meta: string | null): string => {
  if (at === null || request === null) return meta ?? '';
  const start = `{"at":"${isoTime(at)}","requestId":"${unpackUuid(request)}"`;
  return meta === null ? `${start}}` : `${start},${meta.slice(1)}`;
};

const SEALED = '"sealed":"';
const sealedText = /^([0-4]\d{3})-(0[1-9]|1[0-2])\.([\w-]+)"\}$/;
/** Bytes before those of a sealed part: its month, counted from that of year 0. */
const MONTH_BYTES = 2;

/** The data without a sealed part that stands last in it, and that part. */
const packData = (data: string): [string, Uint8Array | null] => {
  const start = data.lastIndexOf(SEALED);
  if (start === -1) return [data, null];
  const [, year, month, text = ''] = sealedText.exec(data.slice(start + SEALED.length)) ?? [];
  const sealed = Buffer.from(text, 'base64url');
  const before = data.slice(0, start);
  const isLast = before === '{' || before.endsWith(',');
  if (!isLast || text === '' || sealed.toString('base64url') !== text) return [data, null];
  const months = Buffer.alloc(MONTH_BYTES);
  months.writeUInt16BE(Number(year) * 12 + Number(month));
  return [`${before === '{' ? before : before.slice(0, -1)}}`, Buffer.concat([months, sealed])];
};

const unpackData = (data: string, packed: Uint8Array | null): string => {
  if (packed === null) return data;
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const months = bytes.readUInt16BE() - 1;
  const year = String(Math.floor(months / 12)).padStart(4, '0');
  const month = String((months % 12) + 1).padStart(2, '0');
  const sealed = `${SEALED}${year}-${month}.${bytes.toString('base64url', MONTH_BYTES)}"}`;
  return data === '{}' ? `{${sealed}` : `${data.slice(0, -1)},${sealed}`;
};

/** The two hashes of a link, one after the other. */
const packLink = (link: Link | undefined): Uint8Array | null =>
  link === undefined ? null : Buffer.from(link.previousHash + link.hash, 'hex');

export const unpackLink = (packed: Uint8Array): Link => {
  const hex = Buffer.from(packed).toString('hex');
  return { previousHash: hex.slice(0, HASH_DIGITS), hash: hex.slice(HASH_DIGITS) };
};

/** The columns of an event after its place, for `INSERT INTO events`. */
export const packRow = ({ id, data, meta, link }: Row, kind: number) =>
  [packUuid(id), kind, ...packMeta(meta), ...packData(data), packLink(link)] as const;

/** The columns that `selectRows` gives. A UUID is hex; other text has a mark before it. */
export type Columns = [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  version: number,
  at: number | null,
  request: string | null,
  meta: string | null,
  data: string,
  sealed: Uint8Array | null,
  link: Uint8Array | null,
];

export const unpackRow = (columns: Columns): StoredRow => {
  const [position, stream, revision, id, type, version, at, request, meta, data, sealed, link] =
    columns;
  return {
    position,
    stream,
    revision,
    id: unpackUuid(id),
    type,
    version,
    data: unpackData(data, sealed),
    meta: unpackMeta(at, request, meta),
    ...(link !== null && { link: unpackLink(link) }),
  };
};
