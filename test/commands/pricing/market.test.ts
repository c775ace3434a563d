import { expect } from 'chai';
import fc from 'fast-check';
import { marketOf, marketPrefixes, markets } from '../../../src/commands/pricing/market.ts';

/** Markets of one country, with its calling code. */
const standalone =
  'Argentina 54, Brazil 55, Chile 56, Colombia 57, Egypt 20, France 33, Germany 49, ' +
  'Hong Kong 852, Hungary 36, India 91, Indonesia 62, Israel 972, Italy 39, Malaysia 60, ' +
  'Mexico 52, Netherlands 31, Nigeria 234, Pakistan 92, Peru 51, Poland 48, Qatar 974, ' +
  'Romania 40, Russia 7, Saudi Arabia 966, Singapore 65, South Africa 27, Spain 34, Turkey 90, ' +
  'United Arab Emirates 971, United Kingdom 44, Bangladesh 880, Iraq 964, Kuwait 965, ' +
  'Morocco 212, Nepal 977, Oman 968, Sri Lanka 94, Ukraine 380, Kazakhstan 76/77, ' +
  'North America 1';

/** The countries of the provider's regions. */
const regions = {
  'Rest of Africa':
    'Algeria 213, Angola 244, Benin 229, Botswana 267, Burkina Faso 226, Burundi 257, ' +
    'Cameroon 237, Chad 235, Congo-Brazzaville 242, Eritrea 291, Ethiopia 251, Gabon 241, ' +
    'Gambia 220, Ghana 233, Guinea-Bissau 245, Ivory Coast 225, Kenya 254, Lesotho 266, ' +
    'Liberia 231, Libya 218, Madagascar 261, Malawi 265, Mali 223, Mauritania 222, ' +
    'Mozambique 258, Namibia 264, Niger 227, Rwanda 250, Senegal 221, Sierra Leone 232, ' +
    'Somalia 252, South Sudan 211, Sudan 249, Eswatini 268, Tanzania 255, Togo 228, ' +
    'Tunisia 216, Uganda 256, Zambia 260, Zimbabwe 263',
  'Rest of Asia Pacific':
    'Afghanistan 93, Australia 61, Cambodia 855, China 86, Japan 81, Laos 856, Mongolia 976, ' +
    'New Zealand 64, Papua New Guinea 675, Philippines 63, Taiwan 886, Tajikistan 992, ' +
    'Thailand 66, Turkmenistan 993, Uzbekistan 998, Vietnam 84',
  'Rest of Central & Eastern Europe':
    'Albania 355, Armenia 374, Azerbaijan 994, Belarus 375, Bulgaria 359, Croatia 385, ' +
    'Czechia 420, Georgia 995, Greece 30, Latvia 371, Lithuania 370, Moldova 373, ' +
    'North Macedonia 389, Serbia 381, Slovakia 421, Slovenia 386',
  'Rest of Western Europe':
    'Austria 43, Belgium 32, Denmark 45, Finland 358, Ireland 353, Norway 47, Portugal 351, ' +
    'Sweden 46, Switzerland 41',
  'Rest of Latin America':
    'Bolivia 591, Costa Rica 506, Dominican Republic 1809/1829/1849, Ecuador 593, ' +
    'El Salvador 503, Guatemala 502, Haiti 509, Honduras 504, Jamaica 1658/1876, ' +
    'Nicaragua 505, Panama 507, Paraguay 595, Puerto Rico 1787/1939, Uruguay 598, Venezuela 58',
  'Rest of Middle East': 'Bahrain 973, Jordan 962, Lebanon 961, Yemen 967',
  Other:
    'Bahamas 1242, Barbados 1246, Anguilla 1264, Antigua 1268, British Virgin Islands 1284, ' +
    'Cayman 1345, Bermuda 1441, Grenada 1473, Turks and Caicos 1649, Montserrat 1664, ' +
    'Sint Maarten 1721, Saint Lucia 1758, Dominica 1767, Saint Vincent 1784, Trinidad 1868, ' +
    'Saint Kitts 1869',
};

interface Row {
  market: string;
  place: string;
  prefix: string;
}
const rowsOf = (list: string, market?: string): Row[] =>
  list.split(', ').flatMap((item) => {
    const [, place = '', prefixes = ''] = /^(.+) ([\d/]+)$/.exec(item) ?? [];
    return prefixes.split('/').map((prefix) => ({ market: market ?? place, place, prefix }));
  });
const rows = [
  ...rowsOf(standalone),
  ...Object.entries(regions).flatMap(([market, list]) => rowsOf(list, market)),
];

const digit = fc.integer({ min: 0, max: 9 }).map(String);
const digits = fc.string({ unit: digit, maxLength: 15 });

describe('marketOf', () => {
  for (const { market, place, prefix } of rows) {
    it(`puts +${prefix} (${place}) into ${market}`, () => {
      // 2 and 9 after a short prefix lead into none of the longer ones.
      expect(marketOf(`${prefix}20000000`)).to.equal(market);
      expect(marketOf(`${prefix}99999999`)).to.equal(market);
      expect(marketOf(prefix)).to.equal(market);
    });
  }

  it('knows no other prefixes than those', () => {
    const known = markets.flatMap((market) =>
      marketPrefixes[market].split(' ').map((prefix) => `${prefix} ${market}`),
    );
    expect(known).to.have.members(rows.map(({ prefix, market }) => `${prefix} ${market}`));
    expect(new Set(rows.map(({ prefix }) => prefix)).size).to.equal(rows.length);
    expect(markets).to.have.length(47);
  });

  it('lets the longest prefix decide, for any digits', () => {
    const start = fc.constantFrom('', ...rows.map(({ prefix }) => prefix));
    fc.assert(
      fc.property(start, digits, (prefix, rest) => {
        const number = prefix + rest;
        const longest = rows
          .filter((row) => number.startsWith(row.prefix))
          .toSorted((a, b) => b.prefix.length - a.prefix.length)[0];
        expect(marketOf(number)).to.equal(longest?.market ?? 'Other');
      }),
      { numRuns: 2_000 },
    );
  });
});
