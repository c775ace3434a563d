import { expect } from 'chai';
import fc from 'fast-check';
import {
  bigIntsAsText,
  hasBigInts,
  InexactNumber,
  type JsonBounds,
  parseJsonExact,
  parseJsonStrict,
  scanJson,
} from '../../src/shared/json.ts';

const bytes = (text: string) => Buffer.from(text);

/** Levels of arrays and objects in a parsed value. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;

describe('JSON', () => {
  describe('scanJson', () => {
    const exceeded = (text: Buffer, bounds: JsonBounds) => scanJson(text, bounds).exceeded;
    const exceedsDepth = (text: Buffer, depth: number) =>
      exceeded(text, { depth, members: 1000, fields: 1000 }) === 'depth';

    it('counts the depth as a parser does', () => {
      fc.assert(
        fc.property(fc.json({ maxDepth: 6 }), (text) => {
          const depth = depthOf(JSON.parse(text));
          expect(exceedsDepth(bytes(text), depth)).to.equal(false);
          if (depth > 0) expect(exceedsDepth(bytes(text), depth - 1)).to.equal(true);
        }),
      );
    });

    it('is not misled by brackets, quotes and backslashes in strings', () => {
      expect(exceedsDepth(bytes('["[[[[", "a\\"[[[[", "b\\\\", "]]]]"]'), 1)).to.equal(false);
      expect(exceedsDepth(bytes('["b\\\\", [1]]'), 1)).to.equal(true);
    });

    /** Fields and list items in all, and the most fields of one object. */
    const sizesOf = (value: unknown): { members: number; fields: number } => {
      if (typeof value !== 'object' || value === null) return { members: 0, fields: 0 };
      const inner = Object.values(value).map(sizesOf);
      const count = inner.length;
      return {
        members: inner.reduce((sum, { members }) => sum + members, count),
        fields: Math.max(Array.isArray(value) ? 0 : count, ...inner.map(({ fields }) => fields)),
      };
    };

    it('refuses no text within the bounds', () => {
      fc.assert(
        fc.property(fc.json({ maxDepth: 6 }), (text) => {
          const { members, fields } = sizesOf(JSON.parse(text));
          const bounds = { depth: 64, members: Math.max(1, members), fields: Math.max(1, fields) };
          expect(exceeded(bytes(text), bounds)).to.equal(undefined);
        }),
      );
    });

    it('counts the fields of one object alone, and items and brackets of all', () => {
      const keys = (count: number) =>
        `{${Array.from({ length: count }, (_, index) => `"${index}":{"a,":[1,2,3,4]}`)}}`;
      const bounds = { depth: 9, members: 1000, fields: 5 };
      expect(exceeded(bytes(keys(5)), bounds)).to.equal(undefined);
      expect(exceeded(bytes(keys(6)), bounds)).to.equal('fields');
      expect(exceeded(bytes(`[${keys(5)},${keys(5)},1,2,3,4,5,6]`), bounds)).to.equal(undefined);
      expect(exceeded(bytes(`[${'1,'.repeat(999)}1]`), bounds)).to.equal(undefined);
      expect(exceeded(bytes(`[${'1,'.repeat(1000)}1]`), bounds)).to.equal('members');
      const nested = (count: number) => `[${'[[[]]],'.repeat(count)}1]`;
      expect(exceeded(bytes(nested(333)), bounds)).to.equal(undefined);
      expect(exceeded(bytes(nested(334)), bounds)).to.equal('members');
    });

    it('sees numbers that a double may not hold, outside of texts', () => {
      const NONE = { depth: 64, members: 1000, fields: 1000 };
      const seen = (text: string) => scanJson(bytes(text), NONE).hasLongNumber;
      for (const number of ['1234567890123456', '-1234567.890123456', '1e5', '12.5E-3', '0e9']) {
        for (const text of [number, `[${number}]`, `{"a":1,"b": ${number} }`]) {
          expect(seen(text), text).to.equal(true);
        }
      }
      const short = '["1234567890123456","1e5",123456789012345,-1.5,true,false,{"e":1}]';
      expect(seen(short)).to.equal(false);
    });

    it('ends on incomplete text', () => {
      for (const text of ['', '"', '"\\', '[', ']', '{"a"', '[["']) {
        expect(exceedsDepth(bytes(text), 2)).to.equal(false);
      }
    });
  });

  describe('parseJsonExact', () => {
    it('reads everything else as JSON.parse does', () => {
      fc.assert(
        fc.property(fc.json(), (text) => {
          const keepsAll = (value: unknown): boolean =>
            typeof value === 'object' && value !== null
              ? Object.values(value).every(keepsAll)
              : typeof value !== 'number' ||
                !Number.isInteger(value) ||
                Number.isSafeInteger(value);
          const plain: unknown = JSON.parse(text);
          fc.pre(keepsAll(plain));
          expect(parseJsonExact(text)).to.deep.equal(plain);
        }),
      );
    });

    it('keeps the digits of numbers that a double cannot hold', () => {
      const text =
        '{"id":30000000000000003,"list":[-90071992547409931],"e":1e400,"ok":9007199254740991}';
      expect(parseJsonExact(text)).to.deep.equal({
        id: '30000000000000003',
        list: ['-90071992547409931'],
        e: '1e400',
        ok: 9007199254740991,
      });
    });

    it('leaves digits in strings alone', () => {
      const digits = { a: ':30000000000000003' };
      expect(parseJsonExact(JSON.stringify(digits))).to.deep.equal(digits);
    });
  });

  describe('parseJsonStrict', () => {
    it('holds every integer to its last digit, as a number or as a bigint', () => {
      fc.assert(
        fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (integer) => {
          const { n } = parseJsonStrict(`{"n":${integer}}`) as { n: number | bigint };
          expect(BigInt(n)).to.equal(integer);
          expect(typeof n).to.equal(Number.isSafeInteger(Number(integer)) ? 'number' : 'bigint');
        }),
      );
    });

    it('reads everything else as JSON.parse does', () => {
      fc.assert(
        fc.property(fc.json(), (text) => {
          fc.pre(!/\d{16}|[eE]/.test(text));
          expect(parseJsonStrict(text)).to.deep.equal(JSON.parse(text));
        }),
      );
      for (const [text, value] of [
        ['{"a":0.30000000000000004}', 0.30000000000000004],
        ['{"a":18.520430000000001234}', 18.52043],
        ['{"a":1e5}', 100_000],
        ['{"a":10.00000000000000000}', 10],
        ['{"a":0e999999999}', 0],
        ['{"a":1E-7}', 1e-7],
        ['{"a":9007199254740991}', 9_007_199_254_740_991],
      ] as const) {
        expect(parseJsonStrict(text), text).to.deep.equal({ a: value });
      }
    });

    it('reads integers however they are written', () => {
      for (const [text, value] of [
        ['1e21', 10n ** 21n],
        ['-1.5e20', -15n * 10n ** 19n],
        ['9007199254740993.0', 9_007_199_254_740_993n],
        ['90071992547409930e-1', 9_007_199_254_740_993n],
        ['1.2345678901234567891e19', 12_345_678_901_234_567_891n],
      ] as const) {
        expect(parseJsonStrict(`[${text}]`), text).to.deep.equal([value]);
      }
    });

    it('refuses numbers that cannot be held exactly, and names them', () => {
      const long = ['9007199254740993.5', '9.9999999999999999999', '99999999999999999999e-19'];
      for (const text of ['1e400', '-1e999', ...long, '1e-400']) {
        expect(() => parseJsonStrict(`{"a": ${text}}`), text).to.throw(InexactNumber, text);
      }
    });

    it('remembers which bodies hold such integers, and shows them as text', () => {
      const parsed = parseJsonStrict('{"a":[{"b":12345678901234567}],"c":null,"d":"x"}');
      expect(hasBigInts(parsed)).to.equal(true);
      const asText = { a: [{ b: '12345678901234567' }], c: null, d: 'x' };
      expect(bigIntsAsText(parsed)).to.deep.equal(asText);
      expect(hasBigInts(parseJsonStrict('{"a":12}'))).to.equal(false);
      expect(hasBigInts(7n)).to.equal(false);
    });
  });
});
