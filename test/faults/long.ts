import { parseArgs } from 'node:util';
import nock from 'nock';
import { chooseSeed } from '../support/faults.random.ts';
import { type RoundsOutcome, runRounds } from '../support/faults.rounds.ts';

// Kills and power cuts for as long as one likes: npm run faults -- --rounds 200 [--seed 7]

/** Rounds on one data directory; the next series begins with an empty one. */
const SERIES = 25;
/** One end in so many is a power cut. */
const CUT_EVERY = 4;

nock.restore();
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '100' }, seed: { type: 'string' } },
});
const rounds = Number(values.rounds);
const seed = values.seed === undefined ? chooseSeed() : Number(values.seed);
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed)) {
  process.stderr.write('usage: npm run faults -- --rounds <number> [--seed <number>]\n');
  process.exit(2);
}

const startedAt = performance.now();
const outcomes: RoundsOutcome[] = [];
const total = (of: (outcome: RoundsOutcome) => number) =>
  outcomes.reduce((sum, outcome) => sum + of(outcome), 0);
const summary = () =>
  `rounds ${total((one) => one.kills + one.cuts)}, kills ${total((one) => one.kills)}, ` +
  `cuts ${total((one) => one.cuts)}, requests ${total((one) => one.requests)}, ` +
  `answered sends ${total((one) => one.answeredSends)}, ` +
  `problems ${total((one) => one.problems.length)}, seed ${seed}, ` +
  `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;

for (let done = 0, series = 0; done < rounds; done += SERIES, series += 1) {
  const here = Math.min(SERIES, rounds - done);
  const cuts = Math.floor(here / CUT_EVERY);
  const outcome = await runRounds({ seed: seed + series, kills: here - cuts, cuts });
  outcomes.push(outcome);
  for (const problem of outcome.problems)
    process.stdout.write(`seed ${seed + series}: ${problem}\n`);
  process.stdout.write(`${summary()}\n`);
}
if (outcomes.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
