/** Sweeps, what falls due and the destruction of keys: one process does them all. */
export const DUTIES = 'duties';

/** Comes before all UUIDs. */
const NEWER = '0-';

/**
 * The name of a worker. One up to version 0.2.0 has a UUID as its name, and runs all reactors while it
 * has the duties. Of the processes that are there, the first by name takes a unit of which there is
 * one, so no older worker takes the duties while a newer one is there.
 */
export const workerName = (id: string): string => NEWER + id;

export const isOlder = (worker: string): boolean => !worker.startsWith(NEWER);

/** Whether an older worker runs all reactors. */
export const hasOlderReactors = (held: ReadonlyMap<string, string>): boolean => {
  const holder = held.get(DUTIES);
  return holder !== undefined && isOlder(holder);
};
