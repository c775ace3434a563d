/** Counts the bytes of one body or response while memory holds them. */
interface ByteShare {
  /** Counts further bytes. May cut this holder or others. */
  take(bytes: number): void;
  /** Ends the count. */
  close(): void;
}

/** Bounds the bytes that all callers together make the service hold. */
export interface ByteBudget {
  /** Calls `cut` after closing the share, when this holder must make room for others. */
  open(owner: string, cut: () => void): ByteShare;
  heldBytes(): number;
}

interface Holder {
  bytes: number;
  cut: () => void;
}

interface Owner {
  bytes: number;
  /** The oldest first. */
  holders: Set<Holder>;
}

/**
 * Without room, the owner with the most bytes loses its oldest holder. An owner that fills the
 * budget therefore locks no other owner out, and short holders survive even beside a heavy owner's.
 */
export const createByteBudget = (bytesMax: number): ByteBudget => {
  const owners = new Map<string, Owner>();
  let held = 0;

  const drop = (name: string, holder: Holder): void => {
    const owner = owners.get(name);
    if (!owner?.holders.delete(holder)) return;
    owner.bytes -= holder.bytes;
    held -= holder.bytes;
    if (owner.holders.size === 0) owners.delete(name);
  };

  const makeRoom = (): void => {
    let heaviest: [string, Owner] | undefined;
    for (const entry of owners) {
      if (!heaviest || entry[1].bytes > heaviest[1].bytes) heaviest = entry;
    }
    const [name, { holders }] = heaviest!;
    const [oldest] = holders;
    drop(name, oldest!);
    oldest!.cut();
  };

  return {
    open(name, cut) {
      const owner = owners.get(name) ?? { bytes: 0, holders: new Set() };
      owners.set(name, owner);
      const holder: Holder = { bytes: 0, cut };
      owner.holders.add(holder);
      return {
        take(bytes) {
          if (!owner.holders.has(holder)) return;
          holder.bytes += bytes;
          owner.bytes += bytes;
          held += bytes;
          while (held > bytesMax) makeRoom();
        },
        close: () => drop(name, holder),
      };
    },
    heldBytes: () => held,
  };
};

/** Bounds the bytes per second of all its callers: returns the pause after these bytes, in ms. */
export type BytePace = (bytes: number) => number;

export const createBytePace = (
  bytesPerSecond: number,
  monotonicMs: () => number = () => performance.now(),
): BytePace => {
  let freeAt = 0;
  return (bytes) => {
    const now = monotonicMs();
    freeAt = Math.max(freeAt, now) + (bytes / bytesPerSecond) * 1000;
    return freeAt - now;
  };
};

/** How long the service still waits for a caller. */
export interface Patience {
  /** Begins a wait. */
  start(): void;
  /** Ends the wait; a wait that has not begun is none. */
  stop(): void;
  /** The caller sent bytes, which earn further time. */
  earn(bytes: number): void;
}

/** A caller who sends no faster than this runs out of time. */
const BYTES_PER_MS_MIN = 16;

/**
 * Bounds the silence of a caller and its average speed: the service waits `graceMs` in all, plus
 * 1 s for each 16 kB that arrived, and never more than `graceMs` at once. Time in which the service
 * does not want to read is not counted.
 */
export const createPatience = (
  graceMs: number,
  onOut: () => void,
  monotonicMs: () => number = () => performance.now(),
): Patience => {
  let leftMs = graceMs;
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const spend = (): void => {
    if (since === undefined) return;
    const now = monotonicMs();
    leftMs -= now - since;
    since = now;
  };
  const set = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onOut, Math.max(0, leftMs));
  };
  return {
    start() {
      if (since !== undefined) return;
      since = monotonicMs();
      set();
    },
    stop() {
      spend();
      since = undefined;
      clearTimeout(timer);
    },
    earn(bytes) {
      spend();
      leftMs = Math.min(graceMs, leftMs + bytes / BYTES_PER_MS_MIN);
      if (since !== undefined) set();
    },
  };
};
