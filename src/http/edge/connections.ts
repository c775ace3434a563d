import type { Duplex } from 'node:stream';

interface ConnectionBounds {
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
  /** A response is not finished. */
  isServing: boolean;
  /** A request on it is sending a file. */
  isSendingFile: boolean;
  /** Starts of pipelined requests, which wait for the response. */
  readonly waiting: (() => void)[];
  /** Grows with every connection and response: the smallest has been idle the longest. */
  usedAt: number;
  /** Connections of the same address without a valid credential. */
  readonly strangers: Set<Connection>;
}

const CONNECTION = Symbol('connection');
type Bounded = Duplex & { [CONNECTION]?: Connection };

/** Pipelined requests of one connection that may wait. */
const PIPELINED_MAX = 16;

/** Closes 1/100 of the connections at once, because finding the oldest is expensive. */
const ROOM_SHARE = 100;

/** Marks the connection: a request on it had a valid credential. */
export const vouchFor = (socket: Duplex): void => {
  const connection = (socket as Bounded)[CONNECTION];
  if (!connection || connection.isVouchedFor) return;
  connection.isVouchedFor = true;
  connection.strangers.delete(connection);
};

/**
 * Exempts a request from the server's limit for whole requests while it sends a file, whose reader has
 * limits of its own. Returns the end of that.
 */
export const beginFile = (socket: Duplex): (() => void) => {
  const connection = (socket as Bounded)[CONNECTION];
  if (!connection) return () => {};
  connection.isSendingFile = true;
  return () => {
    connection.isSendingFile = false;
  };
};

export const isSendingFile = (socket: Duplex): boolean =>
  (socket as Bounded)[CONNECTION]?.isSendingFile === true;

export interface Connections {
  /** Adds a connection, and closes others, or this one, above the bounds. */
  add(socket: Duplex, address: string): void;
  /**
   * Starts a request once the earlier requests of its connection are over, so that a connection
   * makes the service hold one response. `start` must call `end` after the response. Closes the
   * connection above 16 waiting requests.
   */
  serve(socket: Duplex, start: (end: () => void) => void): void;
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

  const begin = (connection: Connection, start: (end: () => void) => void): void => {
    connection.isServing = true;
    start(() => {
      connection.isServing = false;
      uses += 1;
      connection.usedAt = uses;
      if (!connection.socket.destroyed) connection.waiting.shift()?.();
    });
  };

  const makeRoom = (newcomer: Connection): void => {
    const closable = [...all].filter(
      (one) => one !== newcomer && (!one.isVouchedFor || !one.isServing),
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
        socket,
        address,
        strangers,
        isVouchedFor: false,
        isServing: false,
        isSendingFile: false,
        waiting: [],
        usedAt: uses,
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
    serve(socket, start) {
      const connection = (socket as Bounded)[CONNECTION];
      if (!connection) start(() => {});
      else if (!connection.isServing) begin(connection, start);
      else if (connection.waiting.length < PIPELINED_MAX) {
        connection.waiting.push(() => begin(connection, start));
      } else close(connection);
    },
    size: () => all.size,
  };
};
