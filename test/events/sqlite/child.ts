import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const WRITER = new URL('./writer-child.ts', import.meta.url);

export interface Child {
  process: ChildProcess;
  /** The whole lines that it has written so far, or after it ended all of them. */
  lines(): string[];
  /** Waits until it has written so many lines, bounded by the test's own time limit. */
  written(count: number): Promise<void>;
  say(): void;
  ended(): Promise<{ code: number | null; errors: string }>;
}

/** Starts the child on a directory, under another program if one is given. */
export const startChild = (
  directory: string,
  task: string,
  {
    under = [],
    env = {},
    script = WRITER,
  }: { under?: string[]; env?: Record<string, string>; script?: URL } = {},
): Child => {
  const [program = '', ...args] = [
    ...under,
    process.execPath,
    fileURLToPath(script),
    directory,
    task,
  ];
  const child = spawn(program, args, { env: { ...process.env, ...env } });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const closed = once(child, 'close');
  const lines = () => out.split('\n').slice(0, -1);
  return {
    process: child,
    lines,
    written: async (count) => {
      while (lines().length < count) {
        const ended = await Promise.race([
          once(child.stdout, 'data'),
          closed.then(() => undefined),
        ]);
        if (ended === undefined && lines().length < count) {
          throw new Error(`the child wrote ${lines().length} lines and ended: ${errors}`);
        }
      }
    },
    say: () => {
      child.stdin.write('\n');
    },
    ended: async () => {
      const [code] = (await closed) as [number | null];
      return { code, errors };
    },
  };
};
