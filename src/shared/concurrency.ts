// What bounds and orders work in this process. Whatever needs another form says in its file why.

/** Runs one work at a time, in the order of the calls. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

export const createMutex = (): Mutex => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
};

/** Works on all items, at most `atOnce` at a time, in their order. Begins no further one after a failure. */
export const eachLimit = async <T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T, index: number) => Promise<unknown>,
): Promise<void> => {
  const waiting = items[Symbol.iterator]();
  let begun = 0;
  let hasFailed = false;
  const workOn = async (): Promise<void> => {
    while (!hasFailed) {
      const next = waiting.next();
      if (next.done) return;
      const index = begun;
      begun += 1;
      try {
        await work(next.value, index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workOn));
};

/** The same, with the results in the order of the items. */
export const mapLimit = async <T, Result>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  await eachLimit(items, atOnce, async (item, index) => {
    results[index] = await work(item, index);
  });
  return results;
};

/** Places, such as connections, that holders share by their names. */
interface Semaphore {
  /** Takes a place if the holder may have one and no call of it waits. */
  take(holder: string): boolean;
  /** Waits for a place; false after the time limit. */
  wait(holder: string, timeoutMs: number): Promise<boolean>;
  release(holder: string): void;
  /** Calls that wait for a place of this holder. */
  waiting(holder: string): number;
  /** Whether the holder has no place and waits for none. */
  isIdle(holder: string): boolean;
}

interface Waiting {
  timer: NodeJS.Timeout;
  settle: (taken: boolean) => void;
}

interface Holder {
  held: number;
  /** Calls that wait for a place, oldest first. */
  queue: Waiting[];
}

/** Idle holders that stay in the map, because V8 copies a map that empties and fills again. */
const IDLE_MAX = 1000;

/**
 * A semaphore that is fair: a holder may have `share` times as many places as it leaves free, so none can
 * take them all, and holders that wait take turns.
 */
export const createSemaphore = (places: number, share: number): Semaphore => {
  const holders = new Map<string, Holder>();
  const queued = new Set<Holder>();
  let free = places;

  const add = (name: string): Holder => {
    const holder = { held: 0, queue: [] };
    holders.set(name, holder);
    return holder;
  };

  const isIdle = (name: string): boolean => {
    const holder = holders.get(name);
    return !holder || (holder.held === 0 && holder.queue.length === 0);
  };

  const forgetIdle = (name: string): void => {
    if (isIdle(name)) holders.delete(name);
  };

  const serveQueued = (): void => {
    let turns = queued.size;
    for (const holder of queued) {
      if (turns <= 0 || free <= 0) return;
      turns -= 1;
      if (holder.held >= share * free) continue;
      const next = holder.queue.shift();
      queued.delete(holder);
      if (!next) continue;
      // Behind the others, so that a long queue does not keep a short one waiting.
      if (holder.queue.length > 0) queued.add(holder);
      clearTimeout(next.timer);
      holder.held += 1;
      free -= 1;
      next.settle(true);
    }
  };

  return {
    take(name) {
      const holder = holders.get(name) ?? add(name);
      if (holder.queue.length > 0 || free <= 0 || holder.held >= share * free) {
        if (holders.size > IDLE_MAX) forgetIdle(name);
        return false;
      }
      holder.held += 1;
      free -= 1;
      return true;
    },
    wait: (name, timeoutMs) =>
      new Promise((resolve) => {
        const holder = holders.get(name) ?? add(name);
        const giveUp = () => {
          holder.queue.splice(holder.queue.indexOf(entry), 1);
          if (holder.queue.length === 0) queued.delete(holder);
          forgetIdle(name);
          resolve(false);
        };
        const entry: Waiting = { timer: setTimeout(giveUp, timeoutMs), settle: resolve };
        holder.queue.push(entry);
        queued.add(holder);
      }),
    release(name) {
      const holder = holders.get(name)!;
      holder.held -= 1;
      free += 1;
      if (queued.size > 0) serveQueued();
      if (holders.size > IDLE_MAX) forgetIdle(name);
    },
    waiting: (name) => holders.get(name)?.queue.length ?? 0,
    isIdle,
  };
};

/** Does the work once. Calls share its result, and the call after a failed one tries again. */
export const createOnce = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
};

/**
 * Runs the work once at a time. A call during a run shares the next run with the other calls that
 * come meanwhile, because the current run may have begun before what the caller must see.
 */
export const createCoalesced = <T>(work: () => Promise<T>): (() => Promise<T>) => {
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
export const createCoalescedByKey = <T>() => {
  const keys = new Map<string, { run: () => Promise<T>; calls: number }>();
  return async (key: string, work: () => Promise<T>): Promise<T> => {
    const entry = keys.get(key) ?? { run: createCoalesced(work), calls: 0 };
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
