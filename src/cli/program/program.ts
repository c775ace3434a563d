import { Command } from 'commander';
import { addBackup, addRestore } from '../commands/backup.ts';
import { addCompletion } from '../commands/completion.ts';
import { addDoctor } from '../commands/doctor.ts';
import { addLogin, addLogout } from '../commands/login.ts';
import { addReconcile } from '../commands/reconcile.ts';
import { addSend } from '../commands/send.ts';
import { addStatement } from '../commands/statement.ts';
import { addStatus } from '../commands/status.ts';
import { createAct, version } from './context.ts';
import { helpConfiguration, helpWidth, withExtra } from './help.ts';
import { errorPrefix, hasColours, type Io, widthOf } from './io.ts';
import { groups, type Noun } from './noun.ts';
import { nouns } from './nouns.ts';
import { addPrograms } from './programs.ts';
import { DEFAULT_URL } from './settings.ts';

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
  addStatus(program, io);
  addLogin(program, io);
  addLogout(program, io);
  addCompletion(program, io);
  addStatement(program, io);
  addReconcile(program, io);
  addDoctor(program, io);
  addBackup(program, io);
  addRestore(program, io);
  addPrograms(program, io);
  return withExtra(program, { examples, environment });
};
