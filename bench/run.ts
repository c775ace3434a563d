import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createBench, type Options, type Scenario } from './bench.ts';
import { createHistory } from './history.ts';
import { createReport } from './report.ts';
import { batch } from './scenarios/batch.ts';
import { disk } from './scenarios/disk.ts';
import { erasure } from './scenarios/erasure.ts';
import { filters } from './scenarios/filters.ts';
import { firstPage } from './scenarios/first-page.ts';
import { gateway } from './scenarios/gateway.ts';
import { history } from './scenarios/history.ts';
import { hotAccount } from './scenarios/hot-account.ts';
import { large } from './scenarios/large.ts';
import { logThread } from './scenarios/log-thread.ts';
import { memory } from './scenarios/memory.ts';
import { projections } from './scenarios/projections.ts';
import { reads } from './scenarios/reads.ts';
import { rebuilds } from './scenarios/rebuild.ts';
import { scheduled } from './scenarios/scheduled.ts';
import { send } from './scenarios/send.ts';
import { servers } from './scenarios/servers.ts';
import { slowDiskSends } from './scenarios/slow-disk.ts';
import { start } from './scenarios/start.ts';
import { statement } from './scenarios/statement.ts';
import { statuses } from './scenarios/statuses.ts';
import { verify } from './scenarios/verify.ts';
import { webhook } from './scenarios/webhook.ts';
import { webhookHang } from './scenarios/webhook-hang.ts';
import { webhookLoad } from './scenarios/webhook-load.ts';
import { webhookReplay } from './scenarios/webhook-replay.ts';
import { timed } from './support.ts';

// Ratios against a baseline in the same run, in alternating rounds: other work of the machine
// affects both alike.

const scenarios: readonly Scenario[] = [
  send,
  slowDiskSends,
  gateway,
  hotAccount,
  logThread,
  projections,
  rebuilds,
  batch,
  scheduled,
  start,
  history,
  filters,
  firstPage,
  erasure,
  memory,
  reads,
  webhook,
  webhookLoad,
  webhookHang,
  webhookReplay,
  verify,
  statement,
  servers,
  statuses,
  disk,
  large,
];

const isJson = process.argv.includes('--json');
/** With --json, the standard output holds nothing else. */
const say = (line = '') => (isJson ? process.stderr : process.stdout).write(`${line}\n`);

const help = () => {
  say('npm run bench                         the headline: send');
  say(
    'npm run bench -- <name> ... | all     these scenarios, by name or by the id of a measurement; all but `large`',
  );
  say();
  for (const { name, ids, about } of scenarios) {
    say(`  ${name.padEnd(13)} ${ids.join(' ').padEnd(10)} ${about}`);
  }
  say();
  say('  --rounds N     rounds of each scenario (default: its own number)');
  say('  --seconds N    length of each load (default: 3)');
  say('  --messages N   messages of the long history (default: 1000000, two million events)');
  say(
    '  --keep DIR     keeps the long histories there, and takes those that a run before has left',
  );
  say('  --minutes N    length of the load of the memory scenario (default: 10)');
  say('  --sends N      messages of the disk scenario (default: 20000)');
  say('  --profile DIR  writes CPU profiles of the service to this directory');
  say('  --against DIR  also compares a send with that of a checkout of an earlier commit');
  say('  --markdown     prints all figures as a table at the end');
  say('  --json         prints all figures as JSON, and nothing else, to the standard output');
};

/** A failed scenario does not end the others. */
const fail = (error: unknown) => {
  say(`  failed: ${(error as Error).message}`);
  process.exitCode = 1;
};

const readArguments = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      markdown: { type: 'boolean' },
      json: { type: 'boolean' },
      rounds: { type: 'string' },
      seconds: { type: 'string', default: '3' },
      messages: { type: 'string', default: '1000000' },
      keep: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      sends: { type: 'string', default: '20000' },
      profile: { type: 'string' },
      against: { type: 'string' },
    },
  });

const chosen = (positionals: readonly string[]): readonly Scenario[] => {
  if (positionals.length === 0) return [send];
  if (positionals.includes('all')) return scenarios.filter(({ isLong }) => !isLong);
  return positionals.map((word) => {
    const found = scenarios.find(
      ({ name, ids }) => name === word || ids.includes(word.toUpperCase()),
    );
    if (found) return found;
    throw new Error(`there is no scenario "${word}": see npm run bench -- --help`);
  });
};

const numberOf = (name: string, text: string): number => {
  const number = Number(text);
  if (number > 0) return number;
  throw new Error(`--${name} must be a number above 0`);
};

const main = async () => {
  const { values, positionals } = readArguments();
  if (values.help) {
    help();
    return;
  }
  const asked = new Set(chosen(positionals));
  const options: Options = {
    rounds: values.rounds === undefined ? undefined : numberOf('rounds', values.rounds),
    seconds: numberOf('seconds', values.seconds),
    messages: numberOf('messages', values.messages),
    minutes: numberOf('minutes', values.minutes),
    sends: numberOf('sends', values.sends),
    profile: values.profile,
    against: values.against === undefined ? undefined : resolve(values.against),
  };
  const report = createReport(say);
  /** Owns the files that scenarios share. */
  const shared = createBench(options, report, say, createHistory(values.keep));
  const own = createBench(options, report, say, (_, messages, contacts) =>
    shared.history(messages, contacts),
  );
  process.once('SIGINT', async () => {
    await Promise.all([own.kill(), shared.kill()]);
    process.exit(130);
  });
  say(`alternating rounds, median (least to greatest); ${process.version}`);
  try {
    for (const scenario of asked) {
      say();
      say(`${scenario.name}: ${scenario.about}`);
      const { ms } = await timed(() => scenario.run(own).catch(fail).finally(own.tidy));
      say(`  took ${Math.round(ms / 1000)} s`);
    }
  } finally {
    await shared.tidy();
  }
  if (values.markdown) say(`\n${report.markdown()}`);
  if (values.json) process.stdout.write(`${JSON.stringify(report.json(), null, 2)}\n`);
};

await main().catch(fail);
