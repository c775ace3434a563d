const PLACES = 12;

const unitsOf = (value: string | number): bigint => {
  const [, sign, whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  const units = BigInt(whole + part.padEnd(PLACES, '0').slice(0, PLACES));
  return sign === '-' ? -units : units;
};

/** The exact sum of decimal amounts, in units that only compare with each other. */
export const sumOf = (values: readonly (string | number)[]): bigint =>
  values.reduce((sum, value) => sum + unitsOf(value), 0n);
