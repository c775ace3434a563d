import { z } from 'zod';

/** A JSON Schema, or a part of the document: what is written out as it is. */
export interface Schema {
  [keyword: string]: unknown;
}

type Part = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema };

const ATOM = /(?:\\[a-zA-Z]|\[(?:\\.|[^\]\\])+\]|\w)(?:\{(?:\d+,)?(\d+)\})?/y;

/** The most characters of a text that the pattern matches whole; undefined where it sets no bound. */
const longestOf = (pattern: string): number | undefined => {
  const atoms = /^\^(.+)\$$/.exec(pattern)?.[1];
  if (atoms === undefined) return undefined;
  let longest = 0;
  ATOM.lastIndex = 0;
  while (ATOM.lastIndex < atoms.length) {
    const atom = ATOM.exec(atoms);
    if (!atom) return undefined;
    longest += Number(atom[1] ?? 1);
  }
  return longest;
};

/** Removes keywords that would forbid later fields, or that tell callers nothing. */
const tidy = ({ zodSchema, jsonSchema }: Part): void => {
  const { def } = zodSchema._zod;
  if (def.type === 'object' && !def.catchall) delete jsonSchema.additionalProperties;
  // The format says more than the expression behind it, which runs over several lines. A number in
  // a query is text to zod, with a pattern.
  if (jsonSchema.format !== undefined || jsonSchema.type === 'integer') delete jsonSchema.pattern;
  // Generators and linters look for a length and do not read it out of a pattern.
  const longest = longestOf(jsonSchema.pattern ?? '');
  if (longest !== undefined) jsonSchema.maxLength ??= longest;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // JSON has no other keys than texts.
  if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') {
    delete jsonSchema.propertyNames;
  }
};

export const refTo = (kind: string, name: string): Schema => ({
  $ref: `#/components/${kind}/${name}`,
});

/** References to the document's components instead of a schema's own definitions. */
const relocated = (schema: unknown): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

/** A field of an object, as parameters and headers show it. */
export interface Field {
  name: string;
  required: boolean;
  schema: Schema;
}

/** Writes the schemas of one document. Those with an id become its components. */
export interface SchemaWriter {
  /** The schema of what callers send (`input`) or receive (`output`). */
  write(schema: z.ZodType, io: 'input' | 'output'): Schema;
  fields(schema: z.ZodType, io: 'input' | 'output'): readonly Field[];
  components: Readonly<Record<string, Schema>>;
}

export const createSchemaWriter = (): SchemaWriter => {
  const components: Record<string, Schema> = {};

  const write = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
    // Inside of another object, a schema with an id becomes a definition too.
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ schema }), {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      override: tidy,
    });
    for (const [name, { id: _, ...definition }] of Object.entries($defs)) {
      const made = relocated(definition);
      const known = components[name] ?? made;
      if (JSON.stringify(known) !== JSON.stringify(made)) {
        throw new Error(`the schema ${name} differs between requests and responses`);
      }
      components[name] = made;
    }
    return relocated(properties!.schema);
  };

  return {
    write,
    components,
    fields(object, io) {
      const { properties = {}, required = [] } = write(object, io);
      return Object.entries(properties as Record<string, Schema>).map(([name, schema]) => ({
        name,
        required: (required as readonly string[]).includes(name),
        schema,
      }));
    },
  };
};
