import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { createLocalAct } from './context.ts';
import { withExtra } from './help.ts';
import type { Io } from './io.ts';

// The programs that a command line starts in its place: they need options of node.

interface Program {
  name: string;
  summary: string;
  /** Without its extension, which is that of this file. */
  file: string;
  nodeOptions: readonly string[];
  /** Whether it reads a command line of its own. */
  hasOptions: boolean;
  environment: readonly (readonly [name: string, what: string])[];
}

export const programs: readonly Program[] = [
  {
    name: 'start',
    summary: 'Start the service, with settings from the environment',
    file: '../../main',
    // As `npm start` and the image; a test compares them.
    nodeOptions: ['--expose-gc', '--max-semi-space-size=64', '--min-semi-space-size=64'],
    hasOptions: false,
    environment: [
      ['WAYBILL_SECRET', 'Required: 32 bytes or more, in base64 or hex'],
      ['WAYBILL_ADMIN_TOKEN', 'Required: token of the root administrator'],
      ['WAYBILL_DATA', 'Directory of the embedded files; default ./data'],
      ['HOST, PORT', 'Where it listens; default 127.0.0.1, 8080'],
    ],
  },
  {
    name: 'demo',
    summary: 'Start the service with a simulated provider, and send a message',
    file: '../demo',
    nodeOptions: [],
    hasOptions: true,
    environment: [],
  },
  {
    name: 'simulator',
    summary: 'Start the simulated provider alone',
    file: '../simulator',
    nodeOptions: [],
    hasOptions: false,
    environment: [
      ['WAYBILL_APP_SECRET', 'Required: signs its webhooks'],
      ['WAYBILL_WEBHOOK_URL', 'Required: where it sends them'],
      ['HOST, PORT', 'Where it listens; default 127.0.0.1, 4000'],
    ],
  },
];

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The arguments of node for the program. */
export const nodeArguments = (
  { file, nodeOptions }: Program,
  words: readonly string[],
): string[] => {
  const prelude = beside('../../shared/prelude.cjs');
  const extension = import.meta.filename.slice(-'.ts'.length);
  return [...nodeOptions, '--require', prelude, beside(`${file}${extension}`), ...words];
};

/** Replaces this process, which keeps its id, so that a supervisor's signals reach the program. */
const become = (words: readonly string[], env: NodeJS.ProcessEnv): void => {
  if (process.platform !== 'win32')
    process.execve?.(process.execPath, [process.execPath, ...words], env);
  // Windows cannot replace a process.
  const child = spawn(process.execPath, words, { env, stdio: 'inherit' });
  process.on('SIGINT', () => undefined);
  child.once('exit', (status) => {
    process.exitCode = status ?? 1;
  });
};

/** `waybill start`, `demo` and `simulator`. */
export const addPrograms = (program: Command, io: Io): void => {
  for (const one of programs) {
    const command = program
      .command(one.name)
      .description(one.summary)
      .helpGroup('Programs:')
      .action(
        createLocalAct(io)(async ({ out }) => {
          const words = [...command.args, ...(out.isJson ? ['--json'] : [])];
          become(nodeArguments(one, words), { ...io.env });
        }),
      );
    // `--help` too is for the program that has options.
    if (one.hasOptions) command.allowUnknownOption().allowExcessArguments().helpOption(false);
    withExtra(command, { examples: [one.name], environment: one.environment });
  }
};
