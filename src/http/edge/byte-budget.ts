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
