import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../until.ts';
import { environmentOf } from '../waybill.ts';

const root = join(import.meta.dirname, '../../..');

export interface ChildOptions {
  directory: string;
  providerUrl: string;
  /** Runs as if so much time had passed. */
  clockOffsetMs?: number;
  /** Settings of the service, or of what is loaded before it. */
  env?: Record<string, string>;
  /** A program and its arguments that the service is run under. */
  under?: readonly string[];
}

/** The real program in a process of its own. */
export interface Child {
  process: ChildProcess;
  url: string;
  /** Everything that it has written. */
  output(): string;
  /** Its exit status, once it has ended by itself or otherwise; null when a signal ended it. */
  ended: Promise<number | null>;
  /** As a power cut or the kernel would: nothing of it runs any more. */
  kill(): Promise<void>;
  /** As an operator would. Resolves with the exit status. */
  stop(): Promise<number | null>;
}

const running = new Map<ChildProcess, Promise<unknown>>();

/** Kills every service that a test has left running. */
export const killChildren = async (): Promise<void> => {
  for (const child of running.keys()) child.kill('SIGKILL');
  await Promise.all(running.values());
};

/** Compiled code of earlier children, which halves the time of a start. */
const COMPILED = join(root, 'node_modules/.cache/waybill-children');

/** Starts it without waiting for anything; `ended` resolves with its exit status. */
export const spawnChild = (options: ChildOptions) => {
  const { clockOffsetMs: offset, under = [] } = options;
  const program = offset === undefined ? ['src/main.ts'] : ['test/faults/offset.ts', `${offset}`];
  const [command = '', ...args] = [...under, process.execPath, ...program];
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED, ...environmentOf(options) };
  const child = spawn(command, args, { cwd: root, env });
  let output = '';
  const take = (text: string) => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  running.set(child, ended);
  return { child, ended, output: () => output };
};

/** Starts it and waits until it serves. */
export const startChild = async (options: ChildOptions): Promise<Child> => {
  const { child, ended, output } = spawnChild(options);
  const address = () => /listens on (http:\/\/[\d.:]+)\/api/.exec(output())?.[1];
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await until('the service to listen', () => address() !== undefined || isOver);
  const url = address();
  if (url === undefined) throw new Error(`the service did not start: ${output()}`);
  return {
    process: child,
    url,
    output,
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
};
