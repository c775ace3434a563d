import type { AnyBulkWriteOperation } from 'mongodb';
import type { Position } from '../../events/store.ts';
import { type Kept, Unwritable, type Write } from '../views.ts';

// How a document lies in MongoDB. Its JSON text is the truth: it comes back to the byte, whatever
// keys a message brings along (`$ref`, `a.b`, `_bsontype` and half a surrogate pair all mean
// something to BSON), however deep it nests, and it is faster to read than BSON is. Beside it
// stand its top-level values as fields, to be indexed, asked for, and looked at in a shell.

/** A value as a shell shows it. An object or array is only marked: that it is there, and no null. */
type Field = string | number | boolean | Record<string, never>;

export interface Row {
  _id: string;
  /** Of the newest event in the document, or of the one that removed it. */
  position: Position;
  /** What is null is left out: to a query of MongoDB that is the same. */
  fields?: Record<string, Field>;
  /** Absent once it is removed. */
  document?: string;
  /** By the clock of the server. What is left of a removed document is kept this long, and more. */
  removedAt?: Date;
}

/**
 * A delayed write of a rival finds what a removed document left, and loses to its position, where
 * it would else make the document anew. A commit looks at the checkpoint before it writes, all its
 * calls end within minutes, and none is sent twice: nothing older is on its way after this long.
 */
export const REMOVED_KEPT_SECONDS = 3_600;

/** Fields are no larger than twice the text they are taken from; together it must be under 16 MiB. */
const DOCUMENT_BYTES_MAX = 5 * 1024 * 1024;

/** Of a longer text the field has the beginning only. It sorts all the same. */
export const FIELD_TEXT_MAX = 1_024;

const FIELD_NAME = /^[a-z][A-Za-z0-9_]*$/;

const fieldOf = (value: unknown): Field | undefined => {
  switch (typeof value) {
    case 'string':
      return value.slice(0, FIELD_TEXT_MAX);
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'boolean':
      return value;
    case 'object':
      return value === null ? undefined : {};
    default:
      return undefined;
  }
};

const fieldsOf = (document: object): Record<string, Field> => {
  const fields: Record<string, Field> = {};
  for (const [name, value] of Object.entries(document)) {
    const field = FIELD_NAME.test(name) ? fieldOf(value) : undefined;
    if (field !== undefined) fields[name] = field;
  }
  return fields;
};

const textOf = (document: object): string => {
  const text = JSON.stringify(document);
  const bytes = Buffer.byteLength(text);
  if (bytes > DOCUMENT_BYTES_MAX) {
    throw new RangeError(`${bytes} bytes are more than ${DOCUMENT_BYTES_MAX}`);
  }
  return text;
};

/**
 * A write that does its work once and never over a newer one. Where it has nothing to do, MongoDB
 * takes the guard for a document that is not there, tries to insert it and reports its id as taken.
 */
const guarded = ({ id, position, document }: Write): AnyBulkWriteOperation<Row> => {
  const filter = { _id: id, position: { $lt: position } };
  if (document !== null) {
    const replacement = { position, fields: fieldsOf(document), document: textOf(document) };
    return { replaceOne: { filter, replacement, upsert: true } };
  }
  const update = {
    $set: { position },
    $unset: { fields: '' as const, document: '' as const },
    $currentDate: { removedAt: true as const },
  };
  return { updateOne: { filter, update, upsert: true } };
};

/** A write, and what is sent for it. */
export interface Packed {
  id: string;
  position: Position;
  operation: AnyBulkWriteOperation<Row>;
}

/** Throws Unwritable. */
export const pack = (collection: string, write: Write): Packed => {
  const { id, position } = write;
  try {
    return { id, position, operation: guarded(write) };
  } catch (error) {
    throw new Unwritable(collection, position, error);
  }
};

/** What readers see of a row: nothing where a document was removed. */
export const unpack = <Doc>(row: Row | null): Kept<Doc> | undefined =>
  row?.document === undefined
    ? undefined
    : { id: row._id, position: row.position, document: JSON.parse(row.document) as Doc };
