import { z } from 'zod';

/**
 * Amounts are integers of millionths inside and decimal strings outside; a percentage is an integer
 * of ten-thousandths of a percent. Nothing here ever becomes a binary fraction.
 */
export const MICROS_PER_UNIT = 1_000_000;
const AMOUNT_DECIMALS = 6;
const AMOUNT_DECIMALS_SHOWN = 4;
const PERCENT_DECIMALS = 4;
/** With rates of at most a million units this keeps every price far inside the safe integers. */
const PERCENT_MAX = 10_000;

const DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

interface Grammar {
  decimals: number;
  signed: boolean;
}
type Reading = { value: number } | { problem: string };

const readDecimal = (text: string, { decimals, signed }: Grammar): Reading => {
  const match = DECIMAL.exec(text);
  if (!match) return { problem: 'must be a decimal number such as 25.00' };
  const [, sign = '', whole = '', fraction = ''] = match;
  if (sign && !signed) return { problem: 'must not be negative' };
  if (fraction.length > decimals) return { problem: `must have at most ${decimals} decimals` };
  // Both parts and their sum are exact whenever the result is a safe integer.
  const value = Number(whole) * 10 ** decimals + Number(fraction.padEnd(decimals, '0'));
  if (!Number.isSafeInteger(value)) return { problem: 'is too large' };
  return { value: sign && value > 0 ? -value : value };
};

const parseDecimal = (text: string, grammar: Grammar): number => {
  const reading = readDecimal(text, grammar);
  if ('problem' in reading) throw new RangeError(`"${text.slice(0, 40)}" ${reading.problem}`);
  return reading.value;
};

const formatDecimal = (value: number, decimals: number, decimalsShown: number): string => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`);
  const digits = String(Math.abs(value)).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals);
  let shown = decimals;
  while (shown > decimalsShown && fraction[shown - 1] === '0') shown -= 1;
  const number = digits.slice(0, -decimals) + (shown ? `.${fraction.slice(0, shown)}` : '');
  return value < 0 ? `-${number}` : number;
};

const amount: Grammar = { decimals: AMOUNT_DECIMALS, signed: false };
const signedAmount: Grammar = { decimals: AMOUNT_DECIMALS, signed: true };
const percent: Grammar = { decimals: PERCENT_DECIMALS, signed: false };

/** Millionths from a decimal string without sign; throws RangeError. */
export const parseAmount = (text: string): number => parseDecimal(text, amount);

/** As parseAmount, and a leading minus is allowed. */
export const parseSignedAmount = (text: string): number => parseDecimal(text, signedAmount);

/** Millionths as a decimal string with 4 to 6 decimals. */
export const formatAmount = (micros: number): string =>
  formatDecimal(micros, AMOUNT_DECIMALS, AMOUNT_DECIMALS_SHOWN);

/** Ten-thousandths of a percent from a string such as "12.5"; throws RangeError. */
export const parsePercent = (text: string): number => parseDecimal(text, percent);

/** The shortest string that parsePercent reads back. */
export const formatPercent = (value: number): string => formatDecimal(value, PERCENT_DECIMALS, 0);

const decimalString = (grammar: Grammar, example: string) =>
  z
    .string()
    .meta({ format: 'decimal', examples: [example] })
    .transform((text, context): number => {
      const reading = readDecimal(text, grammar);
      if ('value' in reading) return reading.value;
      context.issues.push({ code: 'custom', message: reading.problem, input: text });
      return z.NEVER;
    });

// Decimal strings at the edge, read as integers.

export const Amount = decimalString(amount, '0.0118');
export const PositiveAmount = Amount.refine((micros) => micros > 0, 'must be above zero');
export const SignedAmount = decimalString(signedAmount, '-25.00');
export const Percent = decimalString(percent, '20').refine(
  (value) => value <= PERCENT_MAX * 10 ** PERCENT_DECIMALS,
  `must not be above ${PERCENT_MAX}`,
);
