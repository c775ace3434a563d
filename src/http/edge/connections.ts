import type { Duplex } from 'node:stream';

export interface ConnectionBounds {
  /**
   * Connections of one address without a valid credential so far. Null: no bound, because the
   * address is that of a proxy.
   */
  perAddressMax: number | null;
  totalMax: number;
}

/** An open connection, as the bounds see it. */
interface Connection {
  readonly socket: Duplex;
  readonly address: string;
  /** A request on it had a valid credential. */
  isVouchedFor: boolean;
  /** Requests without a finished response. */
  underWay: number;
  /** Grows with every connection and response: the smallest has been idle the longest. */
  usedAt: number;
  /** Connections of the same address without a valid credential. */
  readonly strangers: Set<Connection>;
}

const CONNECTION = Symbol('connection');
type Bounded = Duplex & { [CONNECTION]?: Connection };

/** Closes 1/100 of the connections at once, because finding the oldest is expensive. */
const ROOM_SHARE = 100;

/** Marks the connection: a request on it had a valid credential. */
export const vouchFor = (socket: Duplex): void => {
  const connection = (socket as Bounded)[CONNECTION];
  if (!connection || connection.isVouchedFor) return;
  connection.isVouchedFor = true;
  connection.strangers.delete(connection);
};

export interface Connections {
  /** Adds a connection, and closes others, or this one, above the bounds. */
  add(socket: Duplex, address: string): void;
  /** Counts a request, and returns the function that ends it. */
  begin(socket: Duplex): () => void;
  size(): number;
}

const byAge = (one: Connection, other: Connection): number =>
  Number(one.isVouchedFor) - Number(other.isVouchedFor) || one.usedAt - other.usedAt;

/**
 * Bounds open connections. Accepts a new connection and closes an old one, so that a caller cannot
 * lock others out: first connections without a valid credential, then idle ones with it; of each
 * kind the one that has been idle the longest.
 */
export const createConnections = ({ perAddressMax, totalMax }: ConnectionBounds): Connections => {
  const all = new Set<Connection>();
  const strangersOf = new Map<string, Set<Connection>>();
  let uses = 0;

  const remove = (connection: Connection): void => {
    const { strangers, address } = connection;
    all.delete(connection);
    strangers.delete(connection);
    if (strangers.size === 0 && strangersOf.get(address) === strangers) strangersOf.delete(address);
  };

  const close = (connection: Connection): void => {
    remove(connection);
    connection.socket.destroy();
  };

  const makeRoom = (newcomer: Connection): void => {
    const closable = [...all].filter(
      (one) => one !== newcomer && (!one.isVouchedFor || one.underWay === 0),
    );
    const oldest = closable.sort(byAge).slice(0, Math.ceil(totalMax / ROOM_SHARE));
    for (const connection of oldest.length > 0 ? oldest : [newcomer]) close(connection);
  };

  return {
    add(socket, address) {
      const strangers = strangersOf.get(address) ?? new Set();
      strangersOf.set(address, strangers);
      uses += 1;
      const connection: Connection = {
        ...{ socket, address, strangers },
        ...{ isVouchedFor: false, underWay: 0, usedAt: uses },
      };
      (socket as Bounded)[CONNECTION] = connection;
      all.add(connection);
      strangers.add(connection);
      socket.once('close', () => remove(connection));
      if (perAddressMax !== null && strangers.size > perAddressMax) {
        close([...strangers].sort(byAge)[0]!);
      }
      if (all.size > totalMax) makeRoom(connection);
    },
    begin(socket) {
      const connection = (socket as Bounded)[CONNECTION];
      if (!connection) return () => {};
      connection.underWay += 1;
      return () => {
        connection.underWay -= 1;
        uses += 1;
        connection.usedAt = uses;
      };
    },
    size: () => all.size,
  };
};
