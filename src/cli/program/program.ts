import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { account } from '../commands/account.ts';
import { administrator } from '../commands/administrator.ts';
import { addBackup, addRestore } from '../commands/backup.ts';
import { addBalance } from '../commands/balance.ts';
import { bot } from '../commands/bot.ts';
import { addCompletion } from '../commands/completion.ts';
import { contact } from '../commands/contact.ts';
import { deadletter } from '../commands/dead-letter.ts';
import { addDoctor } from '../commands/doctor.ts';
import { addExplain } from '../commands/explain.ts';
import { job } from '../commands/job.ts';
import { key } from '../commands/key.ts';
import { ledger } from '../commands/ledger.ts';
import { log } from '../commands/log.ts';
import { addLogin, addLogout } from '../commands/login.ts';
import { addMcp } from '../commands/mcp.ts';
import { message } from '../commands/message.ts';
import { credits, wallet } from '../commands/money.ts';
import { number } from '../commands/number.ts';
import { organisation } from '../commands/organisation.ts';
import { person } from '../commands/person.ts';
import { plan } from '../commands/plan.ts';
import { profile } from '../commands/profile.ts';
import { projection } from '../commands/projection.ts';
import { ratecard } from '../commands/rate-card.ts';
import { addReconcile } from '../commands/reconcile.ts';
import { scheduled } from '../commands/scheduled.ts';
import { secret } from '../commands/secret.ts';
import { addQuote, addSend } from '../commands/send.ts';
import { simulate } from '../commands/simulate.ts';
import { addStatement } from '../commands/statement.ts';
import { addStatus } from '../commands/status.ts';
import { template } from '../commands/template.ts';
import { webhook } from '../commands/webhook.ts';
import { addWhatIf } from '../commands/what-if.ts';
import { addWitness } from '../commands/witness.ts';
import { createAct, createLocalAct, version } from './context.ts';
import { helpConfiguration, helpWidth, withExtra } from './help.ts';
import { errorPrefix, hasColours, type Io, widthOf } from './io.ts';
import { groups, type Noun } from './noun.ts';
import { DEFAULT_URL } from './settings.ts';

/** In the order in which help shows them within their groups. */
export const nouns: readonly Noun[] = [
  organisation,
  person,
  account,
  contact,
  key,
  number,
  plan,
  ratecard,
  credits,
  wallet,
  ledger,
  administrator,
  message,
  scheduled,
  deadletter,
  projection,
  log,
  secret,
  simulate,
  template,
  bot,
  job,
  webhook,
  profile,
];

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
const addPrograms = (program: Command, io: Io): void => {
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

const environment = [
  ['WAYBILL_URL', `Root of the service; default ${DEFAULT_URL}`],
  ['WAYBILL_ADMIN_TOKEN', 'Administrator token'],
  ['WAYBILL_API_KEY', 'API key of an account, for what an account does'],
  ['WAYBILL_…_FILE', 'File that holds the token or the key: WAYBILL_ADMIN_TOKEN_FILE'],
  ['WAYBILL_PROFILE', 'Profile of waybill login, where the variables above are not set'],
  ['NO_COLOR', 'Any value switches colours off'],
] as const;

const examples = [
  'organisation create "Corner Shop"',
  'account create "Web shop" --organisation <id>',
  'credits grant <account> 500 --reason "Welcome"',
  'key create "Checkout" --account <account>',
  'ledger list <account> --since 7d --all',
  'send order_shipped --to +919812345678 orderId=A-1 awbCode=AWB1 trackingLink=https://…',
];

const addNoun = (program: Command, noun: Noun, io: Io): void => {
  const command = program
    .command(noun.name)
    .description(noun.summary)
    .helpGroup(`${noun.group}:`)
    .usage('<verb> [options]');
  if (noun.alias !== undefined) command.alias(noun.alias);
  const act = createAct(io, noun.access);
  for (const addVerb of noun.verbs) addVerb(command, act, io);
  withExtra(command, noun);
};

export const createProgram = (io: Io): Command => {
  const program = new Command('waybill')
    .description('Administers a Waybill service, and sends and reads messages of an account.')
    .usage('<noun> <verb> [options]')
    .option('--url <url>', 'Root of the service (or WAYBILL_URL)')
    .option('--token <token>', 'Administrator token (better: WAYBILL_ADMIN_TOKEN)')
    .option('--api-key <key>', 'API key of an account (better: WAYBILL_API_KEY)')
    .option('--profile <name>', 'Profile of waybill login (or WAYBILL_PROFILE)')
    .option('--json', "Print the API's answer as one line of JSON")
    .version(version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show this help')
    .configureHelp(helpConfiguration)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHasColors: () => hasColours(io.stdout, io.env),
      getErrHasColors: () => hasColours(io.stderr, io.env),
      outputError: (text, write) => write(text.replace(/^error:/, errorPrefix(io))),
      getOutHelpWidth: () => helpWidth(widthOf(io.stdout)),
      getErrHelpWidth: () => helpWidth(widthOf(io.stderr)),
    })
    .showHelpAfterError('(add --help to see how it is used)')
    // Throws instead of exiting, so that a pipe receives all output before the process ends.
    .exitOverride();
  for (const group of groups) {
    for (const noun of nouns) if (noun.group === group) addNoun(program, noun, io);
  }
  addSend(program, io);
  addQuote(program, io);
  addMcp(program, io);
  addStatus(program, io);
  addLogin(program, io);
  addLogout(program, io);
  addCompletion(program, io);
  addStatement(program, io);
  addBalance(program, io);
  addReconcile(program, io);
  addWhatIf(program, io);
  addWitness(program, io);
  addExplain(program, io);
  addDoctor(program, io);
  addBackup(program, io);
  addRestore(program, io);
  addPrograms(program, io);
  return withExtra(program, { examples, environment });
};
