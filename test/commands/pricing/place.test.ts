import { expect } from 'chai';
import { getCountries, getExampleNumber } from 'libphonenumber-js';
import examples from 'libphonenumber-js/examples.mobile.json';
import { marketOf, placeOf } from '../../../src/commands/pricing/market.ts';

describe('the place of a recipient', () => {
  it('is, for a user id, the market of the numbers of its country', () => {
    const countries = getCountries();
    expect(countries.length).to.be.above(200);
    for (const country of countries) {
      const market = marketOf(getExampleNumber(country, examples)!.number.slice(1));
      const place = placeOf(`${country}.13491208655302741918`);
      expect(place).to.deep.equal({ market, countryCode: country });
    }
  });

  it('is the rest of the world where the letters name no country', () => {
    const place = { market: 'Other', countryCode: 'ZZ' };
    expect(placeOf('QQ.13491208655302741918')).to.deep.equal(place);
  });
});
