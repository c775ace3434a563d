import { asArray, asRecord, asText, type Json } from '../shape.ts';

/** The names of the placeholders in a text, each once: `1` of `{{1}}`. */
export const placeholdersOf = (text: unknown): string[] => [
  ...new Set(
    [...(asText(text) ?? '').matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name ?? ''),
  ),
];

/** Whether there is each of the names once and nothing else. */
export const isEachOnce = (given: readonly string[], names: readonly string[]): boolean =>
  given.length === names.length && names.every((name) => given.includes(name));

const isName = (name: string) => /^[a-z_][a-z0-9_]*$/.test(name);

/** What is wrong with the placeholders of a text: names need NAMED, numbers go from 1 on. */
export const wrongPlaceholders = (text: unknown, parameterFormat: string): string | undefined => {
  const names = placeholdersOf(text);
  if (parameterFormat === 'NAMED') {
    return names.every(isName) ? undefined : 'Variables of the format NAMED are lower-case names';
  }
  if (names.some((name) => !/^\d+$/.test(name))) {
    return 'Named variables need the parameter_format NAMED';
  }
  const isCounted = names.every((name) => Number(name) >= 1 && Number(name) <= names.length);
  return isCounted ? undefined : 'Variables are numbered from 1 on, without a gap';
};

/** Whether a header or a body has a sample for each of its placeholders. */
export const hasSamples = (part: Json, field: 'header' | 'body', format: string): boolean => {
  const names = placeholdersOf(part.text);
  const example = asRecord(part.example);
  if (format === 'NAMED') {
    const samples = asArray(example[`${field}_text_named_params`]).map(asRecord);
    const named = samples.filter((sample) => asText(sample.example) !== null);
    return isEachOnce(
      named.map((sample) => asText(sample.param_name) ?? ''),
      names,
    );
  }
  const given = asArray(example[`${field}_text`]);
  const samples = field === 'body' ? asArray(given[0]) : given;
  return samples.length === names.length;
};
