import { expect } from 'chai';
import fc from 'fast-check';
import { formatMicros } from '../../src/shared/decimal.ts';

describe('formatMicros', () => {
  const cases: [number, string][] = [
    [0, '0.0000'],
    [-0, '0.0000'],
    [1, '0.000001'],
    [-1, '-0.000001'],
    [10, '0.00001'],
    [100, '0.0001'],
    [1680, '0.00168'],
    [11_800, '0.0118'],
    [999_999, '0.999999'],
    [1_000_000, '1.0000'],
    [25_000_000, '25.0000'],
    [-25_500_000, '-25.5000'],
    [Number.MAX_SAFE_INTEGER, '9007199254.740991'],
  ];
  for (const [micros, text] of cases) {
    it(`writes ${micros} as ${text}`, () => expect(formatMicros(micros)).to.equal(text));
  }
  it('loses nothing, and shows 4 to 6 decimals', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (micros) => {
        const text = formatMicros(micros);
        expect(text).to.match(/^-?\d+\.(\d{4}|\d{5}|\d{6})$/);
        const [whole = '', fraction = ''] = text.replace('-', '').split('.');
        const back = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
        expect(text.startsWith('-') ? -back : back).to.equal(BigInt(micros));
      }),
    );
  });
  it('refuses other numbers than exact integers', () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => formatMicros(value)).to.throw(RangeError);
    }
  });
});
