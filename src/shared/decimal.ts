const DECIMALS = 6;
const DECIMALS_SHOWN_MIN = 4;

/** Millionths as a decimal string with 4 to 6 decimals: 1680 is `0.00168`. */
export const formatMicros = (micros: number): string => {
  if (!Number.isSafeInteger(micros)) throw new RangeError(`${micros} is not a safe integer`);
  const digits = String(Math.abs(micros)).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS);
  let shown = DECIMALS;
  while (shown > DECIMALS_SHOWN_MIN && fraction[shown - 1] === '0') shown -= 1;
  const number = `${digits.slice(0, -DECIMALS)}.${fraction.slice(0, shown)}`;
  return micros < 0 ? `-${number}` : number;
};
