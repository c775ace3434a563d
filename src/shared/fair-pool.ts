/** Somebody who holds some of the places, and may be waiting for more. */
export interface Holder {
  held: number;
  /** Calls for which no place was free, oldest first. */
  queue: Waiting[];
}

interface Waiting {
  timer: NodeJS.Timeout;
  settle: (taken: boolean) => void;
}

export interface FairPool {
  /** Takes a place if the holder may have one now and nobody waits before. */
  take(holder: Holder): boolean;
  /** Waits for one, for so long at most; false when it was in vain. */
  wait(holder: Holder, timeoutMs: number): Promise<boolean>;
  release(holder: Holder): void;
}

/**
 * Shares a number of places, such as connections, between any number of holders. A holder may have
 * `share` times as many as it leaves free, so none can have them all.
 */
export const createFairPool = (places: number, share: number): FairPool => {
  const queued = new Set<Holder>();
  let free = places;

  const hasRoom = (holder: Holder) => free > 0 && holder.held < share * free;

  const give = (holder: Holder) => {
    holder.held += 1;
    free -= 1;
  };

  /** Holders take turns, so that a long queue does not keep a short one waiting. */
  const serveQueued = () => {
    let turns = queued.size;
    for (const holder of queued) {
      if (turns <= 0 || free <= 0) return;
      turns -= 1;
      if (!hasRoom(holder)) continue;
      const next = holder.queue.shift();
      queued.delete(holder);
      if (!next) continue;
      if (holder.queue.length > 0) queued.add(holder);
      clearTimeout(next.timer);
      give(holder);
      next.settle(true);
    }
  };

  return {
    take(holder) {
      if (holder.queue.length > 0 || !hasRoom(holder)) return false;
      give(holder);
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
