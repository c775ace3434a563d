interface Place<T> {
  item: T;
  index: number;
}

/** What comes and goes with every request, in no order. */
export interface Bag<T> {
  /** Puts it in; the answer takes it out again, once. */
  add(item: T): () => void;
  some(test: (item: T) => boolean): boolean;
  forEach(act: (item: T) => void): void;
  size(): number;
}

/**
 * Stands in for a Set where members live as long as a request. A Set's table is copied now and
 * then, and each old copy holds on to the next and to all that was in it: once one of them has
 * grown old in memory, every request after it is kept until the next full collection.
 */
export const createBag = <T>(): Bag<T> => {
  const places: Place<T>[] = [];
  return {
    add(item) {
      const place = { item, index: places.length };
      places.push(place);
      return () => {
        if (places[place.index] !== place) return;
        const last = places.pop()!;
        if (last === place) return;
        places[place.index] = last;
        last.index = place.index;
      };
    },
    some: (test) => places.some(({ item }) => test(item)),
    forEach: (act) => places.forEach(({ item }) => void act(item)),
    size: () => places.length,
  };
};
