const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Whether JSON text nests deeper than `limit`. Looks at the bytes only, so that text which would
 * be dear to parse is refused before anything parses it. Text that is no JSON at all may get
 * either answer.
 */
export const exceedsDepth = (bytes: Uint8Array, limit: number): boolean => {
  const { length } = bytes;
  let depth = 0;
  for (let index = 0; index < length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      for (index += 1; index < length && bytes[index] !== QUOTE; index += 1) {
        if (bytes[index] === BACKSLASH) index += 1;
      }
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      if (depth > limit) return true;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
  }
  return false;
};

/** A number that a double may not hold: sixteen digits or more, or an exponent. */
const riskyNumber = /[:[,]\s*-?(?:\d{16}|[\d.]+[eE])/;

type ReviveWithSource = (key: string, value: unknown, context: { source?: string }) => unknown;

const keepExact: ReviveWithSource = (_key, value, { source }) => {
  if (typeof value !== 'number' || source === undefined) return value;
  const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return exact ? value : source;
};

/**
 * JSON.parse, but a number beyond what a double can hold exactly comes back as the string of its
 * digits. Ids of the provider are such numbers now and then.
 */
export const parseJsonExact = (text: string): unknown =>
  riskyNumber.test(text)
    ? JSON.parse(text, keepExact as (key: string, value: unknown) => unknown)
    : JSON.parse(text);
