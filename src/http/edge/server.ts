import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { groupOf } from './address.ts';
import { createBag } from './bag.ts';
import { createConnections } from './connections.ts';

export interface ServerSettings {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** How long an idle connection stays open. */
  keepAliveTimeoutMs: number;
  /** How long requests in flight may take to finish once it stops. */
  drainTimeoutMs: number;
  connectionsMax: number;
  /**
   * Connections of one address without a right credential; 256 when absent. Null where a proxy
   * stands before the server: all callers then come from its address.
   */
  connectionsPerAddressMax?: number | null;
  /** For tests: how long the head of a request and a whole request may take, and how often that is looked at. */
  timeouts?: { headMs: number; requestMs: number; checkMs: number };
  /** While stopping, how long idle connections stay open to be told so; 500 ms when absent. */
  idleGraceMs?: number;
}

export interface RunningServer {
  host: string;
  port: number;
  /** Stops accepting, lets requests in flight finish, then closes. Stopping twice is once. */
  stop(): Promise<void>;
}

/** What the server asks of the application. */
export interface Listener {
  handler: RequestListener;
  refuseNew(): void;
  /** Logs what was refused before it was a request, and gives the id of its answer. */
  noteUnparsable(reason: string): string;
}

const TIMEOUTS = {
  headMs: 10_000,
  /** Later than the application's own limit for bodies, which answers better. */
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

/** A request so broken that no handler sees it is answered in JSON all the same. */
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

/** The answers that are being worked on, and by which socket they will leave. */
const trackAnswers = () => {
  const open = createBag<ServerResponse>();
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
    /** Keep-alive ends with each of these answers. */
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

const pause = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }).catch(() => {});

const bind = (server: Server, { host, port }: ServerSettings) =>
  new Promise<AddressInfo>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });

/** Rejects when the address cannot be had. */
export const listen = async (
  { handler, refuseNew, noteUnparsable }: Listener,
  settings: ServerSettings,
): Promise<RunningServer> => {
  const answers = trackAnswers();
  const { connectionsMax: totalMax, connectionsPerAddressMax } = settings;
  const connections = createConnections({
    totalMax,
    perAddressMax:
      connectionsPerAddressMax === undefined
        ? CONNECTIONS_PER_ADDRESS_MAX
        : connectionsPerAddressMax,
  });
  const onRequest: RequestListener = (request, response) => {
    answers.add(response, connections.begin(request.socket));
    handler(request, response);
  };
  const { headMs, requestMs, checkMs } = settings.timeouts ?? TIMEOUTS;
  const server = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      keepAliveTimeout: settings.keepAliveTimeoutMs,
      connectionsCheckingInterval: checkMs,
      // The server's own refusals would not be JSON, and nothing here depends on the host.
      requireHostHeader: false,
    },
    onRequest,
  );
  server.on('connection', (socket) =>
    connections.add(socket, groupOf(socket.remoteAddress ?? '') ?? 'unknown'),
  );
  server.on('checkExpectation', onRequest);
  // The body of a request that is refused by its head is not asked for.
  server.on('checkContinue', onRequest);
  server.on('clientError', ({ code = 'unknown' }: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || answers.hasBegun(socket)) socket.destroy();
    else answerUnparsable(socket, code, noteUnparsable(code));
  });
  const { address, port } = await bind(server, settings);

  const shutDown = async () => {
    refuseNew();
    const closed = new AbortController();
    // The HTTP server's own close would cut idle connections at once, and with them requests that
    // are on their way; for a moment they are answered that the service is stopping.
    NetServer.prototype.close.call(server, () => closed.abort());
    answers.closeBehind();
    await Promise.race([
      Promise.all([answers.empty(), pause(settings.idleGraceMs ?? 500, closed.signal)]),
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
