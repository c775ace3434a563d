import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Io } from '../../src/cli/program/io.ts';
import { run } from '../../src/cli/program/run.ts';
import { NOW } from '../support/samples.ts';
import { startServer } from '../support/server.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

export const TOKEN = 'root-token-of-the-tests-0123';

export interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** Parsed JSON; undefined when the request had no body. */
  body: unknown;
}

export interface Answered {
  status?: number;
  headers?: Record<string, string>;
  /** JSON, unless it is a string, which is sent as it stands. */
  body?: unknown;
}

type Answering = Answered | ((request: Asked) => Answered);

/** An administration API that answers what it is told to, and remembers what it was asked. */
const startStub = async () => {
  const asked: Asked[] = [];
  let answer: Answering = { body: {} };
  const { url: origin, close } = await startServer(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://stub');
    const sent = await text(req);
    const request = {
      method: req.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: req.headers,
      body: sent === '' ? undefined : JSON.parse(sent),
    };
    asked.push(request);
    const told = typeof answer === 'function' ? answer(request) : answer;
    const { status = 200, headers = {}, body } = told;
    res.writeHead(status, { 'content-type': 'application/json', ...headers });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return {
    url: `${origin}/api`,
    asked,
    answers(next: Answering) {
      answer = next;
      asked.length = 0;
    },
    close,
  };
};

/** One for all tests of a suite. */
export const useStub = () => {
  const stub = {} as Awaited<ReturnType<typeof startStub>>;
  before(async () => Object.assign(stub, await startStub()));
  after(() => stub.close());
  const env = () => ({ WAYBILL_URL: stub.url, WAYBILL_ADMIN_TOKEN: TOKEN });
  return Object.assign(stub, {
    env,
    /** Runs the program as its administrator. */
    run: (args: string | readonly string[], setting: InProcess = {}) =>
      runHere(args, { ...setting, env: { ...env(), ...setting.env } }),
  });
};

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

export const program = fileURLToPath(new URL('../../src/cli/waybill.cjs', import.meta.url));

interface Setting {
  env?: Record<string, string>;
  stdin?: string;
  /** Options of node itself. */
  node?: readonly string[];
}

/** The real program, in a process and an environment of its own. */
export const waybill = async (
  args: readonly string[],
  { env = {}, stdin = '', node = [] }: Setting = {},
): Promise<Ended> => {
  const child = spawn(process.execPath, [...node, program, ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  // A program that does not read its input closes the pipe early.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { status, stdout, stderr };
};

export interface InProcess extends Setting {
  /** Columns of the terminal that standard output is; none when it is a pipe. */
  columns?: number;
  /** The time of the machine. */
  now?: number;
  /** Ctrl-C. */
  interrupt?: AbortSignal;
  /** Is given all that standard output has so far, each time it grows. */
  watch?: (printed: string) => void;
}

/** The same program without a process of its own, for what needs many runs or a terminal; a line is words with a space between. */
export const runHere = async (
  args: string | readonly string[],
  { env = {}, stdin = '', columns, now = NOW, interrupt, watch }: InProcess = {},
): Promise<Ended> => {
  const streamOf = (terminal: object) => Object.assign(new PassThrough(), terminal);
  const stdout = streamOf(columns === undefined ? {} : { isTTY: true, columns });
  const stderr = streamOf({});
  let printed = '';
  stdout.on('data', (part) => {
    printed += part;
    watch?.(printed);
  });
  const isPrinted = once(stdout, 'end');
  const input = streamOf({});
  input.end(stdin);
  let uuids = 0;
  const io: Io = {
    env,
    stdin: input as unknown as Io['stdin'],
    stdout: stdout as unknown as Io['stdout'],
    stderr: stderr as unknown as Io['stderr'],
    now: () => now,
    uuid() {
      uuids += 1;
      return `uuid-${uuids}`;
    },
    interrupted: () => interrupt ?? new AbortController().signal,
  };
  const status = await run(typeof args === 'string' ? args.split(' ') : args, io);
  stdout.end();
  stderr.end();
  await isPrinted;
  return { status, stdout: printed, stderr: await text(stderr) };
};

/** Runs the program, with these words first, as an administrator of the service. */
export const runnerAt =
  (of: () => { url: string }, ...words: string[]) =>
  (...args: string[]): Promise<Ended> =>
    runHere([...words, ...args], {
      env: { WAYBILL_URL: `${of().url}/api`, WAYBILL_ADMIN_TOKEN: ADMIN_TOKEN },
    });
