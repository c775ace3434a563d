import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { request } from 'undici';

export interface Started {
  child: ChildProcess;
  url: string;
  message: Record<string, number>;
}

/** Starts one of the programs beside this file and waits until it listens. */
export const startProgram = async (file: string, ...parameters: string[]): Promise<Started> => {
  const program = join(import.meta.dirname, file);
  const child = fork(program, parameters, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit').then(() => {
    throw new Error(`${file} ended before it listened`);
  });
  const [message] = (await Promise.race([once(child, 'message'), exited])) as [
    Record<string, number>,
  ];
  return { child, url: `http://127.0.0.1:${message.port}`, message };
};

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** Median with the least and the largest, for a line of the report. */
export const spread = (values: readonly number[], digits = 2): string =>
  `${median(values).toFixed(digits)}  (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

/** One candidate under load: where to post, with which headers. */
export interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
}

const bodyFor = (index: number): string =>
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

/** Requests a second over so many connections; throws when any answer was no 200. */
export const throughput = async (
  target: Target,
  connections: number,
  seconds: number,
): Promise<number> => {
  const result = await autocannon({
    url: target.url,
    connections,
    duration: seconds,
    requests: bodies.map((body) => ({ method: 'POST', headers: target.headers, body })),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.name}: ${result.non2xx} refusals and ${result.errors} errors`);
  }
  return result['2xx'] / result.duration;
};

/** Median latency in ms of requests one after the other on one connection. */
export const latencyMs = async (target: Target, count: number): Promise<number> => {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    const response = await request(target.url, {
      method: 'POST',
      headers: target.headers,
      body: bodies[index % RECIPIENTS]!,
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
