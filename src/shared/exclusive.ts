/** Runs one work at a time, in the order of the calls. */
export type Exclusive = <T>(work: () => Promise<T>) => Promise<T>;

export const createExclusive = (): Exclusive => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
};
