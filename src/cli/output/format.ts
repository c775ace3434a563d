import { printable } from '../../shared/printable.ts';

/** An object of an answer. It may hold any text: print it through `textOf` or `printable`. */
export type Row = Readonly<Record<string, unknown>>;

/** The object that a value should be; empty if it is something else. */
export const rowOf = (value: unknown): Row =>
  typeof value === 'object' && value !== null ? (value as Row) : {};

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value));

/** `2026-11-21 12:00:00`, in UTC as caps and ledgers count. */
export const readableTime = (iso: string): string =>
  new Date(iso).toISOString().slice(0, 19).replace('T', ' ');

/** Any value of an answer as one short text. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isTime(value)) return readableTime(value);
  if (Array.isArray(value)) return value.length > 0 ? value.map(textOf).join(', ') : '-';
  if (typeof value === 'object') return printable(JSON.stringify(value));
  return printable(String(value));
};

/** An amount, with a plus sign where it is positive. */
export const signed = (amount: unknown): unknown =>
  Number(amount) > 0 ? `+${String(amount)}` : amount;

/** `createdAt` is shown as `created at`. */
export const labelOf = (field: string): string =>
  field.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WIDE =
  /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\uff01-\uff60]/u;
const isPlain = /^[ -~]*$/;

const widthOfGrapheme = (grapheme: string): number => (WIDE.test(grapheme) ? 2 : 1);

/** The number of columns of a text in a terminal. */
export const displayWidth = (text: string): number => {
  if (isPlain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment);
  return width;
};

/** Cuts a text to a number of columns; an ellipsis marks the cut. */
export const cut = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += widthOfGrapheme(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
};
