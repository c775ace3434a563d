/** The results of the work on all of these, in their order; so many are worked on at a time. */
export const inSlices = async <T, Result>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (let at = 0; at < all.length; at += atOnce) {
    results.push(...(await Promise.all(all.slice(at, at + atOnce).map(work))));
  }
  return results;
};
