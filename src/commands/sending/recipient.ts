/** The digits of a telephone number. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/**
 * Digits of the recipient of a send: a leading `00` is the international prefix and is read as `+`;
 * nothing else of a recipient is checked (contract 4.7).
 */
export const recipientDigits = (to: string): string => {
  const digits = digitsOf(to);
  return /^\D*\+/.test(to) ? digits : digits.replace(/^00/, '');
};

/**
 * Whether the provider's id may be the number `to`: in Brazil, Mexico and Argentina the provider adds
 * or drops a digit after the country code.
 */
export const mayBeRecipient = (waId: string | null, to: string): boolean =>
  waId === null ||
  waId === to ||
  (Math.abs(waId.length - to.length) === 1 &&
    waId.slice(0, 2) === to.slice(0, 2) &&
    waId.slice(-8) === to.slice(-8));
