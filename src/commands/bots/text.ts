/**
 * Customers' texts as bots compare them: Unicode form, case and surrounding space do not count. Lower
 * case comes first, because a letter such as U+1E9E becomes `ß` only there, and `SS` only after that.
 */
export const fold = (text: string): string =>
  text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC').trim();

/** Cuts to `max` UTF-16 units, the strictest way to count, without half characters. */
export const cut = (text: string, max: number): string => {
  const whole = text.toWellFormed();
  const splitsPair = /[\uD800-\uDBFF]/.test(whole.charAt(max - 1));
  return whole.slice(0, splitsPair ? max - 1 : max);
};

const DECIMAL = /^[+-]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})$/;

/** A plain decimal in any script's full-width form; null for anything else, such as "1,000". */
export const toNumber = (text: string): number | null => {
  const plain = text.normalize('NFKC').trim();
  return DECIMAL.test(plain) ? Number(plain) : null;
};

/** A scalar as text; anything else is empty, never "[object Object]". */
export const scalarText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isFinite(value)) return String(value);
  return '';
};
