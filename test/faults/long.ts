import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import nock from 'nock';
import { runLong } from '../servers/long/run.ts';
import { openEmbeddedTrack, openSharedTrack, type RaceTrack } from '../support/faults/race.ts';
import { chooseSeed } from '../support/faults/random.ts';
import { type RoundsOutcome, runRounds } from '../support/faults/rounds.ts';

// The tests that repeat what others show, for longer; kills and power cuts, and then races for credit, for
// as long as one likes: npm run faults -- [--tests] --rounds 200 --races 50 [--seed 7]
// Or two processes of each role on the servers of EVENTSTORE_URL and MONGODB_URL, killed, frozen and
// restarted, and the servers themselves frozen where their process ids are given:
// npm run faults -- --servers --faults 40 [--seed 7] [--eventstore-pid 4711] [--mongodb-pid 4712]

/** Rounds on one data directory; the next series begins with an empty one. */
const SERIES = 25;
/** One end in so many is a power cut. */
const CUT_EVERY = 4;
const SENDS_OF_RACE = 1000;

const usage = (): never => {
  process.stderr.write(
    'usage: npm run faults -- [--tests] [--rounds <n>] [--races <n>] [--seed <n>]\n' +
      '       npm run faults -- --servers [--faults <n>] [--seed <n>] ' +
      '[--eventstore-pid <pid>] [--mongodb-pid <pid>]\n',
  );
  process.exit(2);
};
const { values } = parseArgs({
  options: {
    tests: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '100' },
    races: { type: 'string', default: '20' },
    seed: { type: 'string' },
    servers: { type: 'boolean', default: false },
    faults: { type: 'string', default: '40' },
    'eventstore-pid': { type: 'string' },
    'mongodb-pid': { type: 'string' },
  },
});
const count = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : usage());
const rounds = count(values.rounds);
const races = count(values.races);
const seed = values.seed === undefined ? chooseSeed() : count(values.seed);

const say = (line: string) => process.stdout.write(`${line}\n`);
const startedAt = performance.now();
const secondsSince = (start: number) => (performance.now() - start) / 1000;
const outcomes: RoundsOutcome[] = [];
let roundSeconds = 0;
let raced = 0;
let racedSends = 0;
let problems = 0;

const tell = (found: readonly string[], again: string) => {
  problems += found.length;
  for (const problem of found) say(`  ${problem}`);
  if (found.length > 0) say(`  to run it again: npm run faults -- ${again}`);
};
const total = (of: (outcome: RoundsOutcome) => number) =>
  outcomes.reduce((sum, outcome) => sum + of(outcome), 0);

const runSeries = async (ownSeed: number, here: number, again: string) => {
  const cuts = Math.floor(here / CUT_EVERY);
  const begun = performance.now();
  const outcome = await runRounds({ seed: ownSeed, kills: here - cuts, cuts });
  outcomes.push(outcome);
  roundSeconds += secondsSince(begun);
  const { kills, requests, answeredSends } = outcome;
  say(
    `seed ${ownSeed}: ${kills} kills, ${outcome.cuts} power cuts, ${requests} requests, ` +
      `${answeredSends} answered sends, ${outcome.problems.length} violations, ` +
      `${secondsSince(begun).toFixed(0)} s`,
  );
  tell(outcome.problems, again);
};

const runRace = async (
  what: string,
  open: () => Promise<RaceTrack>,
  ownSeed: number,
  again: string,
) => {
  const track = await open();
  try {
    const {
      problems: found,
      paidFor,
      sent,
      refused,
    } = await track.race({ seed: ownSeed, sends: SENDS_OF_RACE });
    raced += 1;
    racedSends += sent + refused;
    say(`seed ${ownSeed}: ${what}, credit for ${paidFor} of ${SENDS_OF_RACE}: ${sent} sent`);
    tell(found, again);
  } finally {
    await track.close();
  }
};

/** What breaks off is a violation like others: the rest is still worth running. */
const attempt = async (again: string, run: () => Promise<void>) => {
  try {
    await run();
  } catch (error) {
    tell([`it broke off: ${(error as Error).stack}`], again);
  }
};

const runOnServers = async () => {
  const faults = count(values.faults);
  const serverPids: Record<string, number> = {};
  let again = `--servers --faults ${faults} --seed ${seed}`;
  for (const option of ['eventstore-pid', 'mongodb-pid'] as const) {
    const pid = values[option];
    if (pid === undefined) continue;
    serverPids[option.replace('-pid', '')] = count(pid);
    again += ` --${option} <pid>`;
  }
  await attempt(again, async () => {
    const outcome = await runLong({ seed, faults, serverPids, say });
    say('');
    tell(outcome.problems, again);
    for (const [what, times] of outcome.counts) say(`${what.padEnd(20)} ${times}`);
    say(`requests             ${outcome.requests} under these faults`);
    say(`answered sends       ${outcome.sent} of them, each with its charge`);
    say(`keys                 ${outcome.keys}, repeated until they had an end`);
    say(`customers            ${outcome.written} wrote, each with a run of a bot`);
    say(
      `longest gap          ${(outcome.longestGapMs / 1000).toFixed(1)} s without an answered send`,
    );
  });
  say(`seed                 ${seed}, ${process.version}`);
  say(`violations           ${problems}`);
  say(`time                 ${secondsSince(startedAt).toFixed(0)} s`);
  process.exit(problems > 0 ? 1 : 0);
};

/** In a process of their own, as mocha runs tests. */
const runTests = () => {
  const program = ['--require', './src/shared/prelude.cjs', 'test/run.ts', 'series'];
  const { status } = spawnSync(process.execPath, program, { stdio: 'inherit' });
  if (status !== 0) tell(['tests have failed'], '--tests --rounds 0 --races 0');
};

nock.restore();
if (values.servers) await runOnServers();
if (values.tests) runTests();
for (let done = 0, series = 0; done < rounds; done += SERIES, series += 1) {
  const here = Math.min(SERIES, rounds - done);
  const again = `--rounds ${here} --races 0 --seed ${seed + series}`;
  await attempt(again, () => runSeries(seed + series, here, again));
}
for (let race = 0; race < races; race += 1) {
  const again = `--rounds 0 --races 1 --seed ${seed + race}`;
  const own = seed + race;
  await attempt(again, () => runRace('one instance', openEmbeddedTrack, own, again));
  await attempt(again, () => runRace('three instances', () => openSharedTrack(3), own, again));
}

const ends = total(({ kills, cuts }) => kills + cuts);
say('');
say(`seeds ${seed} and following, ${process.version}`);
say(`kills            ${total(({ kills }) => kills)}`);
say(`power cuts       ${total(({ cuts }) => cuts)}`);
say(`requests         ${total((one) => one.requests)} under kills and power cuts`);
say(`answered sends   ${total((one) => one.answeredSends)} of them, each with its charge`);
say(`races            ${raced}, ${racedSends} sends`);
say(`violations       ${problems}`);
say(
  `time             ${secondsSince(startedAt).toFixed(0)} s` +
    (ends > 0 ? `, ${(roundSeconds / ends).toFixed(2)} s for each kill or power cut` : ''),
);
if (problems > 0) process.exitCode = 1;
