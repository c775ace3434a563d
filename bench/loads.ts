import { setTimeout as pause } from 'node:timers/promises';
import autocannon, { type Request } from 'autocannon';
import { Pool, request } from 'undici';
import { median, percentile } from './support.ts';

export const JSON_HEADERS = { 'content-type': 'application/json' };

export const bodyFor = (index: number): string =>
  JSON.stringify({
    to: `+9198${String(10_000_000 + index).slice(-8)}`,
    event: 'order_shipped',
    variables: {
      orderId: `A-${index}`,
      awbCode: `AWB${index}`,
      trackingLink: `https://shop.example/t/${index}`,
    },
  });

const RECIPIENTS = 500;
const bodies = Array.from({ length: RECIPIENTS }, (_, index) => bodyFor(index));

/** A service under load, with the requests to it. */
export interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** Sent in turn, or made before each is sent; absent: notifications to many recipients. */
  requests?: readonly Request[] | ((index: number) => Request);
}

const requestOf = ({ headers, requests }: Target, index: number): Request => {
  if (!requests) return { method: 'POST', headers, body: bodies[index % RECIPIENTS]! };
  const one = typeof requests === 'function' ? requests(index) : requests[index % requests.length];
  return { headers, ...one };
};

/** The requests of a load, in the cheapest form for the load generator. */
const listOf = (target: Target): Request[] => {
  const { requests } = target;
  let made = 0;
  if (typeof requests === 'function') {
    return [{ setupRequest: (asked) => ({ ...asked, ...requestOf(target, made++) }) }];
  }
  const length = requests?.length ?? RECIPIENTS;
  return Array.from({ length }, (_, index) => requestOf(target, index));
};

export interface LoadOptions {
  /** Gives each connection requests of its own. */
  requestsOf?: (connection: number) => Request[];
}

/** Requests a second over this number of connections; throws if an answer is not a 2xx. */
export const throughput = async (
  target: Target,
  connections: number,
  seconds: number,
  { requestsOf }: LoadOptions = {},
): Promise<number> => {
  let connection = 0;
  const result = await autocannon({
    url: target.url,
    connections,
    duration: seconds,
    requests: listOf(target),
    ...(requestsOf && {
      setupClient(client) {
        client.setRequests(requestsOf(connection));
        connection += 1;
      },
    }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.name}: ${result.non2xx} refusals and ${result.errors} errors`);
  }
  return result['2xx'] / result.duration;
};

type Options = Parameters<Pool['request']>[0];

/** Sends one request and reads its answer; throws if it is not a 2xx. */
const exchange = async (
  target: Target,
  asked: Request,
  send: (origin: string, options: Options) => ReturnType<Pool['request']>,
): Promise<string> => {
  const url = new URL(`${target.url}${asked.path ?? ''}`);
  const response = await send(url.origin, {
    path: `${url.pathname}${url.search}`,
    method: (asked.method ?? 'GET') as 'GET',
    headers: asked.headers as Record<string, string>,
    body: asked.body ?? null,
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${url}: ${response.statusCode} ${text}`);
  return text;
};

const alone = (origin: string, options: Options) => request(origin, options);

/** Sends one GET; throws if the answer is not a 2xx. */
export const call = async <Body>(
  url: string,
  headers: Record<string, string>,
  { method = 'GET', body }: { method?: 'GET' | 'POST' | 'PATCH'; body?: string } = {},
): Promise<Body> => {
  const asked = { method, headers, ...(body !== undefined && { body }) };
  const text = await exchange({ name: url, url, headers }, asked, alone);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
};

/**
 * Median latency in ms of each target on one connection. The targets take turns, a request each, so
 * that other work of the machine affects all alike.
 */
export const latencies = async (targets: readonly Target[], count: number): Promise<number[]> => {
  const times = targets.map((): number[] => []);
  for (let index = 0; index < count; index += 1) {
    for (const [turn, target] of targets.entries()) {
      const asked = requestOf(target, index);
      const startedAt = performance.now();
      await exchange(target, asked, alone);
      times[turn]!.push(performance.now() - startedAt);
    }
  }
  return times.map(median);
};

export interface Steady {
  /** Requests a second, from the first request to the last answer. */
  rate: number;
  answered: number;
  p99Ms: number;
}

const STEADY_TICK_MS = 2;

/**
 * Sends requests at an even rate, whether earlier ones are answered or not. A request without a free
 * connection waits, and its latency counts from the time it was due. Throws if an answer is not a 2xx.
 */
export const steady = async (
  target: Target,
  { connections, rate, seconds }: { connections: number; rate: number; seconds: number },
): Promise<Steady> => {
  const pool = new Pool(new URL(target.url).origin, { connections });
  const open = new Set<Promise<void>>();
  const times: number[] = [];
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
  };
  const one = async (index: number, dueAt: number) => {
    await exchange(target, requestOf(target, index), (_, options) => pool.request(options));
    times.push(performance.now() - dueAt);
  };
  const startedAt = performance.now();
  for (let index = 0; index < rate * seconds; ) {
    const due = Math.min(rate * seconds, ((performance.now() - startedAt) / 1000) * rate);
    for (; index < due; index += 1) {
      const asked = one(index, startedAt + (index / rate) * 1000)
        .catch(fail)
        .finally(() => open.delete(asked));
      open.add(asked);
    }
    await pause(STEADY_TICK_MS);
  }
  await Promise.all(open);
  const elapsedMs = performance.now() - startedAt;
  await pool.close();
  if (failure !== undefined) throw failure;
  const answered = times.length;
  return { rate: (answered / elapsedMs) * 1000, answered, p99Ms: percentile(times, 99) };
};
