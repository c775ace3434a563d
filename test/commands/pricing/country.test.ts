import { expect } from 'chai';
import fc from 'fast-check';
import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { countryOf } from '../../../src/commands/pricing/market.ts';

const library = (digits: string) => parsePhoneNumberFromString(`+${digits}`)?.country ?? 'ZZ';

const codes = [...new Set(getCountries().map((country) => String(getCountryCallingCode(country))))];
const digit = fc.integer({ min: 0, max: 9 }).map(String);

describe('countryOf @long', () => {
  const known: [string, string][] = [
    ['919812345678', 'IN'],
    ['5511987654321', 'BR'],
    ['4915123456789', 'DE'],
    ['12125552368', 'US'],
    ['14165552368', 'CA'],
    ['18765552368', 'JM'],
    ['17875552368', 'PR'],
    ['79161234567', 'RU'],
    ['77011234567', 'KZ'],
    ['447400123456', 'GB'],
    ['447781123456', 'GG'],
    ['212650123456', 'MA'],
    ['393123456789', 'IT'],
    ['61412345678', 'AU'],
  ];
  for (const [digits, country] of known) {
    it(`knows +${digits} to be in ${country}`, () => {
      expect(countryOf(digits)).to.equal(country);
      expect(countryOf(digits), 'asked again').to.equal(country);
    });
  }

  for (const digits of ['', '0', '9', '91', '00919812345678', '999123456', '80012345678']) {
    it(`knows no country for "${digits}"`, () => expect(countryOf(digits)).to.equal('ZZ'));
  }

  it('answers for each calling code and length as the library does', () => {
    for (const code of codes) {
      for (let length = 0; length <= 20; length += 1) {
        for (const filler of ['0', '1', '5', '8', '9']) {
          const digits = code + filler.repeat(length);
          expect(countryOf(digits), digits).to.equal(library(digits));
        }
      }
    }
  });

  it('answers for any digits as the library does', () => {
    const national = fc.string({ unit: digit, maxLength: 22 });
    const number = fc
      .tuple(
        fc.constantFrom('', ...codes, '1', '7', '44'),
        fc.constantFrom('', '', '0', '1', '8', '00'),
        national,
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(number, (digits) => {
        expect(countryOf(digits)).to.equal(library(digits));
      }),
      { numRuns: 3_000 },
    );
  });

  it('stays right for more numbers than it remembers', () => {
    for (let line = 0; line < 12_000; line += 1) {
      countryOf(`1212${String(2_000_000 + line)}`);
    }
    expect(countryOf('12122000000')).to.equal('US');
    expect(countryOf('18765552368')).to.equal('JM');
  });
});
