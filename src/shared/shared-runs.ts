/**
 * Runs the work once at a time. A call during a run shares the next run with the other calls that
 * come meanwhile, because the current run may have begun before what the caller must see.
 */
export const createSharedRuns = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  let following: Promise<T> | undefined;

  const run = (): Promise<T> => {
    if (!running) {
      running = work().finally(() => {
        running = undefined;
      });
      return running;
    }
    const next = (): Promise<T> => {
      following = undefined;
      return run();
    };
    following ??= running.then(next, next);
    return following;
  };
  return run;
};

/** The same for each key: a run does the work of one of the calls that share it. */
export const createKeyedRuns = <T>() => {
  const keys = new Map<string, { run: () => Promise<T>; calls: number }>();
  return async (key: string, work: () => Promise<T>): Promise<T> => {
    const entry = keys.get(key) ?? { run: createSharedRuns(work), calls: 0 };
    keys.set(key, entry);
    entry.calls += 1;
    try {
      return await entry.run();
    } finally {
      entry.calls -= 1;
      if (entry.calls === 0) keys.delete(key);
    }
  };
};
