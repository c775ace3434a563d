import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AnyBulkWriteOperation } from 'mongodb';
import type { Position } from '../../events/store.ts';
import { type Form, packDocument, unpackDocument } from '../packing.ts';
import { type Kept, Unwritable, type Write } from '../views.ts';

// A stored document is JSON text: it comes back byte for byte, with any keys (`$ref`, `a.b`,
// `_bsontype` and half a surrogate pair all have a meaning in BSON) and any depth, and it is faster
// to read than BSON. The row also holds the fields that queries compare. The text is packed: it leaves
// out what the row's other parts tell. Collections of an older program have whole documents, and all
// top-level values as fields.

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
  /** In a row that holds a form of packed documents instead of a document. */
  form?: string;
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

/** Undefined in a collection of an older program. */
export type Compared = readonly string[] | undefined;

const fieldsOf = (document: object, compared: Compared): Record<string, Field> => {
  const fields: Record<string, Field> = {};
  const values = document as Record<string, unknown>;
  for (const name of compared ?? Object.keys(document)) {
    const field = FIELD_NAME.test(name) ? fieldOf(values[name]) : undefined;
    if (field !== undefined) fields[name] = field;
  }
  return fields;
};

/** Whether a field gives back this value. */
const isExact = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= FIELD_TEXT_MAX && value.isWellFormed()
    : Number.isFinite(value);

/** A form and its id: a hash, so that all processes give the same one. */
export interface NamedForm {
  id: string;
  form: string;
}

const FORM_ID = 'form:';
const FORM_ID_LENGTH = 10;
const FORMS_KEPT_MAX = 4_096;
const formIds = new LRUCache<string, string>({ max: FORMS_KEPT_MAX });

const formIdOf = (form: string): string => {
  const known = formIds.get(form);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(form).digest('base64url');
  const id = FORM_ID + hash.slice(0, FORM_ID_LENGTH);
  formIds.set(form, id);
  return id;
};

type Whole = Kept<object>;

interface Text {
  text: string;
  form?: NamedForm;
}

const packed = ({ id, position, document }: Whole, compared: readonly string[]): Text => {
  const holds = (name: string, value: unknown) => compared.includes(name) && isExact(value);
  const found = packDocument(document, { id, position }, holds);
  if (!found) return { text: JSON.stringify(document) };
  const form = { id: formIdOf(found.form), form: found.form };
  return { text: JSON.stringify([form.id.slice(FORM_ID.length), ...found.values]), form };
};

const textOf = (write: Whole, compared: Compared): Text => {
  const made = compared ? packed(write, compared) : { text: JSON.stringify(write.document) };
  const { text } = made;
  const bytes = Buffer.byteLength(text);
  if (bytes > DOCUMENT_BYTES_MAX) {
    throw new RangeError(`${bytes} bytes are more than ${DOCUMENT_BYTES_MAX}`);
  }
  return made;
};

/** The parts of a row with a document, and the form that it needs. */
const contentOf = (write: Whole, compared: Compared) => {
  const { text, ...form } = textOf(write, compared);
  const { position, document } = write;
  return { content: { position, fields: fieldsOf(document, compared), document: text }, ...form };
};

/** A write in place of the document with the same position. */
export const inPlace = (kept: Kept<object>, compared: Compared): Packed => {
  const { id, position } = kept;
  const { content: replacement, ...form } = contentOf(kept, compared);
  const filter = { _id: id, position };
  return { id, position, operation: { replaceOne: { filter, replacement } }, ...form };
};

/**
 * A write that never overwrites a newer document. When the stored document is as new, the filter
 * matches nothing, MongoDB tries to insert and reports the id as taken.
 */
const guarded = (write: Write, compared: Compared): Omit<Packed, 'id' | 'position'> => {
  const { id, position, document } = write;
  const filter = { _id: id, position: { $lt: position } };
  if (document !== null) {
    const { content: replacement, ...form } = contentOf({ ...write, document }, compared);
    return { operation: { replaceOne: { filter, replacement, upsert: true } }, ...form };
  }
  const update = {
    $set: { position },
    $unset: { fields: '' as const, document: '' as const },
    $currentDate: { removedAt: true as const },
  };
  return { operation: { updateOne: { filter, update, upsert: true } } };
};

/** A write as it is sent. */
export interface Packed {
  id: string;
  position: Position;
  operation: AnyBulkWriteOperation<Row>;
  /** Must be stored before the document; absent without one. */
  form?: NamedForm;
}

/** Throws Unwritable. */
export const pack = (collection: string, write: Write, compared: Compared): Packed => {
  const { id, position } = write;
  try {
    return { id, position, ...guarded(write, compared) };
  } catch (error) {
    throw new Unwritable(collection, write, error);
  }
};

/** The id of the form of a row's document; undefined where it has none. */
export const formIn = ({ document }: Row): string | undefined =>
  document?.startsWith('["') ? FORM_ID + document.slice(2, 2 + FORM_ID_LENGTH) : undefined;

/** The document of a row; undefined after a removal. */
export const unpack = <Doc>(row: Row, formOf: (id: string) => Form): Kept<Doc> | undefined => {
  const { _id: id, position, fields, document: text } = row;
  if (text === undefined) return undefined;
  const formId = formIn(row);
  const stored = JSON.parse(text);
  if (formId === undefined) return { id, position, document: stored as Doc };
  const beside = { id, position, column: (name: string) => fields?.[name] };
  return { id, position, document: unpackDocument(formOf(formId), stored, 1, beside) as Doc };
};
