/** A JSON Schema, as far as openapi.json uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  [keyword: string]: unknown;
}

/** A caller writes what a request has, and reads what an answer has. */
export type Direction = 'request' | 'answer';

/** Finds the schema that a reference names. */
export type Resolve = (reference: string) => Schema;

export interface Sides {
  before: Resolve;
  after: Resolve;
}

const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const FORMS = ['pattern', 'format', 'multipleOf'];
/** References that lead back to themselves are compared down to here. */
const DEPTH_MAX = 24;

/** The schema as alternatives, each of one type. */
const alternativesOf = (schema: Schema, resolve: Resolve): Schema[] => {
  if (schema.$ref !== undefined) return alternativesOf(resolve(schema.$ref), resolve);
  const { anyOf, oneOf, ...rest } = schema;
  const inner = anyOf ?? oneOf;
  if (inner) return inner.flatMap((one) => alternativesOf({ ...rest, ...one }, resolve));
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }));
  return [schema];
};

const valuesOf = ({ enum: several, const: one }: Schema): unknown[] | undefined =>
  one === undefined ? several : [one];

const fits = (given: Schema, taken: Schema): boolean =>
  taken.type === undefined ||
  taken.type === given.type ||
  (taken.type === 'number' && given.type === 'integer');

/** What a request may no longer hold, of the values of one type. */
const narrowed = (before: Schema, after: Schema, at: string): string[] => {
  const old = valuesOf(before);
  const now = valuesOf(after);
  const gone = now && (old ?? ['any other value']).filter((value) => !now.includes(value));
  const limits = [...UPPER_LIMITS, ...LOWER_LIMITS].filter((name) => {
    const [was, is] = [before[name], after[name]] as (number | undefined)[];
    if (is === undefined || is === was) return false;
    return was === undefined || (UPPER_LIMITS.includes(name) ? is < was : is > was);
  });
  const forms = FORMS.filter((name) => after[name] !== undefined && after[name] !== before[name]);
  return [
    ...(gone ?? []).map((value) => `${at} no longer takes ${JSON.stringify(value)}`),
    ...[...limits, ...forms].map((name) => `${at} has a stricter ${name}`),
  ];
};

type Compare = (before: Schema, after: Schema, at: string) => string[];

const compareFields = (before: Schema, after: Schema, at: string, deeper: Compare): string[] =>
  Object.entries(before.properties ?? {}).flatMap(([name, old]) => {
    const now = after.properties?.[name];
    return now ? deeper(old, now, `${at}.${name}`) : [`${at}.${name} is gone`];
  });

const compareRequired = (direction: Direction, before: Schema, after: Schema, at: string) => {
  const [strict, free] = direction === 'request' ? [after, before] : [before, after];
  const what = direction === 'request' ? 'is required now' : 'may be absent now';
  return (strict.required ?? [])
    .filter((name) => !free.required?.includes(name))
    .filter((name) => direction === 'request' || after.properties?.[name])
    .map((name) => `${at}.${name} ${what}`);
};

/** Further fields, whose names the schema does not list. */
const compareOthers = (before: Schema, after: Schema, at: string, deeper: Compare): string[] => {
  const [old, now] = [before.additionalProperties, after.additionalProperties];
  return typeof old === 'object' && typeof now === 'object' ? deeper(old, now, `${at}.*`) : [];
};

/** What breaks a caller who knows only the schema before. */
export const schemaChanges = (
  direction: Direction,
  before: Schema,
  after: Schema,
  at: string,
  sides: Sides,
  depth = 0,
): string[] => {
  if (depth > DEPTH_MAX) return [];
  const deeper: Compare = (old, now, inner) =>
    schemaChanges(direction, old, now, inner, sides, depth + 1);
  const compareOne: Compare = (old, now, where) => [
    ...(direction === 'request' ? narrowed(old, now, where) : []),
    ...compareFields(old, now, where, deeper),
    ...compareRequired(direction, old, now, where),
    ...compareOthers(old, now, where, deeper),
    ...(old.items && now.items ? deeper(old.items, now.items, `${where}[]`) : []),
  ];
  const olds = alternativesOf(before, sides.before);
  const nows = alternativesOf(after, sides.after);
  const kept = olds.flatMap((old) => {
    const candidates = nows.filter((now) =>
      direction === 'request' ? fits(old, now) : fits(now, old),
    );
    if (candidates.length === 0) {
      // An answer may do without an alternative that holds nothing to read.
      const isLoss = direction === 'request' || old.properties !== undefined;
      return isLoss ? [`${at} is no longer ${old.type ?? 'free'}`] : [];
    }
    const found = candidates.map((now) => compareOne(old, now, at));
    return found.reduce((least, one) => (one.length < least.length ? one : least));
  });
  const added =
    direction === 'answer' ? nows.filter((now) => !olds.some((old) => fits(now, old))) : [];
  return [...new Set([...kept, ...added.map((now) => `${at} may be ${now.type ?? 'free'} now`)])];
};
