import { z } from 'zod';

/** A JSON Schema, or a part of the document: what is written out as it is. */
export interface Schema {
  [keyword: string]: unknown;
}

type Part = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema };

/** What says less than it weighs, and what would forbid a field that we add one day. */
const tidy = ({ zodSchema, jsonSchema }: Part): void => {
  const { def } = zodSchema._zod;
  if (def.type === 'object' && !def.catchall) delete jsonSchema.additionalProperties;
  // The format says it, and the expressions behind formats run over several lines. A number in a
  // query is a text to us, with a pattern that says nothing to callers.
  if (jsonSchema.format !== undefined || jsonSchema.type === 'integer') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // JSON has no other keys than texts.
  if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') {
    delete jsonSchema.propertyNames;
  }
};

/** The schema of what callers send (`input`) or of what they get (`output`). */
export const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: tidy,
  });
  return rest;
};

/** The fields of an object's schema, with whether each must be there. */
export const fieldsOf = (
  schema: Schema,
): readonly { name: string; required: boolean; schema: Schema }[] => {
  const required = (schema.required ?? []) as readonly string[];
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  return Object.entries(properties).map(([name, field]) => ({
    name,
    required: required.includes(name),
    schema: field,
  }));
};

export const refTo = (kind: string, name: string): Schema => ({
  $ref: `#/components/${kind}/${name}`,
});
