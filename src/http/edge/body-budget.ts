/** Where the bytes of one body are counted while it is read. */
export interface BodyShare {
  /** Counts further bytes. May cut this body or others. */
  take(bytes: number): void;
  /** The body was read or given up: its bytes count no more. */
  close(): void;
}

/** Bounds the bytes of all bodies that are read before anybody knows who sent them. */
export interface BodyBudget {
  /** `cut` is called when this body must make room for others; its share is closed by then. */
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
 * When there is no room left, the address that holds the most gives up its oldest body. So whoever
 * holds all of it with bodies that never end keeps nobody out: a sender who holds less than the
 * others is never cut, and of those who share an address the ones that are soon done are not.
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
