import type { AnyBulkWriteOperation } from 'mongodb';
import type { Position } from '../../events/store.ts';
import { type Kept, Unwritable, type Write } from '../views.ts';

// A stored document is JSON text: it comes back byte for byte, with any keys (`$ref`, `a.b`,
// `_bsontype` and half a surrogate pair all have a meaning in BSON) and any depth, and it is faster
// to read than BSON. The row also holds the fields that queries compare. MongoDB compresses both.

/** A top-level value. An empty object stands for an object or array, to tell it from null. */
type Field = string | number | boolean | Record<string, never>;

export interface Row {
  _id: string;
  /** Of the newest event in the document, or of the event that removed it. */
  position: Position;
  /** Without null values: a query of MongoDB treats both alike. */
  fields?: Record<string, Field>;
  /** Absent after a removal. */
  document?: string;
  /** By the server's clock. MongoDB deletes the row REMOVED_KEPT_SECONDS later. */
  removedAt?: Date;
}

/**
 * The row of a removed document stays this long, so that a rival's delayed write loses to its
 * position instead of creating the document again. No write is older: a commit checks the checkpoint
 * before it writes, and its calls end within minutes.
 */
export const REMOVED_KEPT_SECONDS = 3_600;

/** Fields take at most twice the bytes of the text; all of it must be below 16 MiB. */
const DOCUMENT_BYTES_MAX = 5 * 1024 * 1024;

/** A field holds only the first characters of a longer text, which keeps its order. */
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

export type Compared = readonly string[];

const fieldsOf = (document: object, compared: Compared): Record<string, Field> => {
  const fields: Record<string, Field> = {};
  const values = document as Record<string, unknown>;
  for (const name of compared) {
    const field = FIELD_NAME.test(name) ? fieldOf(values[name]) : undefined;
    if (field !== undefined) fields[name] = field;
  }
  return fields;
};

/** The parts of a row with a document. */
const contentOf = ({ position, document }: Kept<object>, compared: Compared) => {
  const text = JSON.stringify(document);
  const bytes = Buffer.byteLength(text);
  if (bytes > DOCUMENT_BYTES_MAX) {
    throw new RangeError(`${bytes} bytes are more than ${DOCUMENT_BYTES_MAX}`);
  }
  return { position, fields: fieldsOf(document, compared), document: text };
};

/** A write in place of the document with the same position. */
export const inPlace = (kept: Kept<object>, compared: Compared): AnyBulkWriteOperation<Row> => {
  const { id, position } = kept;
  return { replaceOne: { filter: { _id: id, position }, replacement: contentOf(kept, compared) } };
};

/**
 * A write that never overwrites a newer document. When the stored document is as new, the filter
 * matches nothing, MongoDB tries to insert and reports the id as taken.
 */
const guarded = (write: Write, compared: Compared): AnyBulkWriteOperation<Row> => {
  const { id, position, document } = write;
  const filter = { _id: id, position: { $lt: position } };
  if (document !== null) {
    const replacement = contentOf({ ...write, document }, compared);
    return { replaceOne: { filter, replacement, upsert: true } };
  }
  const update = {
    $set: { position },
    $unset: { fields: '' as const, document: '' as const },
    $currentDate: { removedAt: true as const },
  };
  return { updateOne: { filter, update, upsert: true } };
};

/** A write as it is sent. */
export interface Packed {
  id: string;
  position: Position;
  operation: AnyBulkWriteOperation<Row>;
}

/** Throws Unwritable. */
export const pack = (collection: string, write: Write, compared: Compared): Packed => {
  const { id, position } = write;
  try {
    return { id, position, operation: guarded(write, compared) };
  } catch (error) {
    throw new Unwritable(collection, write, error);
  }
};

/** The documents of rows, without the removed ones. */
export const unpackAll = <Doc>(rows: readonly Row[]): Kept<Doc>[] =>
  rows.flatMap(({ _id: id, position, document }) =>
    document === undefined ? [] : { id, position, document: JSON.parse(document) as Doc },
  );
