import { hash } from 'node:crypto';

/** The hash before an account's first money event. */
export const CHAIN_START = '0'.repeat(64);

/** The names of an object's fields, as they were written and in order. */
interface Shape {
  written: readonly string[];
  sorted: readonly string[];
  /** Whether an object can hold these names in this order: not integers, which come first always. */
  orderable: boolean;
}

/** Shapes that were seen, by how many fields they have: every event of a type has the same few. */
const FIELDS_MAX = 64;
const shapes: Shape[][] = Array.from({ length: FIELDS_MAX + 1 }, () => []);
const SHAPES_MAX = 16;
const unorderable = /^(?:\d+|__proto__)$/;

const isSame = (one: readonly string[], other: readonly string[]): boolean => {
  for (let index = one.length - 1; index >= 0; index -= 1) {
    if (one[index] !== other[index]) return false;
  }
  return true;
};

const shapeOf = (value: object): Shape => {
  const written = Object.keys(value);
  const known = shapes[written.length] ?? [];
  for (const shape of known) if (isSame(written, shape.written)) return shape;
  const orderable = !written.some((key) => unorderable.test(key));
  const shape = { written, sorted: written.toSorted(), orderable };
  if (known.length === SHAPES_MAX) known.length = 0;
  known.push(shape);
  return shape;
};

/** The same value with the keys of every object in order; undefined when no object can be so. */
const inOrder = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.includes(undefined) ? undefined : items;
  }
  const { sorted, orderable } = shapeOf(value);
  if (!orderable) return undefined;
  const ordered: Record<string, unknown> = {};
  for (const key of sorted) {
    const field = (value as Record<string, unknown>)[key];
    if (field === undefined) continue;
    if (typeof field !== 'object' || field === null) {
      ordered[key] = field;
      continue;
    }
    const inner = inOrder(field);
    if (inner === undefined) return undefined;
    ordered[key] = inner;
  }
  return ordered;
};

const written = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${written(field)}`);
  return `{${fields.join(',')}}`;
};

/**
 * JSON with the keys of every object sorted and no white space. For the values that events hold
 * (strings, integers, booleans, null) it is the canonical form of RFC 8785. What can be put into
 * order first is written by the runtime, which is several times faster.
 */
export const canonicalJson = (value: unknown): string => {
  const ordered = inOrder(value);
  return ordered === undefined ? written(value) : JSON.stringify(ordered);
};

/**
 * The hash of one link: SHA-256, in hex, of the canonical JSON of the event's data without `hash`,
 * with its type added as `type`. The data holds `previousHash` and `sequence`, which is what ties
 * it to its place.
 */
export const linkHash = (type: string, data: Readonly<Record<string, unknown>>): string => {
  return hash('sha256', canonicalJson({ ...data, hash: undefined, type }), 'hex');
};
