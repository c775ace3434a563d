import type { Duplex } from 'node:stream';

export interface ConnectionBounds {
  /**
   * Connections of one address that have shown no right credential yet. Null: no bound, where the
   * address is that of a proxy.
   */
  perAddressMax: number | null;
  totalMax: number;
}

/** An open connection, as the bounds see it. */
interface Connection {
  readonly socket: Duplex;
  readonly address: string;
  /** A request on it came with a right credential. */
  isVouchedFor: boolean;
  /** Requests without a complete answer. */
  underWay: number;
  /** Grows with every connection and every answer: the smallest has been idle the longest. */
  usedAt: number;
  /** Those of the same address without a right credential. */
  readonly strangers: Set<Connection>;
}

const CONNECTION = Symbol('connection');
type Bounded = Duplex & { [CONNECTION]?: Connection };

/** So many make room at once when all places are taken: to look for the oldest is dear. */
const ROOM_SHARE = 100;

/** Notes that a request on this connection came with a right credential. */
export const vouchFor = (socket: Duplex): void => {
  const connection = (socket as Bounded)[CONNECTION];
  if (!connection || connection.isVouchedFor) return;
  connection.isVouchedFor = true;
  connection.strangers.delete(connection);
};

export interface Connections {
  /** Takes a new one in, and closes others, or this one, where there are too many. */
  add(socket: Duplex, address: string): void;
  /** Notes a request on it; the answer says that the request is over. */
  begin(socket: Duplex): () => void;
  size(): number;
}

const byAge = (one: Connection, other: Connection): number =>
  Number(one.isVouchedFor) - Number(other.isVouchedFor) || one.usedAt - other.usedAt;

/**
 * Bounds open connections. A new connection is let in and an old one closed, so that nobody who
 * holds connections locks others out: first those without a right credential, whatever they do,
 * then idle ones with one; of each kind the one that has been idle the longest.
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
