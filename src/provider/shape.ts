import { isUserId } from '../events/contact.ts';

// Readers of JSON from outside, whose values may have any shape.

export type Json = Record<string, unknown>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asRecord = (value: unknown): Json => (isRecord(value) ? value : {});

export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The first object of a list that may be none. */
export const firstOf = (list: unknown): Json => (Array.isArray(list) ? asRecord(list[0]) : {});

/** Text, or a number as text; null for blank text and anything else. */
export const asText = (value: unknown): string | null => {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
};

/**
 * Text that may become an id or the name of a stream. Null for text that is too long or has half a
 * surrogate pair: stores write the half as another character, so two such texts could become one.
 */
export const asBounded = (value: unknown, lengthMax: number): string | null => {
  const text = asText(value);
  return text !== null && text.length <= lengthMax && text.isWellFormed() ? text : null;
};

/** An id of the provider, which has 300 characters at most. */
export const asId = (value: unknown): string | null => asBounded(value, 300);

/** The name of a template, which has 512 characters at most. */
export const asName = (value: unknown): string | null => asBounded(value, 512);

/** A whole number, also as text. */
export const asInteger = (value: unknown): number | null => {
  const text = asText(value);
  if (text === null) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
};

/** The digits of a telephone number or of an id that is one. */
export const asDigits = (value: unknown): string | null =>
  asId(asText(value)?.replaceAll(/\D/g, ''));

/** A user id of the provider. */
export const asUserId = (value: unknown): string | null =>
  typeof value === 'string' && isUserId(value) ? value : null;

/** At most `max` characters; an ellipsis marks a cut. */
export const shorten = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`;

const EXCERPT_LENGTH = 200;

/** An answer for a log line, without long words and numbers: they may be secret or personal. */
export const excerpt = (text: string): string =>
  shorten(
    text.slice(0, 4 * EXCERPT_LENGTH).replaceAll(/[\w+/=-]{24,}|\d{4,}/g, '*'),
    EXCERPT_LENGTH,
  );
