// Careful looks into JSON that somebody else wrote.

export type Json = Record<string, unknown>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asRecord = (value: unknown): Json => (isRecord(value) ? value : {});

export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Text, or a number as text; anything else, and what is blank, is null. */
export const asText = (value: unknown): string | null => {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
};

/** An id longer than this is not the provider's. */
const ID_LENGTH_MAX = 300;

/**
 * Text that may become an id or the name of a stream. Half a surrogate pair is none: stores write such
 * text as another one, and two of them as the same.
 */
export const asId = (value: unknown): string | null => {
  const text = asText(value);
  return text !== null && text.length <= ID_LENGTH_MAX && text.isWellFormed() ? text : null;
};

/** A template's name: part of the name of a stream, and as long as the provider lets it be. */
export const asName = (value: unknown): string | null => {
  const text = asText(value);
  return text !== null && text.length <= 512 && text.isWellFormed() ? text : null;
};

/** A whole number, also when it came as text. */
export const asInteger = (value: unknown): number | null => {
  const text = asText(value);
  if (text === null) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
};

/** The digits of a telephone number or of an id that is one. */
export const asDigits = (value: unknown): string | null =>
  asId(asText(value)?.replaceAll(/\D/g, ''));

/** At most `max` characters, with a sign that something was cut. */
export const shorten = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`;

const EXCERPT_LENGTH = 200;

/** An answer as it may stand in a log line: long words and numbers may be secret or personal. */
export const excerpt = (text: string): string =>
  shorten(
    text.slice(0, 4 * EXCERPT_LENGTH).replaceAll(/[\w+/=-]{24,}|\d{4,}/g, '*'),
    EXCERPT_LENGTH,
  );
