import './runtime.ts';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { plan } from './plan.ts';
import { play } from './play.ts';

const HELP = `npm run simulate -- [options]
  --seed <n>    plays one seed and prints its trace
  --seeds <n>   plays a series (default 100)
  --from <n>    the first seed of the series (default 1)
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const planOf = (seed: number) => fc.sample(plan, { seed, numRuns: 1 })[0]!;
const formOf = (seed: number) => (seed % 2 === 0 ? ('embedded' as const) : ('servers' as const));
const replay = (seed: number) => `npm run simulate -- --seed ${seed}`;

if (values.seed !== undefined) {
  const seed = Number(values.seed);
  const form = formOf(seed);
  say(`seed ${seed}, ${form}`);
  const { steps, problems } = await play(seed, planOf(seed), { form, trace: say });
  say(`${steps} steps, ${problems.length} violations`);
  process.exit(problems.length === 0 ? 0 : 1);
}

/** A series ends after so many seeds with violations. */
const VIOLATIONS_MAX = 3;

const startedAt = performance.now();
const total = { seeds: 0, steps: 0, commands: 0, crashes: 0, violations: 0 };
const first = Number(values.from);
for (
  let seed = first;
  seed < first + Number(values.seeds) && total.violations < VIOLATIONS_MAX;
  seed += 1
) {
  const played = await play(seed, planOf(seed), { form: formOf(seed) });
  total.seeds += 1;
  total.steps += played.steps;
  total.commands += played.commands;
  total.crashes += played.crashes;
  if (played.problems.length === 0) continue;
  total.violations += 1;
  say(
    `seed ${seed} (${formOf(seed)}):\n  ${played.problems.slice(0, 8).join('\n  ')}\n  ${replay(seed)}`,
  );
}
const seconds = (performance.now() - startedAt) / 1000;
say(
  `${total.seeds} seeds in ${seconds.toFixed(1)} s (${(total.seeds / seconds).toFixed(1)} seeds/s): ` +
    `${total.commands} commands, ${total.crashes} crashes, ${total.steps} steps, ${total.violations} seeds with violations`,
);
process.exit(total.violations === 0 ? 0 : 1);
