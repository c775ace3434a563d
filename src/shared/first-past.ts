/**
 * Finds, by halving, the index of the first item that is `past`; their number when none is. Expects
 * all items behind a `past` one to be `past` too.
 */
export const firstPast = <T>(items: readonly T[], past: (item: T) => boolean): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (past(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
};
