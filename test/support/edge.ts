import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { request } from 'undici';
import { z } from 'zod';
import { type AppOptions, createApp } from '../../src/http/app.ts';
import type { Administrator, AuthenticatedKey } from '../../src/http/edge/context.ts';
import { createMemoryRateLimiter } from '../../src/http/edge/limits.ts';
import { listen, type ServerSettings } from '../../src/http/edge/server.ts';
import { createMetrics } from '../../src/http/ops/metrics.ts';
import type { RawRoute } from '../../src/http/route/raw-route.ts';
import { defineRoute, type JsonRoute } from '../../src/http/route/route.ts';
import { ViewsUnavailable } from '../../src/projections/views.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { adviceIn } from './advice.ts';
import { createLoopbackAgent } from './loopback.ts';
import { useRealConnections } from './network.ts';

// The frame over real HTTP with a few toy routes: what the tests of src/http drive.

export const aKey = (over: Partial<AuthenticatedKey> = {}): AuthenticatedKey => ({
  keyId: 'key_1',
  accountId: 'acc_1',
  organisationId: 'org_1',
  organisationSuspended: false,
  allowedOrigins: null,
  rateLimit: 1_000_000,
  scopes: null,
  ...over,
});

export const anAdministrator = (over: Partial<Administrator> = {}): Administrator => ({
  id: 'adm_1',
  name: 'Ada',
  email: 'ada@example.com',
  role: 'admin',
  ...over,
});

/** What matters to no test of a route. */
export const toy = {
  method: 'GET',
  access: 'key',
  summary: 'A toy',
  tags: ['Test'],
  errors: [],
} as const;

/** Answers with what it was given. */
export const echoRoute = defineRoute({
  ...toy,
  method: 'POST',
  path: '/v1/echo',
  request: { body: z.record(z.string(), z.unknown()) },
  responses: { 200: z.looseObject({}) },
  handle: ({ body }) => ({ got: body }),
});

export const pingRoute = defineRoute({
  ...toy,
  path: '/v1/ping',
  responses: { 200: z.object({ pong: z.literal(true) }) },
  handle: () => ({ pong: true as const }),
});

/** Has an id in its path. */
export const thingRoute = defineRoute({
  ...toy,
  path: '/v1/things/:thingId',
  responses: { 200: z.object({}) },
  handle: () => ({}),
});

export interface EdgeOptions
  extends Partial<Omit<AppOptions, 'routes' | 'logger' | 'authenticator'>> {
  routes?: JsonRoute[];
  rawRoutes?: readonly RawRoute[];
  /** By token; 'broken' makes the look-up fail, 'away' its store unavailable. */
  keys?: Record<string, AuthenticatedKey>;
  administrators?: Record<string, Administrator>;
  server?: Partial<ServerSettings>;
}

export interface CallOptions {
  /** The bearer token. */
  token?: string;
  headers?: Record<string, string>;
  /** Texts and bytes go out as they are, anything else as JSON. */
  body?: unknown;
}

export type Edge = Awaited<ReturnType<typeof openEdge>>;

const bodyOf = (body: unknown) =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    ? body
    : JSON.stringify(body);

const opened: { close(): Promise<void> }[] = [];

/** Closes every edge that a test opened, also when the test failed half-way. */
export const closeEdges = async (): Promise<void> => {
  await Promise.all(opened.splice(0).map((edge) => edge.close()));
};

/** Real connections for a suite, whose tests' edges are closed after each. */
export const useEdges = (): void => {
  useRealConnections();
  afterEach(closeEdges);
};

/** One edge for all tests of a suite; it is closed after them with those that they open themselves. */
export const useEdge = (options: EdgeOptions = {}): Edge => {
  useRealConnections();
  const edge = {} as Edge;
  before(async () => Object.assign(edge, await openEdge(options)));
  after(closeEdges);
  return edge;
};

export const openEdge = async ({
  routes = [echoRoute, pingRoute],
  rawRoutes = [],
  keys = { good: aKey() },
  administrators = { root: anAdministrator() },
  server: serverSettings,
  ...options
}: EdgeOptions = {}) => {
  const lines: string[] = [];
  let requests = 0;
  const logger = createLogger({
    level: 'debug',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const find = async <T>(map: Record<string, T>, token: string) => {
    if (token === 'broken') throw new Error('the store is down');
    if (token === 'away') throw new ViewsUnavailable('out of reach', { retryAfterSeconds: 2 });
    return map[token];
  };
  const app = createApp({
    clock: { now: () => Date.now() },
    ids: { uuid: () => `request-${++requests}`, secret: () => '' },
    metrics: createMetrics({ ofProcess: false }),
    authenticator: {
      apiKey: (token) => find(keys, token),
      administrator: (token) => find(administrators, token),
      apiKeyById: async () => undefined,
      administratorById: async () => undefined,
      isOpen: async () => false,
      openSessions: async () => [],
      personById: async () => undefined,
      personRecord: async () => undefined,
      personByPassword: async () => undefined,
      accountsOf: async () => [],
      isSuspended: async () => false,
      keyOfPerson: async () => aKey(),
    },
    sessions: {
      seal: () => '',
      of: () => undefined,
      sealLink: () => '',
      openLink: () => undefined,
      sealInvitation: () => '',
      openInvitation: () => undefined,
      sealPending: () => '',
      openPending: () => undefined,
      sealChallenge: () => '',
      openChallenge: () => undefined,
    },
    keyLimits: createMemoryRateLimiter(),
    addressLimits: createMemoryRateLimiter(),
    trustProxyHops: 0,
    checkResponses: true,
    strictByDefault: () => false,
    pseudonymOf: (messageId) => messageId,
    ...options,
    logger,
    routes: [...routes, ...rawRoutes],
  });
  const server = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    keepAliveTimeoutMs: 5_000,
    drainTimeoutMs: 2_000,
    connectionsMax: 1_000,
    idleGraceMs: 50,
    ...serverSettings,
  });
  const dispatcher = createLoopbackAgent();
  const url = `http://127.0.0.1:${server.port}`;

  const edge = {
    url,
    port: server.port,
    lines,
    stop: server.stop,
    /** A connection to write bytes on that no HTTP client would. */
    async dial(): Promise<Socket> {
      const socket = connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
    /** Writes these bytes on a connection of their own; resolves to all that comes back. */
    async exchange(bytes: string): Promise<string> {
      const socket = await edge.dial();
      socket.write(bytes);
      return readToEnd(socket);
    },
    async call(method: string, path: string, { token, headers = {}, body }: CallOptions = {}) {
      const answer = await request(`${url}${path}`, {
        method: method as 'GET',
        dispatcher,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: bodyOf(body) as string,
      });
      const text = await answer.body.text();
      return {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string | undefined>,
        text,
        get body() {
          return adviceIn(answer.statusCode, JSON.parse(text)).body;
        },
      };
    },
    async close() {
      await dispatcher.destroy();
      await server.stop();
    },
  };
  opened.push(edge);
  return edge;
};

/** Everything the peer sends until it closes its side. */
export const readToEnd = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.once('end', () => resolve(text));
    socket.once('error', () => resolve(text));
    socket.once('close', () => resolve(text));
  });
