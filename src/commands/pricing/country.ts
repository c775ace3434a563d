import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { LRUCache } from 'lru-cache';

/** The code of a number whose country the library does not know. */
export const UNKNOWN_COUNTRY = 'ZZ';

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
