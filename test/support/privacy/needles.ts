import { createHash } from 'node:crypto';

// What personal data may look like once it has passed through a program: in the encodings of JSON,
// URLs, SQLite, MongoDB and headers. A needle is bytes to look for.

export interface Needle {
  /** The mark and its encoding, such as `name as base64`. */
  name: string;
  bytes: Buffer;
}

/** What is looked for: a text that occurs nowhere but in one contact's data. */
export interface Mark {
  name: string;
  text: string;
}

/** Characters of half a text that are still unmistakable. */
const HALF_MIN = 8;
const isDigits = (text: string) => /^\d+$/.test(text);

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
const asciiEscaped = (text: string, isUpper = false) =>
  escaped(text).replace(/[^\x20-\x7e]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${isUpper ? code.toUpperCase() : code}`;
  });
const urlEncoded = encodeURIComponent;
const lowerUrlEncoded = (text: string) =>
  urlEncoded(text).replace(/%../g, (code) => code.toLowerCase());
const formEncoded = (text: string) => String(new URLSearchParams({ '': text })).slice(1);

/** The characters of a base64 text that its neighbours cannot change, for each place of its start. */
const base64s = (bytes: Buffer, encoding: 'base64' | 'base64url'): string[] =>
  [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const inner = whole.slice(first, last);
    return encoding === 'base64' ? inner : inner.replaceAll('+', '-').replaceAll('/', '_');
  });

/** The eight bytes of a number, as SQLite, BSON and JavaScript hold it. */
const asNumbers = (digits: string): [string, Buffer][] => {
  const integer = Buffer.alloc(8);
  integer.writeBigInt64BE(BigInt(digits));
  const double = Buffer.alloc(8);
  double.writeDoubleBE(Number(digits));
  return [
    ['an integer of SQLite', integer.subarray(2)],
    ['an integer of BSON', Buffer.from(integer).reverse()],
    ['a double of SQLite', double],
    ['a double of BSON', Buffer.from(double).reverse()],
  ];
};

/** A hash without a key hides no number: there are few enough to try them all. */
const hashesOf = (text: string): [string, Buffer][] =>
  ['sha256', 'sha1', 'md5'].flatMap((algorithm): [string, Buffer][] => {
    const hash = createHash(algorithm).update(text).digest();
    return [
      [algorithm, hash],
      [`${algorithm} in hex`, Buffer.from(hash.toString('hex'))],
      [`${algorithm} in base64`, Buffer.from(hash.toString('base64').replaceAll('=', ''))],
      [`${algorithm} in base64url`, Buffer.from(hash.toString('base64url'))],
    ];
  });

const encodingsOf = (text: string): [string, Buffer][] => {
  const utf8 = Buffer.from(text);
  const utf16 = Buffer.from(text, 'utf16le');
  const texts: [string, string][] = [
    ['JSON', escaped(text)],
    ['ASCII JSON', asciiEscaped(text)],
    ['ASCII JSON in capitals', asciiEscaped(text, true)],
    ['JSON in JSON', escaped(escaped(text))],
    ['a part of a URL', urlEncoded(text)],
    ['a part of a URL in small letters', lowerUrlEncoded(text)],
    ['a form', formEncoded(text)],
    ['hex', utf8.toString('hex')],
    ['hex in capitals', utf8.toString('hex').toUpperCase()],
    ...base64s(utf8, 'base64').map((one): [string, string] => ['base64', one]),
    ...base64s(utf8, 'base64url').map((one): [string, string] => ['base64url', one]),
    ...base64s(Buffer.from(escaped(text)), 'base64').map((one): [string, string] => [
      'base64 of JSON',
      one,
    ]),
  ];
  const middle = Math.floor(text.length / 2);
  // A page of a file may end within it.
  const halves =
    isDigits(text) || middle < HALF_MIN ? [] : [text.slice(0, middle), text.slice(middle)];
  return [
    ['UTF-8', utf8],
    ['UTF-16', utf16],
    ['UTF-16, big-endian', Buffer.from(utf16).swap16()],
    ...texts.map(([name, one]): [string, Buffer] => [name, Buffer.from(one)]),
    ...halves.map((half): [string, Buffer] => ['half of it in UTF-8', Buffer.from(half)]),
    ...(isDigits(text) ? asNumbers(text) : []),
    ...hashesOf(text),
    ...(isDigits(text) ? hashesOf(`+${text}`) : []),
  ];
};

/** Everything to look for, each sequence of bytes once. */
export const needlesOf = (marks: readonly Mark[]): Needle[] => {
  const needles = new Map<string, Needle>();
  for (const { name, text } of marks) {
    for (const [encoding, bytes] of encodingsOf(text)) {
      const key = bytes.toString('latin1');
      if (!needles.has(key)) needles.set(key, { name: `${name} as ${encoding}`, bytes });
    }
  }
  return [...needles.values()];
};

interface Index {
  /** Whether a needle begins with these two bytes. */
  starts: Uint8Array;
  /** By the first four bytes. */
  needles: ReadonlyMap<number, readonly Needle[]>;
}

const indexes = new WeakMap<readonly Needle[], Index>();

const indexOf = (needles: readonly Needle[]): Index => {
  const known = indexes.get(needles);
  if (known) return known;
  const starts = new Uint8Array(0x1_0000);
  for (const { bytes } of needles) starts[bytes.readUInt16LE(0)] = 1;
  const index = { starts, needles: Map.groupBy(needles, ({ bytes }) => bytes.readUInt32LE(0)) };
  indexes.set(needles, index);
  return index;
};

/** The names of the needles in these bytes, which it reads once however many needles there are. */
export const foundIn = (bytes: Buffer, needles: readonly Needle[]): string[] => {
  const { starts, needles: byStart } = indexOf(needles);
  const found = new Set<string>();
  for (let at = 0; at + 4 <= bytes.length; at += 1) {
    if (starts[bytes[at]! | (bytes[at + 1]! << 8)] === 0) continue;
    for (const needle of byStart.get(bytes.readUInt32LE(at)) ?? []) {
      const end = at + needle.bytes.length;
      if (
        bytes.compare(needle.bytes, 0, needle.bytes.length, at, Math.min(end, bytes.length)) === 0
      ) {
        found.add(needle.name);
      }
    }
  }
  return [...found];
};
