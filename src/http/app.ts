import type { RequestListener } from 'node:http';
import Koa from 'koa';
import type { Refusals } from '../commands/sending/refusals.ts';
import type { Clock, Ids } from '../shared/clock.ts';
import { AppError } from '../shared/errors.ts';
import type { Tracing } from '../shared/tracing.ts';
import {
  type Admission,
  type AdmissionOptions,
  createAdmission,
  isPreflight,
} from './edge/admission.ts';
import {
  createBodyReader,
  NO_BODY,
  type ReadBody,
  UNREAD_BODY_MS,
  type Uploads,
} from './edge/body.ts';
import type { Admitted, EdgeContext, EdgeState } from './edge/context.ts';
import {
  type ByteBudget,
  type BytePace,
  createByteBudget,
  createBytePace,
  createInFlight,
  type InFlight,
} from './edge/limits.ts';
import { createFrame } from './edge/request.ts';
import { createSender, problemOf, type Send } from './edge/respond.ts';
import { graphProblemOf } from './graph/problem.ts';
import type { Metrics } from './ops/metrics.ts';
import { API_PREFIX, type MountOptions, mountRoutes, templateOf } from './route/mount.ts';
import type { Route } from './route/route.ts';

// The three pipelines. Each runs these steps for a request before the route's handler.

export interface Steps {
  readBody: (ctx: EdgeContext) => Promise<ReadBody>;
  admission: Admission;
  inFlight: InFlight;
  /** Throws after `refuseNew`. */
  refuseIfStopping: () => void;
  send: Send;
}

type Pipeline = (ctx: EdgeContext) => Promise<void>;
type Routes = (ctx: EdgeContext, admitted: Admitted) => Promise<void>;

/** The only route that answers while the service is stopping. */
const LIVENESS = '/health/live';

/**
 * `/api/v1` and `/api/graph`. Checks the key first, from the head alone, and reads no body without a valid key. With
 * a valid key, the refusal of an unreadable body comes before that of the origin or the
 * organisation, as contract 5 orders them.
 */
const createProductPipeline =
  ({ readBody, admission, inFlight, refuseIfStopping, send }: Steps, routes: Routes): Pipeline =>
  async (ctx) => {
    ctx.state.headers.Vary = 'Origin';
    ctx.state.headers['Cache-Control'] = 'no-store';
    if (ctx.method === 'OPTIONS' && isPreflight(ctx)) {
      send(ctx, await admission.preflight(ctx));
      return;
    }
    const { holder: key, refusal } = await admission.key(ctx);
    if (!key) throw refusal;
    ctx.state.accountId = key.accountId;
    const leave = inFlight.enter(key.keyId);
    try {
      const read = await readBody(ctx);
      if (read.refusal) throw read.refusal;
      if (refusal) throw refusal;
      refuseIfStopping();
      await routes(ctx, { body: read.value, bodyBytes: read.bytes, key });
    } finally {
      leave();
    }
  };

/** `/api/admin/v1`. Checks the token first, from the head alone, and reads no body without it. */
const createAdministrationPipeline =
  ({ readBody, admission, refuseIfStopping }: Steps, routes: Routes): Pipeline =>
  async (ctx) => {
    ctx.state.headers['Cache-Control'] = 'no-store';
    const { holder: administrator, refusal } = await admission.administrator(ctx);
    if (!administrator) throw refusal;
    const read = await readBody(ctx);
    if (read.refusal) throw read.refusal;
    refuseIfStopping();
    await routes(ctx, { body: read.value, bodyBytes: read.bytes, administrator });
  };

const NOTHING_READ = { body: NO_BODY.value, bodyBytes: NO_BODY.bytes };

/** Requests without a credential. Only raw routes read bodies, each up to its own limit. */
const createOpenPipeline =
  ({ refuseIfStopping }: Pick<Steps, 'refuseIfStopping'>, routes: Routes): Pipeline =>
  async (ctx) => {
    if (ctx.path !== LIVENESS) refuseIfStopping();
    await routes(ctx, NOTHING_READ);
  };

const PRODUCT = `${API_PREFIX}/v1`;
/** The provider's own API, with the keys of accounts. */
const GATEWAY = `${API_PREFIX}/graph`;
const ADMINISTRATION = `${API_PREFIX}/admin/v1`;
/** Requests that get a span; probes, scrapes and pages get none. */
const TRACED = [PRODUCT, GATEWAY, ADMINISTRATION, `${API_PREFIX}/provider`];

const isUnder = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');

export interface AppOptions
  extends AdmissionOptions,
    Pick<MountOptions, 'logger' | 'checkResponses' | 'strictByDefault' | 'pseudonymOf'> {
  clock: Clock;
  ids: Ids;
  metrics: Metrics;
  /** Called with each error of a request to send. */
  onRefusal?: Refusals['note'];
  routes: readonly Route[];
  /** Absent while traces are off. */
  tracing?: Tracing | undefined;
  /** Logs one line for each request; false when absent. */
  accessLog?: boolean;
  /** Concurrent requests of one key; 256 when absent. */
  inFlightPerKeyMax?: number;
  /** Time to send a body, in milliseconds; 30,000 when absent. */
  bodyTimeoutMs?: number;
  /** Time to send a body that is not read, in milliseconds; 2,000 when absent. */
  unreadBodyMs?: number;
  /** Bounds the memory for bodies of callers without a credential; 64 MB in all when absent. */
  bodyBudget?: ByteBudget;
  /** Bounds the memory for responses that callers do not read; 64 MB in all when absent. */
  responseBudget?: ByteBudget;
  /** Time in which a caller must take some of a response, in milliseconds; 30,000 when absent. */
  responseTimeoutMs?: number;
  /** Bounds the bytes discarded, or read from an address over its limit; 8 MB/s when absent. */
  bytePace?: BytePace;
}

const UNKNOWN_BODY_BYTES_MAX = 64 * 1_048_576;
const UNREAD_BYTES_MAX = 64 * 1_048_576;
const UNWANTED_BYTES_PER_SECOND = 8 * 1_048_576;

export interface App {
  handler: RequestListener;
  /** Answers every new request 503 from now on. */
  refuseNew(): void;
  /** Logs a request that Node could not parse, and returns the id of its response. */
  noteUnparsable(reason: string): string;
}

/** The path prefix whose pipeline serves the route. Throws when the route's access does not fit it. */
const prefixOf = (route: Route): string => {
  const { method, path, access } = route;
  const full = templateOf(route);
  const prefix =
    [PRODUCT, GATEWAY, ADMINISTRATION].find((known) => isUnder(full, known)) ?? API_PREFIX;
  const fits = {
    [PRODUCT]: ['key', 'person'],
    [GATEWAY]: ['key'],
    [ADMINISTRATION]: ['administrator', 'support', 'auditor'],
    [API_PREFIX]: ['open'],
  }[prefix];
  if (!fits?.includes(access)) {
    throw new Error(`${method} ${path} has the access "${access}", which its path does not allow`);
  }
  return prefix;
};

/** The paths of uploads, whose bodies their handlers read as streams. */
const uploadsIn = (routes: readonly Route[]): Uploads => {
  const pathsOf = (isOne: (route: Route) => boolean) => {
    const templates = routes
      .filter(isOne)
      .map((route) => templateOf(route).replaceAll(/:\w+/g, '[^/]+'));
    return new RegExp(`^(?:${templates.join('|')})/?$`);
  };
  const isUpload = (route: Route) => route.body !== 'raw' && route.upload !== undefined;
  const takesJson = (route: Route) => route.body !== 'raw' && route.request?.body !== undefined;
  return { paths: pathsOf(isUpload), orJson: pathsOf((one) => isUpload(one) && takesJson(one)) };
};

/** The Koa application: the frame of all requests, in it the pipeline of the path's prefix. */
export const createApp = (options: AppOptions): App => {
  const { logger, ids, inFlightPerKeyMax = 256, bodyTimeoutMs = 30_000 } = options;
  const budget = options.bodyBudget ?? createByteBudget(UNKNOWN_BODY_BYTES_MAX);
  const pace = options.bytePace ?? createBytePace(UNWANTED_BYTES_PER_SECOND);
  const admission = createAdmission(options);
  const send = createSender({
    budget: options.responseBudget ?? createByteBudget(UNREAD_BYTES_MAX),
    timeoutMs: options.responseTimeoutMs ?? 30_000,
    trustProxyHops: options.trustProxyHops,
    pace,
    unreadBodyMs: options.unreadBodyMs ?? UNREAD_BODY_MS,
  });
  let isStopping = false;
  const steps: Steps = {
    readBody: createBodyReader(bodyTimeoutMs, uploadsIn(options.routes)),
    admission,
    inFlight: createInFlight(inFlightPerKeyMax),
    refuseIfStopping() {
      if (!isStopping) return;
      throw new AppError('service.stopping', 'The service is stopping', {
        retryAfterSeconds: 5,
      });
    },
    send,
  };
  const routesOf = (prefix: string) =>
    mountRoutes(
      options.routes.filter((route) => prefixOf(route) === prefix),
      options.routes,
      { ...options, admission, budget, pace, bodyTimeoutMs, send },
    );
  const product = createProductPipeline(steps, routesOf(PRODUCT));
  const gateway = createProductPipeline(steps, routesOf(GATEWAY));
  const administration = createAdministrationPipeline(steps, routesOf(ADMINISTRATION));
  const open = createOpenPipeline(steps, routesOf(API_PREFIX));

  const app = new Koa<EdgeState>();
  const runPipeline: Pipeline = (ctx) => {
    if (options.onlyOperators) return open(ctx);
    if (isUnder(ctx.path, PRODUCT)) return product(ctx);
    if (isUnder(ctx.path, GATEWAY)) return gateway(ctx);
    return isUnder(ctx.path, ADMINISTRATION) ? administration(ctx) : open(ctx);
  };
  const frame = {
    clock: options.clock,
    ids,
    metrics: options.metrics,
    logger,
    accessLog: options.accessLog ?? false,
    tracing: options.tracing,
    problemAt: (path: string) => (isUnder(path, GATEWAY) ? graphProblemOf : problemOf),
    isTraced: (path: string) => TRACED.some((prefix) => isUnder(path, prefix)),
    send,
    ...(options.onRefusal && { onRefusal: options.onRefusal }),
  };
  app.use(createFrame(frame, runPipeline));
  // Only faults of the socket arrive here; the frame answers all others.
  app.on('error', (err) => logger.debug({ err }, 'Connection failed'));
  return {
    handler: app.callback(),
    refuseNew() {
      isStopping = true;
    },
    noteUnparsable(reason) {
      const requestId = ids.uuid();
      logger.debug({ requestId, reason }, 'Refused an unparsable request');
      return requestId;
    },
  };
};
