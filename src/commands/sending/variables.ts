import { z } from 'zod';
import { BLANK, fillText } from '../../events/catalog-texts.ts';
import type { CatalogEntry } from './catalog.ts';

const VARIABLES_MAX = 200;
const VALUE_LENGTH_MAX = 4_096;

const values = z.record(z.string(), z.unknown()).check((context) => {
  for (const [name, value] of Object.entries(context.value)) {
    const text = typeof value === 'bigint' ? String(value) : value;
    if (typeof text !== 'string' || text.length <= VALUE_LENGTH_MAX) continue;
    context.issues.push({
      code: 'custom',
      message: `must not hold a value longer than ${VALUE_LENGTH_MAX} characters`,
      path: [name],
      input: value,
    });
  }
});

const isSmall = (value: unknown) =>
  typeof value !== 'object' || value === null || Object.keys(value).length <= VARIABLES_MAX;

/**
 * The `variables` of a request. Any type of value passes; a value that is no scalar counts as blank.
 * The number of variables is checked first, because a megabyte holds very many.
 */
export const Variables = z
  .unknown()
  .refine(isSmall, `must not hold more than ${VARIABLES_MAX} variables`)
  .pipe(values)
  .meta({ type: 'object', additionalProperties: true, maxProperties: VARIABLES_MAX });
export type Variables = z.output<typeof Variables>;

const NEWLINES_AND_TABS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const OTHER_CONTROLS = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/g;
/** The provider refuses more than four in a row; wide and hard spaces are spaces to a reader. */
const SPACE_RUNS = /\p{Space_Separator}{4,}/gu;
/** Only characters that a reader does not see. */
const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * A value as the provider takes it and the customer reads it: each run of newlines and tabs becomes
 * one space, each run of four or more spaces one space, other control characters go, the ends are
 * trimmed, and half a surrogate pair becomes the replacement character. Blank comes back empty.
 */
export const normaliseValue = (value: string): string => {
  const text = value
    .toWellFormed()
    .replace(OTHER_CONTROLS, '')
    .replace(NEWLINES_AND_TABS, ' ')
    .replace(SPACE_RUNS, ' ')
    .trim();
  return INVISIBLE.test(text) ? '' : text;
};

/** Scalars as text, long integers to their last digit; anything else is blank, never "[object Object]". */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (Number.isFinite(value)) return String(value);
  return '';
};

/** The positional parameters of an entry, and the names of the variables that came blank. */
export const fillVariables = (
  entry: CatalogEntry,
  variables: Readonly<Record<string, unknown>>,
): { parameters: string[]; missingVariables: string[] } => {
  const missingVariables: string[] = [];
  const parameters = entry.variables.map((name) => {
    const value = Object.hasOwn(variables, name) ? normaliseValue(textOf(variables[name])) : '';
    if (value === '') missingVariables.push(name);
    return value || BLANK;
  });
  return { parameters, missingVariables };
};

/** The body as the customer reads it. */
export const renderPreview = (entry: CatalogEntry, parameters: readonly string[]): string =>
  fillText(entry.preview, parameters);
