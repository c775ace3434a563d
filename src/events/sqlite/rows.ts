import type { Link } from '../chain.ts';
import { decode } from '../index.ts';
import { type Meta, type Position, type Recorded, START, UNREADABLE } from '../store.ts';

/** An event as it is written. */
export interface Row {
  id: string;
  type: string;
  version: number;
  /** JSON text, like `meta`. */
  data: string;
  meta: string;
  link?: Link;
}

/** An event as the table stores it. Positions count from 1, without gaps. */
export interface StoredRow extends Row {
  stream: string;
  revision: number;
  position: number;
}

/** Digits of Number.MAX_SAFE_INTEGER, so that positions sort as strings. */
const positionDigits = 16;

export const formatPosition = (position: number): Position =>
  position === 0 ? START : String(position).padStart(positionDigits, '0');

export const parsePosition = (position: Position): number => {
  if (position === START) return 0;
  if (position.length !== positionDigits || !/^\d+$/.test(position)) {
    throw new Error(`"${position}" is not a position of this log`);
  }
  return Number(position);
};

const noMeta: Meta = { at: '', requestId: '' };

/** Undefined for malformed JSON. For data beside the log, whose integrity nothing checks. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A row in today's shape; UNREADABLE for malformed JSON too. */
export const toRecorded = (row: StoredRow): Recorded => {
  const { id, type, version, stream, revision, link } = row;
  const position = formatPosition(row.position);
  try {
    const data: unknown = JSON.parse(row.data);
    const meta: Meta = JSON.parse(row.meta);
    return decode({
      id,
      type,
      version,
      data,
      meta,
      stream,
      revision,
      position,
      ...(link && { link }),
    });
  } catch (error) {
    const unreadable = { type, reason: (error as Error).message, raw: row.data };
    return {
      id,
      type: UNREADABLE,
      version,
      data: unreadable,
      meta: noMeta,
      stream,
      revision,
      position,
    };
  }
};
