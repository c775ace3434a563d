/** Counts the bytes of one body while it is read. */
export interface BodyShare {
  /** Counts further bytes. May cut this body or others. */
  take(bytes: number): void;
  /** Ends the count: the body was read or abandoned. */
  close(): void;
}

/** Bounds the bytes of all bodies of unauthenticated callers. */
export interface BodyBudget {
  /** Calls `cut` after closing the share, when this body must make room for others. */
  open(address: string, cut: () => void): BodyShare;
  heldBytes(): number;
}

interface Body {
  bytes: number;
  cut: () => void;
}

interface Sender {
  bytes: number;
  /** The oldest first. */
  bodies: Set<Body>;
}

/**
 * Without room, the address with the most bytes loses its oldest body. An address that fills the
 * budget with endless bodies therefore locks no other address out, and bodies that finish soon
 * survive even at a shared address.
 */
export const createBodyBudget = (bytesMax: number): BodyBudget => {
  const senders = new Map<string, Sender>();
  let held = 0;

  const drop = (address: string, body: Body): void => {
    const sender = senders.get(address);
    if (!sender?.bodies.delete(body)) return;
    sender.bytes -= body.bytes;
    held -= body.bytes;
    if (sender.bodies.size === 0) senders.delete(address);
  };

  const makeRoom = (): void => {
    let heaviest: [string, Sender] | undefined;
    for (const entry of senders) {
      if (!heaviest || entry[1].bytes > heaviest[1].bytes) heaviest = entry;
    }
    const [address, { bodies }] = heaviest!;
    const [oldest] = bodies;
    drop(address, oldest!);
    oldest!.cut();
  };

  return {
    open(address, cut) {
      const sender = senders.get(address) ?? { bytes: 0, bodies: new Set() };
      senders.set(address, sender);
      const body: Body = { bytes: 0, cut };
      sender.bodies.add(body);
      return {
        take(bytes) {
          if (!sender.bodies.has(body)) return;
          body.bytes += bytes;
          sender.bytes += bytes;
          held += bytes;
          while (held > bytesMax) makeRoom();
        },
        close: () => drop(address, body),
      };
    },
    heldBytes: () => held,
  };
};
