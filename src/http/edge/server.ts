import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../../shared/errors.ts';
import { pause } from '../../shared/timing.ts';
import { groupOf } from './address.ts';
import { responseOf } from './respond.ts';

export interface ServerSettings {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Time an idle connection stays open, in milliseconds. */
  keepAliveTimeoutMs: number;
  /** Time for requests in flight to finish while the server stops, in milliseconds. */
  drainTimeoutMs: number;
  connectionsMax: number;
  /**
   * Connections of one address without a valid credential; 256 when absent. Null behind a proxy,
   * because all connections then come from its address.
   */
  connectionsPerAddressMax?: number | null;
  /** For tests: limits for the head and for the whole request, and the interval of the check. */
  timeouts?: { headMs: number; requestMs: number; checkMs: number };
  /** While stopping, time for idle connections to receive a 503; 500 ms when absent. */
  idleGraceMs?: number;
}

export interface RunningServer {
  /** As it stands in a URL. */
  host: string;
  port: number;
  /** Stops accepting, lets requests in flight finish, then closes. Stopping twice is once. */
  stop(): Promise<void>;
}

/** A server that holds its port, and answers 503 until it has an application. */
interface BoundServer extends RunningServer {
  serve(listener: Listener): RunningServer;
}

/** The application, as the server uses it. */
interface Listener {
  handler: RequestListener;
  refuseNew(): void;
  /** Logs a request that Node could not parse, and returns the id of its response. */
  noteUnparsable(reason: string): string;
}

/** No line of the log has it, because nothing is done for such a request. */
const STARTING_ID = 'starting';

/** Stands in for the application while the stores are opened. */
const STARTING: Listener = {
  handler(_, response) {
    const { status, body, headers } = responseOf(
      new AppError('service.unavailable', 'The service is starting', { retryAfterSeconds: 1 }),
    );
    const text = JSON.stringify(body);
    response.writeHead(status, {
      ...headers,
      'X-Request-Id': STARTING_ID,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      Connection: 'close',
    });
    response.end(text);
  },
  refuseNew: () => undefined,
  noteUnparsable: () => STARTING_ID,
};

const TIMEOUTS = {
  headMs: 10_000,
  /** Longer than the application's own limit for bodies, which answers in JSON. */
  requestMs: 40_000,
  checkMs: 1_000,
};
const CLOSE_TIMEOUT_MS = 1_000;
const CONNECTIONS_PER_ADDRESS_MAX = 256;

const UNPARSABLE: Record<string, [string, string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request head is too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Content Too Large', 'The chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
};
const BAD_REQUEST: [string, string] = ['400 Bad Request', 'The request is not valid HTTP'];

/** Answers a request that Node could not parse, in JSON too. */
const answerUnparsable = (socket: Duplex, code: string, requestId: string) => {
  const [status, message] = UNPARSABLE[code] ?? BAD_REQUEST;
  const body = JSON.stringify({ error: message });
  const head = [
    `HTTP/1.1 ${status}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
};

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
  /** The response that is not finished. */
  response: ServerResponse | undefined;
  /** A request on it is sending a file. */
  isSendingFile: boolean;
  /** Pipelined requests, which wait for the response. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
  /** Grows with every connection and response: the smallest has been idle the longest. */
  usedAt: number;
  /** Connections of the same address without a valid credential. */
  readonly strangers: Set<Connection>;
  /** Ends the response, and starts the next request. */
  readonly onClose: () => void;
}

const CONNECTION = Symbol('connection');
type Bounded = Duplex & { [CONNECTION]?: Connection };

/** Pipelined requests of one connection that may wait. */
const PIPELINED_MAX = 16;

/** Closes 1/100 of the connections at once, because finding the oldest is expensive. */
const ROOM_SHARE = 100;

/** Marks the connection: a request on it had a valid credential. */
export const vouchFor = (socket: Duplex): void => {
  const connection = (socket as Bounded)[CONNECTION]!;
  if (connection.isVouchedFor) return;
  connection.isVouchedFor = true;
  connection.strangers.delete(connection);
};

/**
 * Exempts a request from the server's limit for whole requests while it sends a file, whose reader has
 * limits of its own. Returns the end of that.
 */
export const beginFile = (socket: Duplex): (() => void) => {
  const connection = (socket as Bounded)[CONNECTION]!;
  connection.isSendingFile = true;
  return () => {
    connection.isSendingFile = false;
  };
};

export interface Connections {
  /** Adds a connection, and closes others, or this one, above the bounds. */
  add(socket: Duplex, address: string): void;
  /**
   * Serves a request once the earlier requests of its connection are over, so that a connection
   * makes the service hold one response. Closes the connection above 16 waiting requests.
   */
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Ends keep-alive with each response that has not begun. */
  closeBehind(): void;
  /** Resolves once no response is under way. */
  empty(): Promise<void>;
  size(): number;
}

const byAge = (one: Connection, other: Connection): number =>
  Number(one.isVouchedFor) - Number(other.isVouchedFor) || one.usedAt - other.usedAt;

/**
 * Bounds open connections. Accepts a new connection and closes an old one, so that a caller cannot
 * lock others out: first connections without a valid credential, then idle ones with it; of each
 * kind the one that has been idle the longest.
 */
export const createConnections = (
  { perAddressMax, totalMax }: ConnectionBounds,
  /** Read for each request, because the application comes later than the port. */
  listener: { readonly handler: RequestListener },
): Connections => {
  const all = new Set<Connection>();
  const strangersOf = new Map<string, Set<Connection>>();
  let uses = 0;
  let responses = 0;
  let onEmpty = () => {};

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

  const begin = (
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
  ): void => {
    connection.response = response;
    responses += 1;
    response.once('close', connection.onClose);
    listener.handler(request, response);
  };

  const end = (connection: Connection): void => {
    connection.response = undefined;
    uses += 1;
    connection.usedAt = uses;
    responses -= 1;
    const next = connection.socket.destroyed ? undefined : connection.waiting.shift();
    if (next) begin(connection, ...next);
    else if (responses === 0) onEmpty();
  };

  const makeRoom = (newcomer: Connection): void => {
    const closable = [...all].filter(
      (one) => one !== newcomer && (!one.isVouchedFor || !one.response),
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
        response: undefined,
        isSendingFile: false,
        waiting: [],
        usedAt: uses,
        onClose: () => end(connection),
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
    serve(request, response) {
      const connection = (request.socket as Bounded)[CONNECTION]!;
      if (!connection.response) begin(connection, request, response);
      else if (connection.waiting.length < PIPELINED_MAX) {
        connection.waiting.push([request, response]);
      } else close(connection);
    },
    closeBehind() {
      for (const { response } of all) {
        if (response && !response.headersSent) response.setHeader('Connection', 'close');
      }
    },
    empty: () =>
      responses === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            onEmpty = resolve;
          }),
    size: () => all.size,
  };
};

const listenOn = (server: Server, { host, port }: ServerSettings) =>
  new Promise<AddressInfo>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });

/** Takes the port. Rejects when the address is not available. */
export const bind = async (settings: ServerSettings): Promise<BoundServer> => {
  const { connectionsMax: totalMax, connectionsPerAddressMax } = settings;
  const perAddressMax =
    connectionsPerAddressMax === undefined ? CONNECTIONS_PER_ADDRESS_MAX : connectionsPerAddressMax;
  const current = { ...STARTING };
  const connections = createConnections({ perAddressMax, totalMax }, current);
  const { headMs, requestMs, checkMs } = settings.timeouts ?? TIMEOUTS;
  const server = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      keepAliveTimeout: settings.keepAliveTimeoutMs,
      connectionsCheckingInterval: checkMs,
      // Node's own refusal would not be JSON, and no route depends on the host.
      requireHostHeader: false,
    },
    connections.serve,
  );
  server.on('connection', (socket) =>
    connections.add(socket, groupOf(socket.remoteAddress ?? '') ?? 'unknown'),
  );
  server.on('checkExpectation', connections.serve);
  // A request that its head refuses gets no `100 Continue`.
  server.on('checkContinue', connections.serve);
  server.on('clientError', ({ code = 'unknown' }: NodeJS.ErrnoException, socket) => {
    const { isSendingFile, response } = (socket as Bounded)[CONNECTION]!;
    // Node reports a slow request once, and leaves the decision to this listener.
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && isSendingFile) return;
    if (!socket.writable || response?.headersSent) socket.destroy();
    else answerUnparsable(socket, code, current.noteUnparsable(code));
  });
  const { address, family, port } = await listenOn(server, settings);

  const shutDown = async () => {
    current.refuseNew();
    const closed = new AbortController();
    // The HTTP server's own close would cut idle connections at once, and requests in transit with
    // them. For `idleGraceMs` those requests still receive a 503.
    NetServer.prototype.close.call(server, () => closed.abort());
    connections.closeBehind();
    await Promise.race([
      Promise.all([connections.empty(), pause(settings.idleGraceMs ?? 500, closed.signal)]),
      pause(settings.drainTimeoutMs, closed.signal),
    ]);
    server.closeAllConnections();
    server.close();
    await pause(CLOSE_TIMEOUT_MS, closed.signal);
  };
  let stopping: Promise<void> | undefined;
  const bound: BoundServer = {
    host: family === 'IPv6' ? `[${address}]` : address,
    port,
    serve(listener) {
      Object.assign(current, listener);
      return bound;
    },
    stop() {
      stopping ??= shutDown();
      return stopping;
    },
  };
  return bound;
};

/** Serves an application that is there already. */
export const listen = async (
  listener: Listener,
  settings: ServerSettings,
): Promise<RunningServer> => (await bind(settings)).serve(listener);
