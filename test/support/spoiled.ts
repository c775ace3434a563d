import fc from 'fast-check';
import type { Json } from './waybill.ts';

// Values for a JSON Schema, some of them as it wants them and some as nobody should send them.

const deep = (levels: number): Json => (levels === 0 ? 0 : { deeper: [deep(levels - 1)] });

/** What breaks programs: other types, edges of numbers and texts, names that objects have. */
const nasty: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    -0,
    2 ** 53,
    '',
    ' ',
    '0',
    'null',
    'undefined',
    '\u0000',
    '\n',
    '\ud800',
    'a\udfffb',
    '\u202e‮',
    '{{1}}',
    '../../x',
    "' OR 1=1 --",
    '$where',
    '__proto__',
    'constructor',
    'x'.repeat(5000),
    '1'.repeat(400),
    '😀'.repeat(300),
    [],
    {},
    [[]],
    [null],
    ['__proto__'],
    { toString: null, valueOf: null },
    { length: 1e9 },
    { $gt: '' },
    deep(10),
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
);

/** Made once for each length: to make one takes ten times as long as to draw from it. */
const texts = new Map<number, fc.Arbitrary<string>>();
const textOf = (minLength: number): fc.Arbitrary<string> => {
  const known = texts.get(minLength);
  if (known) return known;
  const made = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, 12) });
  texts.set(minLength, made);
  return made;
};

const fromString = (schema: Json): fc.Arbitrary<Json> => {
  if (schema.format === 'date-time') return fc.constant('2026-12-01T00:00:00Z');
  if (schema.format === 'email') return fc.constant('mia@shop.example');
  if (schema.format === 'decimal') return fc.constantFrom('1', '0.25', '25.00');
  if (schema.pattern) return fc.constantFrom('a1', '1', 'USD', '123456');
  return textOf(schema.minLength ?? 0);
};

/** Values as the schema wants them, as far as it says so; `spoil` replaces some. */
const from = (schema: Json, spoil: (sound: fc.Arbitrary<Json>) => fc.Arbitrary<Json>) => {
  const sound = (part: Json): fc.Arbitrary<Json> => {
    if (part.const !== undefined) return fc.constant(part.const);
    if (part.enum) return fc.constantFrom(...part.enum);
    const options = part.anyOf ?? part.oneOf;
    if (options) return fc.oneof(...options.map(any));
    switch (part.type) {
      case 'string':
        return fromString(part);
      case 'integer':
        return fc.integer({ min: Math.max(part.minimum ?? 0, 0), max: 1000 });
      case 'number':
        return fc.double({ min: 0, max: 50, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(any(part.items ?? {}), { minLength: part.minItems ?? 0, maxLength: 3 });
      case 'object': {
        const properties: [string, Json][] = Object.entries(part.properties ?? {});
        const fields = Object.fromEntries(properties.map(([name, one]) => [name, any(one)]));
        return fc.record<Json>(fields, { requiredKeys: part.required ?? [] });
      }
      default:
        return nasty;
    }
  };
  const any = (part: Json): fc.Arbitrary<Json> => spoil(sound(part));
  return sound(schema);
};

/** Own fields that are not in any schema, `__proto__` as JSON has it. */
const strange = fc.constantFrom(
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"hasOwnProperty":1,"toString":2,"then":3}',
  `{"${'k'.repeat(2000)}":1}`,
);

const merge = (text: string, more: string): string => {
  if (!text.startsWith('{') || text === '{}') return more;
  return `${text.slice(0, -1)},${more.slice(1)}`;
};

/** Bodies as JSON text: mostly right ones with something wrong in them, some wrong altogether. */
export const spoiledBody = (schema: Json): fc.Arbitrary<string> => {
  const spoiled = from(schema, (sound) =>
    fc.oneof({ weight: 12, arbitrary: sound }, { weight: 1, arbitrary: nasty }),
  );
  const text = spoiled.map((value) => JSON.stringify(value) ?? 'null');
  return fc.oneof(
    { weight: 6, arbitrary: text },
    { weight: 1, arbitrary: fc.tuple(text, strange).map(([one, more]) => merge(one, more)) },
    { weight: 1, arbitrary: nasty.map((value) => JSON.stringify(value)) },
  );
};

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Queries: the schema's names with anything behind them, now and then twice. */
export const spoiledQuery = (schema: Json): fc.Arbitrary<string> => {
  const names = [...Object.keys(schema.properties ?? {}), '__proto__', 'unknown[]'];
  const pair = fc.tuple(fc.constantFrom(...names), nasty.map(asText));
  return fc
    .array(pair, { maxLength: 4 })
    .map((pairs) => pairs.map(([name, value]): [string, string] => [name, value.slice(0, 2000)]))
    .map((pairs) => new URLSearchParams(pairs).toString());
};
