/**
 * What a spreadsheet may take for the beginning of a formula: one of these signs, also in full width,
 * behind any spaces and characters that it does not show.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/** A cell of a CSV file. A leading quote keeps a spreadsheet from taking a text for a formula. */
export const csvCell = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** A decimal number, whose minus sign begins no formula. */
const AMOUNT = /^-?\d+(\.\d+)?$/;

/** The same for files with amounts, which are decimal texts. */
export const amountCell = (value: string | number | null = null): string =>
  typeof value === 'string' && AMOUNT.test(value) ? value : csvCell(value);
