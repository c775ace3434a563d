/** A holder of places, which may wait for more. */
export interface Holder {
  held: number;
  /** Calls that wait for a place, oldest first. */
  queue: Waiting[];
}

interface Waiting {
  timer: NodeJS.Timeout;
  settle: (taken: boolean) => void;
}

export interface FairPool {
  /** Takes a place if the holder may have one and no call waits before it. */
  take(holder: Holder): boolean;
  /** Waits for a place; false after the time limit. */
  wait(holder: Holder, timeoutMs: number): Promise<boolean>;
  release(holder: Holder): void;
}

/**
 * Shares places, such as connections, between holders. A holder may take `share` times as many
 * places as it leaves free, so none can take them all.
 */
export const createFairPool = (places: number, share: number): FairPool => {
  const queued = new Set<Holder>();
  let free = places;

  /** Holders take turns, so that a long queue does not keep a short one waiting. */
  const serveQueued = () => {
    let turns = queued.size;
    for (const holder of queued) {
      if (turns <= 0 || free <= 0) return;
      turns -= 1;
      if (holder.held >= share * free) continue;
      const next = holder.queue.shift();
      queued.delete(holder);
      if (!next) continue;
      if (holder.queue.length > 0) queued.add(holder);
      clearTimeout(next.timer);
      holder.held += 1;
      free -= 1;
      next.settle(true);
    }
  };

  return {
    take(holder) {
      if (holder.queue.length > 0 || free <= 0 || holder.held >= share * free) return false;
      holder.held += 1;
      free -= 1;
      return true;
    },
    wait: (holder, timeoutMs) =>
      new Promise((resolve) => {
        const giveUp = () => {
          holder.queue.splice(holder.queue.indexOf(entry), 1);
          if (holder.queue.length === 0) queued.delete(holder);
          resolve(false);
        };
        const entry: Waiting = { timer: setTimeout(giveUp, timeoutMs), settle: resolve };
        holder.queue.push(entry);
        queued.add(holder);
      }),
    release(holder) {
      holder.held -= 1;
      free += 1;
      if (queued.size > 0) serveQueued();
    },
  };
};

/** A fair pool that knows its holders by name. */
export interface NamedPool {
  take(name: string): boolean;
  wait(name: string, timeoutMs: number): Promise<boolean>;
  release(name: string): void;
  /** Calls that wait for a place of this name. */
  waiting(name: string): number;
}

export const createNamedPool = (places: number, share: number): NamedPool => {
  const pool = createFairPool(places, share);
  const holders = new Map<string, Holder>();

  const holderOf = (name: string): Holder => {
    const holder = holders.get(name) ?? { held: 0, queue: [] };
    holders.set(name, holder);
    return holder;
  };

  const forgetIdle = (name: string, { held, queue }: Holder) => {
    if (held === 0 && queue.length === 0) holders.delete(name);
  };

  return {
    take(name) {
      const holder = holderOf(name);
      const taken = pool.take(holder);
      if (!taken) forgetIdle(name, holder);
      return taken;
    },
    async wait(name, timeoutMs) {
      const holder = holderOf(name);
      const taken = await pool.wait(holder, timeoutMs);
      if (!taken) forgetIdle(name, holder);
      return taken;
    },
    release(name) {
      const holder = holderOf(name);
      pool.release(holder);
      forgetIdle(name, holder);
    },
    waiting: (name) => holders.get(name)?.queue.length ?? 0,
  };
};
