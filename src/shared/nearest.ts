/** Longer words are not compared: the work grows with the product of both lengths. */
const LENGTH_MAX = 100;

/** Least number of letters to insert, remove, replace, or swap with their neighbour. */
const distance = (from: string, to: string): number => {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      let least = Math.min(
        above[column]! + 1,
        current[column - 1]! + 1,
        above[column - 1]! + (isSame ? 0 : 1),
      );
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && isSwapped) least = Math.min(least, before[column - 2]! + 1);
      current.push(least);
    }
    before = above;
    above = current;
  }
  return above[to.length]!;
};

/** Two words are near when at most a third of their letters differ. */
const PART_MAX = 1 / 3;

/** The letters and digits of a word, in lower case. */
export const lettersOf = (word: string): string =>
  word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** What was probably meant by a word: the nearest of the known ones; undefined where none is near. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const given = lettersOf(word);
  if (given === '' || given.length > LENGTH_MAX) return undefined;
  let best: { one: string; away: number } | undefined;
  for (const one of known) {
    const other = lettersOf(one);
    const away = distance(given, other);
    const isNear = away <= Math.max(given.length, other.length) * PART_MAX;
    if (isNear && (best === undefined || away < best.away)) best = { one, away };
  }
  return best?.one;
};
