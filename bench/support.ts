import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measure } from './programs/measure.ts';

export interface Started {
  child: ChildProcess;
  url: string;
  /** Its message when it was ready. */
  message: Record<string, number>;
}

export type Forked = Pick<Started, 'child'>;

export interface StartOptions {
  /** Called at once, before the program is ready. */
  onForked?: (program: Forked) => void;
  env?: Record<string, string>;
  /** Directory for a CPU profile at its end. */
  profile?: string | undefined;
  /** A checkout of another commit whose program is started; absent: this one. */
  checkout?: string | undefined;
}

const STOP_TIMEOUT_MS = 60_000;

/** The next message of a program; throws if the program ends before. */
const messageOf = async <T>(child: ChildProcess, who: string): Promise<T> => {
  const over = new AbortController();
  const { signal } = over;
  const exited = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${who} ended without a message`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), exited]);
    return message as T;
  } finally {
    over.abort();
  }
};

const root = join(import.meta.dirname, '..');

/** The options that `npm start` of a checkout gives to Node. */
const startFlagsOf = (checkout: string): readonly string[] => {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start
    .replace(/^.*\bnode /, '')
    .split(' ')
    .slice(0, -1);
};

/** Starts one of the programs and waits until it is ready. */
export const startProgram = async (
  file: string,
  parameters: readonly (string | number)[] = [],
  { env, profile, checkout = root, onForked }: StartOptions = {},
): Promise<Started> => {
  const program = join(checkout, 'bench/programs', file);
  const child = fork(program, parameters.map(String), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
    cwd: checkout,
    execArgv: [
      ...(file === 'waybill.ts' ? startFlagsOf(checkout) : []),
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ],
  });
  onForked?.({ child });
  const message = await messageOf<Record<string, number>>(child, file);
  return { child, url: `http://127.0.0.1:${message.port}`, message };
};

/** The answer of a program to a question. One question at a time. */
export const ask = async <T>({ child }: Started, question: string): Promise<T> => {
  const answer = messageOf<{ value: T }>(child, `a program asked "${question}"`);
  child.send(question);
  return (await answer).value;
};

export const measureOf = (started: Started): Promise<Measure> => ask(started, 'measure');

export const megabytesOf = async (started: Started): Promise<number> =>
  (await measureOf(started)).rssBytes / 1024 / 1024;

const hasEnded = ({ child }: Forked): boolean =>
  child.exitCode !== null || child.signalCode !== null;

export const killProgram = async (started: Forked): Promise<void> => {
  if (hasEnded(started)) return;
  const ended = once(started.child, 'exit');
  started.child.kill('SIGKILL');
  await ended;
};

/** Lets a program finish its work and end. */
export const stopProgram = async (started: Forked): Promise<void> => {
  if (hasEnded(started)) return;
  const { child } = started;
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

/** Median with the least and the greatest, for a line of the report. */
export const spread = (values: readonly number[], digits = 2): string =>
  `${median(values).toFixed(digits)}  (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

/** Each value divided by that of the baseline in the same round. */
export const ratios = (values: readonly number[], over: readonly number[]): number[] =>
  values.map((value, index) => value / over[index]!);

export const timed = async <T>(work: () => T | Promise<T>): Promise<{ ms: number; value: T }> => {
  const startedAt = performance.now();
  const value = await work();
  return { ms: performance.now() - startedAt, value };
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
