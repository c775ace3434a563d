import { escapeHtml } from '../../shared/html.ts';
import type { Schema } from '../openapi/schema.ts';
import { inline } from './markdown.ts';

// The fields of a schema as nested lists.

const DEPTH_MAX = 6;

interface Place {
  components: Readonly<Record<string, Schema>>;
  /** Components around this place, so that a recursive one ends. */
  around: readonly string[];
}

const nameOf = (schema: Schema): string | undefined =>
  typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;

const resolve = (schema: Schema, { components }: Place): Schema => {
  const name = nameOf(schema);
  return name === undefined ? schema : (components[name] ?? {});
};

const choicesOf = (schema: Schema): readonly Schema[] =>
  ((schema.anyOf ?? schema.oneOf ?? []) as readonly Schema[]).filter(({ type }) => type !== 'null');

const typeOf = (schema: Schema, place: Place): string => {
  const actual = resolve(schema, place);
  const choices = (actual.anyOf ?? actual.oneOf) as readonly Schema[] | undefined;
  if (choices) return [...new Set(choices.map((one) => typeOf(one, place)))].join(' or ');
  if (actual.const !== undefined) return JSON.stringify(actual.const);
  const type = [actual.type ?? 'any'].flat().join(' or ');
  if (type === 'array') return `array of ${typeOf((actual.items ?? {}) as Schema, place)}`;
  return typeof actual.format === 'string' ? `${type}, ${actual.format}` : type;
};

const bounds: readonly (readonly [string, string])[] = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'characters, at least'],
  ['maxLength', 'characters, at most'],
  ['minItems', 'items, at least'],
  ['maxItems', 'items, at most'],
  ['default', 'default'],
];

const notesOf = (schema: Schema): string => {
  const notes = bounds.flatMap(([keyword, words]) =>
    schema[keyword] === undefined
      ? []
      : [`${words} <code>${escapeHtml(JSON.stringify(schema[keyword]))}</code>`],
  );
  const { enum: allowed } = schema;
  if (Array.isArray(allowed)) {
    notes.unshift(allowed.map((one) => `<code>${escapeHtml(String(one))}</code>`).join(' '));
  }
  return notes.length === 0 ? '' : `<p class="notes">${notes.join(' · ')}</p>`;
};

/** What opens below a field: its own fields, those of its items, or the kinds that it may be. */
const insideOf = (schema: Schema, place: Place): string => {
  const name = nameOf(schema);
  if (place.around.length > DEPTH_MAX || (name !== undefined && place.around.includes(name)))
    return '';
  const within = { ...place, around: [...place.around, name ?? ''] };
  const actual = resolve(schema, place);
  const choices = choicesOf(actual);
  if (choices.length === 1) return insideOf(choices[0]!, within);
  if (choices.length > 1) {
    const kinds = choices.map((one) => ({ one, html: insideOf(one, within) }));
    if (kinds.every(({ html }) => html === '')) return '';
    return kinds
      .map(
        ({ one, html }) =>
          `<div class="kind"><p class="type">${escapeHtml(kindOf(one, place))}</p>${html}</div>`,
      )
      .join('');
  }
  if (actual.type === 'array') return insideOf((actual.items ?? {}) as Schema, within);
  if (actual.properties) return fieldsOf(actual, within);
  const { additionalProperties: values } = actual;
  return typeof values === 'object' && values !== null ? insideOf(values as Schema, within) : '';
};

/** The values of the fields that tell one kind of an object from the others. */
const kindOf = (schema: Schema, place: Place): string => {
  const { properties = {}, title } = resolve(schema, place) as {
    properties?: Record<string, Schema>;
    title?: string;
  };
  const fixed = Object.entries(properties).filter(([, { const: value }]) => value !== undefined);
  const told = fixed.map(([name, { const: value }]) => `${name}: ${JSON.stringify(value)}`);
  return told.join(', ') || title || nameOf(schema) || typeOf(schema, place);
};

/** One field, parameter or header. */
export const fieldHtml = (
  {
    name,
    schema,
    isRequired,
    description,
  }: { name: string; schema: Schema; isRequired: boolean; description: unknown },
  place: Place,
): string => {
  const inside = insideOf(schema, place);
  return `<li><div class="field"><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(typeOf(schema, place))}</span>${
    isRequired ? ' <span class="required">required</span>' : ''
  }</div>${typeof description === 'string' ? `<p>${inline(description)}</p>` : ''}${notesOf(resolve(schema, place))}${
    inside === ''
      ? ''
      : `<details><summary>Fields of ${escapeHtml(name)}</summary>${inside}</details>`
  }</li>`;
};

const fieldsOf = (schema: Schema, place: Place): string => {
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const items = properties.map(([name, field]) =>
    fieldHtml(
      {
        name,
        schema: field,
        isRequired: required.includes(name),
        description: field.description ?? resolve(field, place).description,
      },
      place,
    ),
  );
  return `<ul class="fields">${items.join('')}</ul>`;
};

/** All fields of a body; empty where it has none. */
export const schemaHtml = (schema: Schema, components: Readonly<Record<string, Schema>>): string =>
  insideOf(schema, { components, around: [] });
