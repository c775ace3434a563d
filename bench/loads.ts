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

/** One candidate under load: where to send what, with which headers. */
export interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
  /** In turn, or made just before each is sent; notifications to many recipients when absent. */
  requests?: readonly Request[] | ((index: number) => Request);
}

const requestOf = ({ headers, requests }: Target, index: number): Request => {
  if (!requests) return { method: 'POST', headers, body: bodies[index % RECIPIENTS]! };
  const one = typeof requests === 'function' ? requests(index) : requests[index % requests.length];
  return { headers, ...one };
};

/** The requests of a load, in the form that is cheapest to send. */
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

/** Requests a second over so many connections; throws when any answer was no 2xx. */
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

/** Sends one and reads its answer; throws when that is no 2xx. */
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

/** Asks once; throws when the answer is no 2xx. */
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
 * Median latency in ms of each target on one connection. The targets take turns, a request each,
 * so that whatever else the machine does hits all alike.
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
  /** A second, from the first request to the last answer. */
  rate: number;
  answered: number;
  p99Ms: number;
}

const STEADY_TICK_MS = 2;

/**
 * Sends requests evenly, whether those before are answered or not; what finds no free connection
 * waits, and its time counts from when it was due. Throws when any answer was no 2xx.
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
