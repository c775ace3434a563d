/** An integer of units of 10^-decimals as a decimal string with `shownMin` to `decimals` decimals. */
export const formatDecimal = (value: number, decimals: number, shownMin: number): string => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`);
  const digits = String(Math.abs(value)).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals);
  let shown = decimals;
  while (shown > shownMin && fraction[shown - 1] === '0') shown -= 1;
  const number = digits.slice(0, -decimals) + (shown ? `.${fraction.slice(0, shown)}` : '');
  return value < 0 ? `-${number}` : number;
};

/** Millionths as a decimal string with 4 to 6 decimals: 1680 is `0.00168`. */
export const formatMicros = (micros: number): string => formatDecimal(micros, 6, 4);

/** An amount in the unit of an account as callers read it: whole credits, or a decimal string. */
export const inUnit = (billing: 'credits' | 'wallet', amount: number): number | string =>
  billing === 'wallet' ? formatMicros(amount) : amount;
