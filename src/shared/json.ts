const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COMMA = 0x2c;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
/** `e` in lower case; with this bit, a letter in upper case is one in lower case. */
const EXPONENT = 0x65;
const LOWER_CASE = 0x20;

/** Bounds of JSON text. Parsing takes time by its values, and most by the fields of one object. */
export interface JsonBounds {
  /** Levels of arrays and objects; 64 at most. */
  depth: number;
  /** Fields and list items in all. */
  members: number;
  /** Fields of one object. */
  fields: number;
}

const LEVELS_MAX = 64;
/** A number of so many digits may be one that a double does not hold. */
const LONG_NUMBER = 16;

/** What the bytes of JSON text show before it is parsed. */
interface JsonScan {
  /** The bound that it exceeds, if any. The scan ends there. */
  exceeded: keyof JsonBounds | undefined;
  /** Whether it has a number of 16 digits or more, or with an exponent. */
  hasLongNumber: boolean;
}

/**
 * Looks at the bytes of JSON text once, so that expensive text is refused before it is parsed, and only
 * text with long numbers is parsed in the slow way. For text that is not JSON the result is arbitrary.
 */
export const scanJson = (bytes: Uint8Array, bounds: JsonBounds): JsonScan => {
  const { length } = bytes;
  /** By level: the commas of an object so far; below zero in an array. */
  const commasOf = new Int32Array(LEVELS_MAX + 1);
  const scan: JsonScan = { exceeded: undefined, hasLongNumber: false };
  let depth = 0;
  let commas = 0;
  let opened = 0;
  /** Digits of the number under way. */
  let digits = 0;
  for (let index = 0; index < length; index += 1) {
    const byte = bytes[index]!;
    if ((byte >= ZERO && byte <= NINE) || byte === POINT) {
      digits += 1;
      if (digits >= LONG_NUMBER) scan.hasLongNumber = true;
      continue;
    }
    if (digits > 0) {
      if ((byte | LOWER_CASE) === EXPONENT) scan.hasLongNumber = true;
      digits = 0;
    }
    if (byte === QUOTE) {
      for (index += 1; index < length && bytes[index] !== QUOTE; index += 1) {
        if (bytes[index] === BACKSLASH) index += 1;
      }
    } else if (byte === COMMA) {
      commas += 1;
      const inObject = (commasOf[depth] ?? 0) + 1;
      commasOf[depth] = inObject;
      if (commas >= bounds.members) scan.exceeded = 'members';
      else if (inObject >= bounds.fields) scan.exceeded = 'fields';
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      depth += 1;
      opened += 1;
      if (depth > bounds.depth) scan.exceeded = 'depth';
      // The outermost one is no member.
      else if (opened > bounds.members + 1) scan.exceeded = 'members';
      commasOf[depth] = byte === OPEN_BRACE ? 0 : -bounds.members;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth = Math.max(0, depth - 1);
    if (scan.exceeded) return scan;
  }
  return scan;
};

/** A number that a double may not hold: sixteen digits or more, or an exponent. */
const riskyNumber = /(?:^|[:[,])\s*-?(?:[\d.]{16}|[\d.]+[eE])/;

type ReviveWithSource = (key: string, value: unknown, context: { source?: string }) => unknown;

const parseWith = (text: string, revive: ReviveWithSource): unknown =>
  JSON.parse(text, revive as (key: string, value: unknown) => unknown);

const isExact = (value: number): boolean =>
  Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);

/**
 * JSON.parse, but a number beyond what a double can hold exactly comes back as the string of its
 * digits. Some ids of the provider are such numbers.
 */
export const parseJsonExact = (text: string): unknown =>
  riskyNumber.test(text)
    ? parseWith(text, (_key, value, { source }) =>
        typeof value === 'number' && source !== undefined && !isExact(value) ? source : value,
      )
    : JSON.parse(text);

/** A JSON number that neither a double nor a bigint holds exactly. */
export class InexactNumber extends Error {
  constructor(source: string) {
    super(`The number ${source.slice(0, 50)} has more digits than are kept: send it as a text`);
    this.name = 'InexactNumber';
  }
}

const DECIMAL = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The exact integer of a JSON number beyond 2^53. Throws InexactNumber. */
const exactInteger = (source: string): bigint => {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(source) ?? [];
  // A finite double bounds the shift: 10^308 at most.
  const shift = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  if (shift >= 0) return BigInt(digits) * 10n ** BigInt(shift);
  if (!/^0+$/.test(digits.slice(shift))) throw new InexactNumber(source);
  return BigInt(digits.slice(0, shift));
};

/** Whether a JSON number has a fraction, which the integer that it was parsed to has lost. */
const hasFraction = (source: string): boolean => {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(source) ?? [];
  const shift = Number(exponent) - fraction.length;
  return shift < 0 && /[1-9]/.test((whole + fraction).slice(shift));
};

const withBigInts = new WeakSet<object>();

/**
 * JSON.parse for what callers send with long numbers, but an integer beyond 2^53 comes back as a
 * bigint: no schema takes it for a text or a number, and no digit of it is lost. Throws InexactNumber
 * for what neither holds, and for a fraction that would be rounded to an integer.
 */
export const parseJsonStrict = (text: string): unknown => {
  let found = false;
  const parsed = parseWith(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    if (Number.isSafeInteger(value) && hasFraction(source)) throw new InexactNumber(source);
    if (isExact(value)) return value;
    if (!Number.isFinite(value)) throw new InexactNumber(source);
    found = true;
    return exactInteger(source);
  });
  if (found && typeof parsed === 'object' && parsed !== null) withBigInts.add(parsed);
  return parsed;
};

/** Whether `parseJsonStrict` found an integer beyond 2^53 in this body. */
export const hasBigInts = (parsed: unknown): boolean =>
  typeof parsed === 'object' && parsed !== null && withBigInts.has(parsed);

/** The same value with each bigint as the text of its digits, which any JSON holds. */
export const bigIntsAsText = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(bigIntsAsText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bigIntsAsText(one)]));
};

/** Names of all objects in a value, at any depth. */
const namesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce(
        (count, one) => count + namesIn(one),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      )
    : 0;

/** Whether JSON has a name twice in one object. Programs read one of the two, and a person the other. */
export const hasDoubleName = (line: string, value: unknown): boolean =>
  value !== undefined &&
  line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1 !== namesIn(value);
