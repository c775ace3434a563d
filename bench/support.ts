import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Pool, request } from 'undici';
import type { Measure } from './programs/measure.ts';

export interface Started {
  child: ChildProcess;
  url: string;
  /** What it said when it was ready. */
  message: Record<string, number>;
}

export interface StartOptions {
  env?: Record<string, string>;
  /** Where it leaves a profile of its CPU time when it ends. */
  profile?: string | undefined;
}

const STOP_TIMEOUT_MS = 60_000;

/** The next message of a program; throws when it ends before. */
const messageOf = async <T>(child: ChildProcess, who: string): Promise<T> => {
  const over = new AbortController();
  const { signal } = over;
  const exited = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${who} ended before it said anything`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), exited]);
    return message as T;
  } finally {
    over.abort();
  }
};

/** Starts one of the programs and waits until it says that it is ready. */
export const startProgram = async (
  file: string,
  parameters: readonly (string | number)[] = [],
  { env, profile }: StartOptions = {},
): Promise<Started> => {
  const program = join(import.meta.dirname, 'programs', file);
  const child = fork(program, parameters.map(String), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
    execArgv: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
  });
  const message = await messageOf<Record<string, number>>(child, file);
  return { child, url: `http://127.0.0.1:${message.port}`, message };
};

/** What a program answers to a question of this name. One question at a time. */
export const ask = async <T>({ child }: Started, question: string): Promise<T> => {
  const answer = messageOf<{ value: T }>(child, `a program asked "${question}"`);
  child.send(question);
  return (await answer).value;
};

export const measureOf = (started: Started): Promise<Measure> => ask(started, 'measure');

export const megabytesOf = async (started: Started): Promise<number> =>
  (await measureOf(started)).rssBytes / 1024 / 1024;

/** Lets a program finish what it does and end by itself. */
export const stopProgram = async ({ child }: Started): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  if (child.connected) child.send('stop');
  await ended;
  clearTimeout(force);
};

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

export const median = (values: readonly number[]): number => {
  const all = sorted(values);
  const middle = Math.floor(all.length / 2);
  return all.length % 2 ? all[middle]! : (all[middle - 1]! + all[middle]!) / 2;
};

export const percentile = (values: readonly number[], percent: number): number => {
  const all = sorted(values);
  return all[Math.min(all.length - 1, Math.floor((all.length * percent) / 100))] ?? 0;
};

/** Median with the least and the largest, for a line of the report. */
export const spread = (values: readonly number[], digits = 2): string =>
  `${median(values).toFixed(digits)}  (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

/** Each value over its counterpart of the same round. */
export const ratios = (values: readonly number[], over: readonly number[]): number[] =>
  values.map((value, index) => value / over[index]!);

export const timed = async <T>(work: () => T | Promise<T>): Promise<{ ms: number; value: T }> => {
  const startedAt = performance.now();
  const value = await work();
  return { ms: performance.now() - startedAt, value };
};

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
  /** What is asked in turn; notifications to many recipients when absent. */
  requests?: readonly autocannon.Request[];
}

const requestsOf = ({ headers, requests }: Target): autocannon.Request[] =>
  requests
    ? requests.map((one) => ({ headers, ...one }))
    : bodies.map((body) => sendOf(body, headers));

const sendOf = (body: string, headers: Record<string, string>): autocannon.Request => ({
  ...{ method: 'POST', headers, body },
});

/** The sends of a target without requests of its own, by their number. */
export const sendNumber =
  ({ headers }: Target) =>
  (index: number): autocannon.Request =>
    sendOf(bodies[index % RECIPIENTS]!, headers);

export interface LoadOptions {
  /** Gives each connection requests of its own. */
  requestsOf?: (connection: number) => autocannon.Request[];
}

/** Requests a second over so many connections; throws when any answer was no 2xx. */
export const throughput = async (
  target: Target,
  connections: number,
  seconds: number,
  options: LoadOptions = {},
): Promise<number> => {
  let connection = 0;
  const result = await autocannon({
    url: target.url,
    connections,
    duration: seconds,
    requests: requestsOf(target),
    ...(options.requestsOf && {
      setupClient(client) {
        client.setRequests(options.requestsOf?.(connection) ?? []);
        connection += 1;
      },
    }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.name}: ${result.non2xx} refusals and ${result.errors} errors`);
  }
  return result['2xx'] / result.duration;
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
  {
    name,
    url,
    headers,
    requests,
  }: Omit<Target, 'requests'> & { requests: (index: number) => autocannon.Request },
  { connections, rate, seconds }: { connections: number; rate: number; seconds: number },
): Promise<Steady> => {
  const pool = new Pool(new URL(url).origin, { connections });
  const prefix = new URL(url).pathname.replace(/\/$/, '');
  const times: number[] = [];
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
  };
  const one = async (index: number, dueAt: number) => {
    const asked = { method: 'POST' as const, path: '', headers, ...requests(index) };
    const response = await pool.request({
      method: asked.method as 'POST',
      path: `${prefix}${asked.path}`,
      headers: asked.headers as Record<string, string>,
      body: asked.body ?? null,
    });
    await response.body.dump();
    if (response.statusCode >= 300) throw new Error(`${name}: ${response.statusCode}`);
    times.push(performance.now() - dueAt);
  };
  const open = new Set<Promise<void>>();
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
  return {
    rate: (times.length / elapsedMs) * 1000,
    answered: times.length,
    p99Ms: percentile(times, 99),
  };
};

/** Asks once; throws when the answer is no 2xx. */
export const call = async <Body>(
  url: string,
  headers: Record<string, string>,
  { method = 'GET', body }: { method?: 'GET' | 'POST' | 'PATCH'; body?: string } = {},
): Promise<Body> => {
  const response = await request(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${url}: ${response.statusCode} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
};

/** Median latency in ms of requests one after the other on one connection. */
export const latencyMs = async (target: Target, count: number): Promise<number> => {
  const requests = requestsOf(target);
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const { method = 'GET', path = '', headers, body } = requests[index % requests.length]!;
    const startedAt = performance.now();
    const response = await request(`${target.url}${path}`, {
      method: method as 'GET',
      headers: headers as Record<string, string>,
      ...(body !== undefined && { body }),
    });
    await response.body.text();
    if (response.statusCode !== 200) throw new Error(`${target.name}: ${response.statusCode}`);
    times.push(performance.now() - startedAt);
  }
  return median(times);
};

/** Median time of one small write with its fsync on this disk, in ms. */
export const fsyncMs = (directory: string): number => {
  const file = openSync(join(directory, 'fsync'), 'w');
  const times: number[] = [];
  for (let index = 0; index < 200; index += 1) {
    const startedAt = performance.now();
    writeSync(file, 'x'.repeat(4096));
    fsyncSync(file);
    times.push(performance.now() - startedAt);
  }
  closeSync(file);
  return median(times);
};

export const temporaryFolder = (): { path: string; remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'waybill-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};
