import type { Schema } from '../openapi/schema.ts';

// JSON as the literals of the languages of the samples.

export const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** JSON as a JavaScript literal: keys without quotes where they need none. */
export const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\[^"])*)"/g, "'$1'");

/** JSON in another language's literals. */
export const translated = (
  value: unknown,
  signs: { open: string; close: string; pair: string; empty: string; words: Schema },
  depth = 1,
): string => {
  const pad = '    '.repeat(depth);
  const inner = (one: unknown) => translated(one, signs, depth + 1);
  const block = (open: string, rows: readonly string[], close: string) =>
    `${open}\n${rows.map((row) => `${pad}${row},\n`).join('')}${'    '.repeat(depth - 1)}${close}`;
  if (Array.isArray(value)) return value.length === 0 ? '[]' : block('[', value.map(inner), ']');
  if (typeof value === 'object' && value !== null) {
    const rows = Object.entries(value).map(
      ([name, one]) => `${quoted(name)}${signs.pair}${inner(one)}`,
    );
    return rows.length === 0 ? signs.empty : block(signs.open, rows, signs.close);
  }
  return typeof value === 'string'
    ? text(value, signs)
    : String(signs.words[String(value)] ?? value);
};

/** Line breaks need the quotes of JSON, whose escapes both languages read. */
const text = (value: string, { words }: { words: Schema }): string => {
  if (!/[\n\t]/.test(value)) return quoted(value);
  const json = JSON.stringify(value);
  return words.null === 'null' ? json.replaceAll('$', '\\$') : json;
};

export const PYTHON = {
  open: '{',
  close: '}',
  pair: ': ',
  empty: '{}',
  words: { true: 'True', false: 'False', null: 'None' },
};
export const PHP = {
  open: '[',
  close: ']',
  pair: ' => ',
  empty: 'new stdClass()',
  words: { null: 'null' },
};
