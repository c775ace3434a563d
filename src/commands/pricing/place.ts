import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min';
import { isUserId } from '../../events/contact.ts';
import { countryOf, UNKNOWN_COUNTRY } from './country.ts';
import { type Market, marketOf } from './market.ts';

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
