import { pascal, singular } from './names.ts';
import { refTo, type Schema } from './schema.ts';

// A shape that stands in several places is written once, under a name that follows from where it
// stands: `messages: [Message]`, `limits: Limits`, the answer of `getBot`: Bot.

interface Hint {
  name: string;
  /** The shape around it, for a name that is taken. */
  owner: string;
  /** One of a list: a resource, which has a name wherever it stands. */
  listed?: boolean;
}

interface Sighting {
  schema: Schema;
  count: number;
  hints: Hint[];
}

const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldCount = (schema: Schema): number =>
  schema.type === 'object' && isRecord(schema.properties)
    ? Object.keys(schema.properties).length
    : 0;

/** Worth a name: an object with at least two fields. */
const isShape = (schema: Schema): boolean => fieldCount(schema) >= 2;

/** Of a resource's size. */
const LISTED_FIELDS_MIN = 4;

const keyOf = (schema: Schema): string => JSON.stringify(schema);

/** The parts of a schema that are schemas themselves, each with what it would be called. */
const partsOf = (schema: Schema, { name, owner }: Hint): (readonly [Schema, Hint])[] => {
  const around = isShape(schema) ? name : owner;
  const parts: [Schema, Hint][] = [];
  if (isRecord(schema.properties)) {
    for (const [field, part] of Object.entries(schema.properties)) {
      parts.push([part as Schema, { name: pascal(field), owner: around }]);
    }
  }
  if (isRecord(schema.items)) {
    parts.push([schema.items, { name: singular(name), owner: around, listed: true }]);
  }
  if (isRecord(schema.additionalProperties)) {
    parts.push([schema.additionalProperties, { name: singular(name), owner: around }]);
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const variants = (schema[keyword] ?? []) as readonly Schema[];
    for (const variant of variants) parts.push([variant, { name, owner }]);
  }
  return parts;
};

const look = (seen: Map<string, Sighting>, schema: Schema, hint: Hint): void => {
  if (isShape(schema)) {
    const key = keyOf(schema);
    const sighting = seen.get(key);
    if (sighting) {
      sighting.count += 1;
      sighting.hints.push(hint);
      // What is inside has been seen with the first one, and goes where that goes.
      return;
    }
    seen.set(key, { schema, count: 1, hints: [hint] });
  }
  for (const [part, ofPart] of partsOf(schema, hint)) look(seen, part, ofPart);
};

const recurs = ({ schema, count, hints }: Sighting): boolean =>
  count > 1 || (fieldCount(schema) >= LISTED_FIELDS_MIN && hints.some(({ listed }) => listed));

/** Its own title, else the shortest name that any place suggests. */
const nameOf = ({ schema, hints }: Sighting, taken: ReadonlySet<string>): string => {
  if (typeof schema.title === 'string' && !taken.has(schema.title)) return schema.title;
  const names = hints.map(({ name }) => name);
  const [plain] = [...names].sort((a, b) => a.length - b.length || a.localeCompare(b));
  const { owner } = hints.find(({ name }) => name === plain)!;
  const candidates = [plain!, `${owner}${plain}`];
  const free = candidates.find((name) => name !== '' && !taken.has(name));
  if (free) return free;
  let number = 2;
  while (taken.has(`${plain}${number}`)) number += 1;
  return `${plain}${number}`;
};

/** A schema at its place in the document, with what it would be called. */
export interface Place {
  name: string;
  schema: Schema;
}

/** Finds what recurs among the places and gives a function that puts references there. */
export const shareShapes = (
  places: readonly Place[],
  reserved: Iterable<string>,
): { schemas: Record<string, Schema>; share: (value: Schema) => Schema } => {
  const seen = new Map<string, Sighting>();
  for (const { name, schema } of places) look(seen, schema, { name, owner: '' });
  const names = new Map<string, string>();
  const taken = new Set(reserved);
  for (const [key, sighting] of seen) {
    if (!recurs(sighting)) continue;
    const name = nameOf(sighting, taken);
    taken.add(name);
    names.set(key, name);
  }
  const replaceIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part)]));
  };
  const replace = (value: unknown): unknown => {
    const name = isRecord(value) && isShape(value) ? names.get(keyOf(value)) : undefined;
    return name === undefined ? replaceIn(value) : refTo('schemas', name);
  };
  const schemas = [...names].map(([key, name]) => [name, replaceIn(seen.get(key)!.schema)]);
  return {
    schemas: Object.fromEntries(schemas),
    share: (value) => replace(value) as Schema,
  };
};
