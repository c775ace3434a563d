import { expect } from 'chai';
import fc from 'fast-check';
import { exceedsDepth, parseJsonExact } from '../src/json.ts';

const bytes = (text: string) => Buffer.from(text);

/** Levels of arrays and objects in a parsed value. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;

describe('JSON', () => {
  describe('exceedsDepth', () => {
    it('counts as a parser would', () => {
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

    it('ends on text that breaks off', () => {
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
      expect(parseJsonExact('{"a":":30000000000000003"}')).to.deep.equal({
        a: ':30000000000000003',
      });
    });
  });
});
