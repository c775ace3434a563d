import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { pause } from '../../shared/timing.ts';
import { createConnections, isSendingFile } from './connections.ts';
import { groupOf } from './request.ts';

interface Place<T> {
  item: T;
  index: number;
}

/** A set of members that live as long as a request, in no order. */
interface ArraySet<T> {
  /** Adds the item and returns the function that removes it. */
  add(item: T): () => void;
  some(test: (item: T) => boolean): boolean;
  forEach(act: (item: T) => void): void;
  size(): number;
}

/**
 * Replaces a `Set` of responses. V8 copies a Set's table as it changes, and an old copy keeps later
 * members in memory until the next full collection: 60,000 requests used 1.7 times the heap.
 */
export const createArraySet = <T>(): ArraySet<T> => {
  const places: Place<T>[] = [];
  return {
    add(item) {
      const place = { item, index: places.length };
      places.push(place);
      return () => {
        if (places[place.index] !== place) return;
        const last = places.pop()!;
        if (last === place) return;
        places[place.index] = last;
        last.index = place.index;
      };
    },
    some: (test) => places.some(({ item }) => test(item)),
    forEach: (act) => places.forEach(({ item }) => void act(item)),
    size: () => places.length,
  };
};

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
  host: string;
  port: number;
  /** Stops accepting, lets requests in flight finish, then closes. Stopping twice is once. */
  stop(): Promise<void>;
}

/** The application, as the server uses it. */
interface Listener {
  handler: RequestListener;
  refuseNew(): void;
  /** Logs a request that Node could not parse, and returns the id of its response. */
  noteUnparsable(reason: string): string;
}

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

/** The responses that are not finished, with the socket of each. */
const trackResponses = () => {
  const open = createArraySet<ServerResponse>();
  let onEmpty = () => {};
  return {
    add(response: ServerResponse, onClose: () => void) {
      const remove = open.add(response);
      response.once('close', () => {
        remove();
        onClose();
        if (open.size() === 0) onEmpty();
      });
    },
    hasBegun: (socket: Duplex) =>
      open.some((response) => response.socket === socket && response.headersSent),
    /** Ends keep-alive with each of these responses. */
    closeBehind() {
      open.forEach((response) => {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      });
    },
    empty: () =>
      open.size() === 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            onEmpty = resolve;
          }),
  };
};

const bind = (server: Server, { host, port }: ServerSettings) =>
  new Promise<AddressInfo>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });

/** Rejects when the address is not available. */
export const listen = async (
  { handler, refuseNew, noteUnparsable }: Listener,
  settings: ServerSettings,
): Promise<RunningServer> => {
  const responses = trackResponses();
  const { connectionsMax: totalMax, connectionsPerAddressMax } = settings;
  const connections = createConnections({
    totalMax,
    perAddressMax:
      connectionsPerAddressMax === undefined
        ? CONNECTIONS_PER_ADDRESS_MAX
        : connectionsPerAddressMax,
  });
  const onRequest: RequestListener = (request, response) =>
    connections.serve(request.socket, (end) => {
      responses.add(response, end);
      handler(request, response);
    });
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
    onRequest,
  );
  server.on('connection', (socket) =>
    connections.add(socket, groupOf(socket.remoteAddress ?? '') ?? 'unknown'),
  );
  server.on('checkExpectation', onRequest);
  // A request that its head refuses gets no `100 Continue`.
  server.on('checkContinue', onRequest);
  server.on('clientError', ({ code = 'unknown' }: NodeJS.ErrnoException, socket) => {
    // Node reports a slow request once, and leaves the decision to this listener.
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && isSendingFile(socket)) return;
    if (!socket.writable || responses.hasBegun(socket)) socket.destroy();
    else answerUnparsable(socket, code, noteUnparsable(code));
  });
  const { address, port } = await bind(server, settings);

  const shutDown = async () => {
    refuseNew();
    const closed = new AbortController();
    // The HTTP server's own close would cut idle connections at once, and requests in transit with
    // them. For `idleGraceMs` those requests still receive a 503.
    NetServer.prototype.close.call(server, () => closed.abort());
    responses.closeBehind();
    await Promise.race([
      Promise.all([responses.empty(), pause(settings.idleGraceMs ?? 500, closed.signal)]),
      pause(settings.drainTimeoutMs, closed.signal),
    ]);
    server.closeAllConnections();
    server.close();
    await pause(CLOSE_TIMEOUT_MS, closed.signal);
  };
  let stopping: Promise<void> | undefined;
  return {
    host: address,
    port,
    stop() {
      stopping ??= shutDown();
      return stopping;
    },
  };
};
