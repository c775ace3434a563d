import { z } from 'zod';
import { lengths } from '../../provider/rules/message-limits.ts';
import { hasPlaceholder, isVariableName, withSample } from './template.ts';

// Parts of the schemas of several types of nodes.

/** Bounds the template itself, even where placeholders would make the text shorter. */
export const TEMPLATE_LENGTH_MAX = 4096;
export const limits = {
  ...lengths,
  filename: 240,
  place: 1000,
  url: 2048,
  parameter: 1024,
} as const;

/** Text that may have placeholders; `max` bounds a text without any. */
export const templateText = (max: number) =>
  z
    .string()
    .max(TEMPLATE_LENGTH_MAX)
    .refine((text) => text.trim() !== '', 'must not be blank')
    .refine(
      (text) => hasPlaceholder(text) || text.length <= max,
      `must not be longer than ${max} characters`,
    );

/** Editors write an empty field as an empty text or null. */
export const open = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema);

const isHttpUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol);
};

/** An http(s) URL. A placeholder may be any part of it, or the whole URL. */
export const templateUrl = z
  .string()
  .max(limits.url)
  .refine(
    (text) => isHttpUrl(withSample(text, 'x')) || /^\{\{[^{}]*\}\}$/.test(text),
    'must be an http(s) URL',
  );

export const variableName = z
  .string()
  .refine(isVariableName, 'must be a bare name of letters, digits, - and _, such as order_id');

export const distinct = (values: readonly unknown[]): boolean =>
  new Set(values).size === values.length;

/** Of a value that a node saves or compares, in characters. */
export const VALUE_LENGTH_MAX = 4096;
