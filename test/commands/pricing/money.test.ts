import { expect } from 'chai';
import fc from 'fast-check';
import {
  Amount,
  formatPercent,
  Percent,
  PositiveAmount,
  SignedAmount,
} from '../../../src/commands/pricing/money.ts';
import { formatMicros } from '../../../src/shared/decimal.ts';

const micros = fc.maxSafeNat();
const signedMicros = fc.maxSafeInteger();

const messageOf = (schema: typeof Amount, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message;

describe('money', () => {
  const shown: [number, string][] = [
    [0, '0.0000'],
    [1, '0.000001'],
    [10, '0.00001'],
    [1_680, '0.00168'],
    [11_800, '0.0118'],
    [100_000, '0.1000'],
    [999_999, '0.999999'],
    [25_000_000, '25.0000'],
    [-11_800, '-0.0118'],
    [-25_500_000, '-25.5000'],
    [Number.MAX_SAFE_INTEGER, '9007199254.740991'],
    [Number.MIN_SAFE_INTEGER, '-9007199254.740991'],
  ];
  for (const [amount, text] of shown) {
    it(`writes ${amount} millionths as ${text}`, () => {
      expect(formatMicros(amount)).to.equal(text);
      expect(SignedAmount.parse(text)).to.equal(amount);
    });
  }

  const read: [string, number][] = [
    ['25.00', 25_000_000],
    ['25', 25_000_000],
    ['0', 0],
    ['0.5', 500_000],
  ];
  for (const [text, amount] of read) {
    it(`reads ${text}`, () => expect(Amount.parse(text)).to.equal(amount));
  }

  const refused: [string, RegExp][] = [
    ['', /decimal number/],
    ['abc', /decimal number/],
    [' 1', /decimal number/],
    ['1 ', /decimal number/],
    ['1\n', /decimal number/],
    ['1,5', /decimal number/],
    ['.5', /decimal number/],
    ['5.', /decimal number/],
    ['1.2.3', /decimal number/],
    ['01', /decimal number/],
    ['+1', /decimal number/],
    ['--1', /decimal number/],
    ['1e3', /decimal number/],
    ['0x10', /decimal number/],
    ['Infinity', /decimal number/],
    ['NaN', /decimal number/],
    ['٣', /decimal number/],
    ['9007199254.740992', /too large/],
    ['10000000000', /too large/],
    ['9'.repeat(400), /too large/],
  ];
  for (const [text, problem] of refused) {
    it(`refuses ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(() => Amount.parse(text)).to.throw(problem);
    });
  }

  it('does not repeat a whole huge text in its message', () => {
    expect(() => Amount.parse('x'.repeat(100_000)))
      .to.throw()
      .with.property('message')
      .that.has.lengthOf.below(120);
  });

  it('reads a minus where one is allowed, and never makes minus zero', () => {
    expect(SignedAmount.parse('-0.25')).to.equal(-250_000);
    expect(Object.is(SignedAmount.parse('-0.00'), 0)).to.equal(true);
  });

  it('reads back every amount that it writes', () => {
    fc.assert(fc.property(signedMicros, (n) => SignedAmount.parse(formatMicros(n)) === n));
    fc.assert(fc.property(micros, (n) => Amount.parse(formatMicros(n)) === n));
  });

  it('writes 4 to 6 decimals, the fifth and sixth only unless zero', () => {
    fc.assert(
      fc.property(signedMicros, (n) => {
        expect(formatMicros(n)).to.match(/^-?(0|[1-9]\d*)\.\d{4}(\d?[1-9])?$/);
      }),
    );
  });

  it('reads and writes percentages', () => {
    expect(Percent.parse('20')).to.equal(200_000);
    expect(Percent.parse('12.5')).to.equal(125_000);
    expect(Percent.parse('0.0001')).to.equal(1);
    expect(() => Percent.parse('0.00001')).to.throw(/4 decimals/);
    expect(() => Percent.parse('-5')).to.throw(/negative/);
    expect(formatPercent(200_000)).to.equal('20');
    expect(formatPercent(125_000)).to.equal('12.5');
    expect(formatPercent(0)).to.equal('0');
    fc.assert(fc.property(fc.nat(100_000_000), (n) => Percent.parse(formatPercent(n)) === n));
  });

  describe('at the edge', () => {
    it('gives integers', () => {
      expect(PositiveAmount.parse('0.000001')).to.equal(1);
      expect(Percent.parse('10000')).to.equal(100_000_000);
    });

    it('says what is wrong', () => {
      expect(messageOf(Amount, '-1')).to.equal('must not be negative');
      expect(messageOf(Amount, '0.0000001')).to.equal('must have at most 6 decimals');
      expect(messageOf(Amount, 25)).to.contain('string');
      expect(messageOf(PositiveAmount, '0.00')).to.equal('must be above zero');
      expect(messageOf(Percent, '10000.0001')).to.equal('must not be above 10000');
    });
  });
});
