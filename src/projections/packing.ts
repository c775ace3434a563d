import type { Position } from '../events/store.ts';
import { isoTime } from '../shared/clock.ts';

// The stored text of a document leaves out what its row tells anyway: names, nulls, and values that
// the key or a column holds too. These are more than half of the bytes of a document. A form lists the
// names of a document's fields, and where the value of each is; many documents share a form. Packing
// loses nothing: the unpacked document has the same JSON text.

/** The parts of a row that are not the text. */
export interface Beside {
  id: string;
  position: Position;
  /** The value of a column; undefined without such a column. */
  column(field: string): unknown;
}

const IN_TEXT = ' ';
const IN_COLUMN = '=';
const IS_ID = '#';
const IS_POSITION = '@';
const IS_NULL = '0';
const IS_TRUE = '+';
const IS_FALSE = '-';
/** A time in the text, as milliseconds. */
const IS_TIME = '~';

const PLAIN_NAME = /^[a-z]\w*$/i;
/** Names of fields that were checked; the folds have a few hundred. */
const plainNames = new Set<string>();
const PLAIN_NAMES_MAX = 10_000;

const isPlain = (name: string): boolean => {
  if (plainNames.has(name)) return true;
  if (!PLAIN_NAME.test(name)) return false;
  if (plainNames.size < PLAIN_NAMES_MAX) plainNames.add(name);
  return true;
};

const SEPARATOR = ',';
const TIME_LENGTH = '2026-11-22T00:00:00.000Z'.length;

const timeOf = (value: string): number | undefined => {
  if (value.length !== TIME_LENGTH || !value.endsWith('Z')) return undefined;
  const time = Date.parse(value);
  return Number.isFinite(time) && isoTime(time) === value ? time : undefined;
};

export interface Packed {
  form: string;
  values: unknown[];
}

/**
 * Undefined for a document that must be stored whole: JavaScript would give some of its names another
 * place. `holds` says whether the column gives back exactly this value.
 */
export const packDocument = (
  document: object,
  { id, position }: Pick<Beside, 'id' | 'position'>,
  holds: (field: string, value: unknown) => boolean,
): Packed | undefined => {
  const values: unknown[] = [];
  const markOf = (name: string, value: unknown): string => {
    if (value === null) return IS_NULL;
    if (value === id) return IS_ID;
    if (value === position) return IS_POSITION;
    if (typeof value === 'boolean') return value ? IS_TRUE : IS_FALSE;
    if (holds(name, value)) return IN_COLUMN;
    const time = typeof value === 'string' ? timeOf(value) : undefined;
    values.push(time ?? value);
    return time === undefined ? IN_TEXT : IS_TIME;
  };
  const form: string[] = [];
  for (const name of Object.keys(document)) {
    const value = (document as Record<string, unknown>)[name];
    if (value === undefined) continue;
    if (!isPlain(name)) return undefined;
    form.push(markOf(name, value), name, SEPARATOR);
  }
  // One text made at once: a name added to it at a time takes three times as long.
  return { form: form.join(''), values };
};

/** A form, ready to unpack. */
export type Form = readonly (readonly [mark: string, name: string])[];

export const parseForm = (form: string): Form =>
  form
    .split(SEPARATOR)
    .slice(0, -1)
    .map((part) => [part.charAt(0), part.slice(1)]);

/** `values` are those of the form, from the index `from` on. */
export const unpackDocument = (
  form: Form,
  values: readonly unknown[],
  from: number,
  beside: Beside,
): object => {
  const document: Record<string, unknown> = {};
  let next = from;
  for (const [mark, name] of form) {
    switch (mark) {
      case IN_TEXT:
        document[name] = values[next++];
        break;
      case IN_COLUMN:
        document[name] = beside.column(name);
        break;
      case IS_NULL:
        document[name] = null;
        break;
      case IS_TIME:
        document[name] = isoTime(values[next++] as number);
        break;
      case IS_ID:
        document[name] = beside.id;
        break;
      case IS_POSITION:
        document[name] = beside.position;
        break;
      default:
        document[name] = mark === IS_TRUE;
    }
  }
  return document;
};
