import { expect } from 'chai';
import {
  asArray,
  asDigits,
  asId,
  asInteger,
  asName,
  asRecord,
  asText,
  excerpt,
  isRecord,
  shorten,
} from '../../src/provider/shape.ts';

describe('readers of foreign JSON', () => {
  it('read records, lists and other values', () => {
    expect([{}, [], null, 'x', 1, undefined].filter(isRecord)).to.deep.equal([{}]);
    expect([asRecord({ a: 1 }), asRecord([1]), asRecord(null)]).to.deep.equal([{ a: 1 }, {}, {}]);
    expect([asArray([1]), asArray({ length: 1 }), asArray('x')]).to.deep.equal([[1], [], []]);
  });

  it('read text and numbers as text, and blank text as null', () => {
    expect([' a ', 7, 0].map(asText)).to.deep.equal([' a ', '7', '0']);
    for (const value of ['', ' \n', Number.NaN, Number.POSITIVE_INFINITY, null, {}, true]) {
      expect(asText(value), String(value)).to.equal(null);
    }
  });

  it('read whole numbers up to 2^53 − 1', () => {
    const whole = [12, -3, Number.MAX_SAFE_INTEGER];
    expect(['12', ...whole].map(asInteger)).to.deep.equal([12, ...whole]);
    for (const value of [1.5, 'x', '', null, 2 ** 53]) {
      expect(asInteger(value), String(value)).to.equal(null);
    }
  });

  it('read the digits of a number, and null without digits', () => {
    const numbers = ['+44 7700-900123', 15550100001];
    expect(numbers.map(asDigits)).to.deep.equal(['447700900123', '15550100001']);
    expect([asDigits('x'), asDigits(null), asDigits('')]).to.deep.equal([null, null, null]);
  });

  it('cut a long text with an ellipsis, and keep a short one', () => {
    expect([shorten('abcd', 4), shorten('abcde', 4)]).to.deep.equal(['abcd', 'abc…']);
  });

  it('write an answer for the log in 200 characters without long words and numbers', () => {
    const secret = 'A'.repeat(24);
    expect(excerpt(`token=${secret}`)).to.equal('*');
    expect(excerpt(`token ${secret}, ${'B'.repeat(23)}`)).to.equal(`token *, ${'B'.repeat(23)}`);
    expect(excerpt('to 447700900123 or 1234 or 123')).to.equal('to * or * or 123');
    expect(excerpt('a '.repeat(100))).to.have.length(200);
    expect(excerpt('a '.repeat(101)))
      .to.match(/…$/)
      .and.have.length(200);
    // Long words shrink to a sign each; what follows the first 800 characters is not looked at.
    const long = `${'1'.repeat(400)} ${'2'.repeat(398)} `;
    expect(excerpt(`${long}end`)).to.equal('* * ');
    expect(excerpt(`${long.slice(1)}end`)).to.equal('* * e');
  });

  it('read ids of 300 characters and names of 512', () => {
    for (const [read, max] of [
      [asId, 300],
      [asName, 512],
    ] as const) {
      expect(read('x'.repeat(max))).to.have.length(max);
      expect(read('x'.repeat(max + 1))).to.equal(null);
    }
  });
});
