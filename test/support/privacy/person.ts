import type { Mark } from './needles.ts';

/** A contact whose every text occurs nowhere else. */
export interface Person {
  /** Digits. */
  number: string;
  userId: string;
  /** The user id before it changed. */
  oldUserId: string;
  /** A text for one place; the same one for the same place. */
  text(place: string): string;
  /** All that can be looked for, so far. */
  marks(): Mark[];
}

let persons = 0;

/** Letters that no program writes by chance. */
const letters = (count: number): string =>
  Array.from({ length: count }, () =>
    String.fromCharCode(97 + Math.floor(Math.random() * 26)),
  ).join('');

/** A person of this run. Texts hold what JSON and URLs write otherwise. */
export const createPerson = (): Person => {
  persons += 1;
  const texts = new Map<string, string>();
  // 12 digits of India, the country of the rate card's examples.
  const number = `9198${String(10_000_000 + Math.floor(Math.random() * 89_000_000))}`;
  const digits = () => String(Math.random()).slice(2, 17).padEnd(15, '7');
  const [userId, oldUserId] = [`IN.${digits()}${persons}`, `IN.${digits()}${persons}`];
  return {
    number,
    userId,
    oldUserId,
    text(place) {
      const known = texts.get(place);
      if (known !== undefined) return known;
      const made = `${letters(10)} ü"${letters(10)}`;
      texts.set(place, made);
      return made;
    },
    marks: () => [
      { name: 'number', text: number },
      { name: 'user id', text: userId },
      { name: 'old user id', text: oldUserId },
      ...[...texts].map(([name, text]) => ({ name, text })),
    ],
  };
};
