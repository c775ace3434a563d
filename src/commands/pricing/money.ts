import { z } from 'zod';
import { formatDecimal } from '../../shared/decimal.ts';

/**
 * Amounts are integers of millionths inside and decimal strings outside; a percentage is an integer
 * of ten-thousandths of a percent. No amount ever becomes a binary fraction.
 */
export const MICROS_PER_UNIT = 1_000_000;
const AMOUNT_DECIMALS = 6;
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

const amount: Grammar = { decimals: AMOUNT_DECIMALS, signed: false };
const signedAmount: Grammar = { decimals: AMOUNT_DECIMALS, signed: true };
const percent: Grammar = { decimals: PERCENT_DECIMALS, signed: false };

/** Ten-thousandths of a percent as the shortest decimal string that `Percent` reads. */
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
