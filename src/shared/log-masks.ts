// What must not stand in a log line, found by its shape: in texts such as the message of a library's error.

export const HIDDEN = '[hidden]';

type Shape = readonly [RegExp, string];

const hide = (text: string, shapes: readonly Shape[]): string =>
  shapes.reduce((masked, [shape, hidden]) => masked.replace(shape, hidden), text);

const SECRETS: readonly Shape[] = [
  [/\b(bearer\s+)[^\s"']+/gi, `$1${HIDDEN}`],
  [/\bwb_(live|adm)_[0-9A-Za-z_]+/g, HIDDEN],
  [/(access_token=)[^&\s"']+/gi, `$1${HIDDEN}`],
  [/:\/\/[^\s/@]+@/g, `://${HIDDEN}@`],
];

export const hideSecrets = (text: string): string => hide(text, SECRETS);

const QUOTED: readonly Shape[] = [
  // MongoDB quotes the values of a duplicate key.
  [/(dup key: )[^\n]*/, `$1${HIDDEN}`],
  // JSON.parse quotes what it cannot read.
  [/(?:Unexpected token [^\n]*?)?"[\s\S]* is not valid JSON/, `${HIDDEN} is not valid JSON`],
  // Node quotes an argument that it does not take.
  [/(\bReceived (?:type \w+ \()?)'[^\n]*/g, `$1${HIDDEN}`],
  // The provider's ids of messages have the customer's number in them, in base64.
  [/\bwamid\.[^\s"',;:)\]}]+/g, `wamid.${HIDDEN}`],
  // The provider's ids of customers.
  [/\b[A-Z]{2}\.(?=[A-Za-z]*\d)[A-Za-z0-9]{6,}/g, HIDDEN],
];

/** Ids of ours: UUIDs and hashes. */
const ID =
  '(?<![0-9a-z])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=\\d*[a-f])[0-9a-f]{16,})(?![0-9a-z])';
const DAY = String.raw`(?<!\d)\d{4}-\d\d-\d\d(?!\d)`;
/** Seven digits with nothing but separators between them. */
const NUMBER = String.raw`\d(?:[ ()-]{0,2}\d){6,}`;
const DIGITS = new RegExp(`(${ID}|${DAY})|${NUMBER}`, 'gi');

/**
 * A text without secrets, and without what could name a person or repeat a message: quoted values,
 * numbers, user ids.
 */
export const hidePersonal = (text: string): string =>
  hide(hideSecrets(text), QUOTED).replace(DIGITS, (_, kept: string | undefined) => kept ?? HIDDEN);

/** Whether an id that a caller chose may be a telephone number: it has seven digits in a row. */
export const looksLikeNumber = (id: string): boolean =>
  /\d{7}/.test(id.replace(new RegExp(ID, 'gi'), ''));
