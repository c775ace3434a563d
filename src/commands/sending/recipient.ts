/** Digits of a telephone number as somebody wrote it. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/**
 * Digits of the recipient of a send: a leading `00` is the international prefix and is read as `+`;
 * nothing else of a recipient is checked (contract 4.7).
 */
export const recipientDigits = (to: string): string => {
  const digits = digitsOf(to);
  return /^\D*\+/.test(to) ? digits : digits.replace(/^00/, '');
};
