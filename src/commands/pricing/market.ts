import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { LRUCache } from 'lru-cache';
import { isUserId } from '../../events/contact.ts';

/** The code of a number whose country the library does not know. */
const UNKNOWN_COUNTRY = 'ZZ';

const CALLING_CODE_DIGITS_MAX = 3;
/** Between these lengths the library names the only country of a calling code without a look. */
const NATIONAL_DIGITS_MIN = 3;
const NATIONAL_DIGITS_MAX = 14;
/** The longest number that E.164 allows; anything longer is not worth remembering. */
const E164_DIGITS_MAX = 15;

const countriesByCode = Map.groupBy(getCountries(), (country) =>
  String(getCountryCallingCode(country)),
);
/** Calling codes of exactly one country. No calling code is the beginning of another. */
const onlyCountryByCode = new Map<string, CountryCode>(
  [...countriesByCode].flatMap(([code, [first, second]]) =>
    first && !second ? [[code, first] as const] : [],
  ),
);

const onlyCountryOf = (digits: string): string | undefined => {
  for (let length = 1; length <= CALLING_CODE_DIGITS_MAX; length += 1) {
    const country = onlyCountryByCode.get(digits.slice(0, length));
    if (!country) continue;
    const nationalDigits = digits.length - length;
    const usual = nationalDigits >= NATIONAL_DIGITS_MIN && nationalDigits <= NATIONAL_DIGITS_MAX;
    return usual ? country : undefined;
  }
  return undefined;
};

const parseCountry = (digits: string): string =>
  parsePhoneNumberFromString(`+${digits}`)?.country ?? UNKNOWN_COUNTRY;

const parsed = new LRUCache<string, string>({ max: 10_000 });

/**
 * ISO 3166 alpha-2 code of a number given as digits with its country code: always what the library
 * answers. Countries that share a calling code (+1, +7, +44) need it to read the whole number.
 */
export const countryOf = (digits: string): string => {
  const only = onlyCountryOf(digits);
  if (only) return only;
  if (digits.length > E164_DIGITS_MAX) return parseCountry(digits);
  let country = parsed.get(digits);
  if (!country) {
    country = parseCountry(digits);
    parsed.set(digits, country);
  }
  return country;
};

/**
 * The provider's markets by the leading digits of an E.164 number, as of 1 October 2026. The
 * longest prefix decides, so the islands that share +1 or +7 with a larger neighbour are set apart
 * by four digits or two. A number that matches none belongs to `Other`.
 */
export const marketPrefixes = {
  Argentina: '54',
  Bangladesh: '880',
  Brazil: '55',
  Chile: '56',
  Colombia: '57',
  Egypt: '20',
  France: '33',
  Germany: '49',
  'Hong Kong': '852',
  Hungary: '36',
  India: '91',
  Indonesia: '62',
  Iraq: '964',
  Israel: '972',
  Italy: '39',
  Kazakhstan: '76 77',
  Kuwait: '965',
  Malaysia: '60',
  Mexico: '52',
  Morocco: '212',
  Nepal: '977',
  Netherlands: '31',
  Nigeria: '234',
  Oman: '968',
  Pakistan: '92',
  Peru: '51',
  Poland: '48',
  Qatar: '974',
  Romania: '40',
  Russia: '7',
  'Saudi Arabia': '966',
  Singapore: '65',
  'South Africa': '27',
  Spain: '34',
  'Sri Lanka': '94',
  Turkey: '90',
  Ukraine: '380',
  'United Arab Emirates': '971',
  'United Kingdom': '44',
  'North America': '1',
  'Rest of Africa':
    '211 213 216 218 220 221 222 223 225 226 227 228 229 231 232 233 235 237 241 242 244 245 ' +
    '249 250 251 252 254 255 256 257 258 260 261 263 264 265 266 267 268 291',
  'Rest of Asia Pacific': '61 63 64 66 675 81 84 855 856 86 886 93 976 992 993 998',
  'Rest of Central & Eastern Europe':
    '30 355 359 370 371 373 374 375 381 385 386 389 420 421 994 995',
  'Rest of Latin America':
    '502 503 504 505 506 507 509 58 591 593 595 598 1658 1787 1809 1829 1849 1876 1939',
  'Rest of Middle East': '961 962 967 973',
  'Rest of Western Europe': '32 351 353 358 41 43 45 46 47',
  Other: '1242 1246 1264 1268 1284 1345 1441 1473 1649 1664 1721 1758 1767 1784 1868 1869',
} as const;

export type Market = keyof typeof marketPrefixes;

export const markets = Object.keys(marketPrefixes) as Market[];

const marketByPrefix = new Map(
  markets.flatMap((market) =>
    marketPrefixes[market].split(' ').map((prefix) => [prefix, market] as const),
  ),
);
const PREFIX_DIGITS_MAX = 4;

/** The market of a number given as digits with its country code, or as its first digits. */
export const marketOf = (digits: string): Market => {
  for (let length = PREFIX_DIGITS_MAX; length > 0; length -= 1) {
    const market = marketByPrefix.get(digits.slice(0, length));
    if (market) return market;
  }
  return 'Other';
};

/**
 * First digits of the countries that share a calling code with another market. All others have the
 * market of their calling code.
 */
const firstDigits: Readonly<Record<string, string>> = {
  AG: '1268',
  AI: '1264',
  BB: '1246',
  BM: '1441',
  BS: '1242',
  DM: '1767',
  DO: '1809',
  GD: '1473',
  JM: '1876',
  KN: '1869',
  KY: '1345',
  LC: '1758',
  MS: '1664',
  PR: '1787',
  SX: '1721',
  TC: '1649',
  TT: '1868',
  VC: '1784',
  VG: '1284',
  KZ: '77',
};

const ofUserId = (userId: string): { market: Market; countryCode: string } => {
  const country = userId.slice(0, 2);
  if (!isSupportedCountry(country)) return { market: 'Other', countryCode: UNKNOWN_COUNTRY };
  const digits = firstDigits[country] ?? String(getCountryCallingCode(country));
  return { market: marketOf(digits), countryCode: country };
};

/** The market and the country of a recipient: of a number, or of the country letters of a user id. */
export const placeOf = (to: string): { market: Market; countryCode: string } =>
  isUserId(to) ? ofUserId(to) : { market: marketOf(to), countryCode: countryOf(to) };
