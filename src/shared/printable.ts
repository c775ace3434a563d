/** Characters that control a terminal or change the direction of a line. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string =>
  /[\n\r\t]/.test(character)
    ? ' '
    : `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;

/** The text on one line, without characters that control a terminal. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped);
