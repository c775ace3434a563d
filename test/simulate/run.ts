import { parseArgs } from 'node:util';
import { playSeed, shrink } from './seed.ts';

// Plays what may happen to the service, in one process, by seed.

const HELP = `npm run simulate -- [options]
  --seed <n>    plays one seed and prints its trace
  --shrink      looks for a shorter plan of that seed with a violation
  --path <p>    plays the shorter plan that --shrink has found
  --seeds <n>   plays a series (default 100)
  --from <n>    the first seed of the series (default 1)
`;
/** A series ends after so many seeds with violations. */
const VIOLATIONS_MAX = 3;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    path: { type: 'string' },
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const commandOf = (seed: number, rest = '') => `npm run simulate -- --seed ${seed}${rest}`;

const playOne = async (seed: number): Promise<boolean> => {
  const { steps, problems } = await playSeed(seed, { path: values.path, trace: say });
  say(`${steps} steps, ${problems.length} violations`);
  if (problems.length > 0) say(commandOf(seed, values.path ? ` --path ${values.path}` : ''));
  return problems.length === 0;
};

const shrinkOne = async (seed: number): Promise<boolean> => {
  const shrunk = await shrink(seed);
  if (!shrunk) {
    say(`seed ${seed} violates nothing`);
    return true;
  }
  for (const { command, pause } of shrunk.planned) {
    say(`${JSON.stringify(command)}, then ${pause} steps`);
  }
  say(commandOf(seed, ` --path ${shrunk.path}`));
  return false;
};

const playSeries = async (from: number, count: number): Promise<boolean> => {
  const startedAt = performance.now();
  const { user: cpuBefore } = process.cpuUsage();
  const total = { seeds: 0, steps: 0, commands: 0, crashes: 0, violations: 0 };
  for (let seed = from; seed < from + count && total.violations < VIOLATIONS_MAX; seed += 1) {
    const { steps, commands, crashes, problems } = await playSeed(seed);
    total.seeds += 1;
    total.steps += steps;
    total.commands += commands;
    total.crashes += crashes;
    if (problems.length === 0) continue;
    total.violations += 1;
    say(`seed ${seed}: ${problems.length} violations`);
    for (const problem of problems.slice(0, 8)) say(`  ${problem}`);
    say(`  ${commandOf(seed)}`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = (process.cpuUsage().user - cpuBefore) / 1000;
  const { seeds, steps, commands, crashes, violations } = total;
  say(
    `${seeds} seeds in ${seconds.toFixed(1)} s (${(seeds / seconds).toFixed(1)} seeds/s, ` +
      `${Math.round(cpuMs / seeds)} ms of CPU each): ${commands} commands, ${crashes} crashes, ` +
      `${steps} steps, ${violations} seeds with violations`,
  );
  return violations === 0;
};

const run = async (): Promise<boolean> => {
  if (values.help) {
    process.stdout.write(HELP);
    return true;
  }
  if (values.seed === undefined) return playSeries(Number(values.from), Number(values.seeds));
  return values.shrink ? shrinkOne(Number(values.seed)) : playOne(Number(values.seed));
};
process.exitCode = (await run()) ? 0 : 1;
