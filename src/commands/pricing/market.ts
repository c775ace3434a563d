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
