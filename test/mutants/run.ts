import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seeded, shuffled } from '../support/faults/random.ts';
import { createCompiler } from './compiler.ts';
import { coverageOf } from './coverage.ts';
import { createJudge } from './judge.ts';
import type { Mutant } from './mutant.ts';
import { equivalentsIn, isListed, isSame, report, staleOf } from './report.ts';
import { openSandbox } from './sandbox.ts';
import { filesInScope, stagesOf, testFiles } from './scope.ts';
import { judgeInStages } from './stages.ts';

// Changes one point of the program after the other and looks whether a test turns red.

const HELP = `npm run mutants -- [options]
  --seed <n>       which mutants (default: by the time; the report names it)
  --count <n>      mutants that compile (default 100)
  --per-file <n>   mutants of one file at most (default 4)
  --files <texts>  only files whose path holds one of them, separated by commas
  --only <n>       only mutants of this line; for one file
  --again <file>   all mutants that survived in this report of --json
  --suite <texts>  only test files whose path holds one of them
  --tests <n>      test files for one mutant and stage at most (default 40)
  --minutes <n>    time of those tests at most (default 3)
  --json <file>    the report for programs
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '100' },
    'per-file': { type: 'string', default: '4' },
    files: { type: 'string' },
    suite: { type: 'string' },
    only: { type: 'string' },
    again: { type: 'string' },
    tests: { type: 'string', default: '40' },
    minutes: { type: 'string', default: '3' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const root = join(import.meta.dirname, '../..');
const say = (line: string) => process.stderr.write(`${line}\n`);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const bound = (text: string) => (values.again ? Number.POSITIVE_INFINITY : Number(text));
const count = bound(values.count);
const perFile = bound(values['per-file']);
const only = values.only === undefined ? undefined : Number(values.only);

// All that follows reads the copy: the tree may change meanwhile.
const sandbox = openSandbox(root);
/** Ctrl-C ends with the report of what has been found, a second one at once. */
let isStopped = false;
process.once('SIGINT', () => {
  isStopped = true;
});
process.once('exit', () => sandbox.close());
const scope = filesInScope(sandbox.folder);
const holding = (paths: Iterable<string>, texts = '') =>
  [...paths].filter((path) => texts.split(',').some((text) => path.includes(text)));
const files = holding(scope.keys(), values.files);
const tests = holding(testFiles(sandbox.folder), values.suite);
const compiler = createCompiler(sandbox.folder, [...scope.keys()]);
const random = seeded(seed);
const all = files.map((file) => compiler.mutantsOf(file));
const survivors: { mutant: Mutant }[] | undefined =
  values.again && JSON.parse(readFileSync(values.again, 'utf8')).survivors;
const isWanted = (mutant: Mutant) =>
  (!only || mutant.line === only) &&
  (!survivors || survivors.some((before) => isSame(before.mutant, mutant)));
const candidates = shuffled(all.flat(), random).filter(isWanted);
const listed = readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8');
const equivalents = equivalentsIn(JSON.parse(listed));

const equal: Mutant[] = [];
let refused = 0;
/** Mutants that compile, in the order of chance, until there are enough. */
const drawn = function* () {
  const taken = new Map<string, number>();
  let found = 0;
  for (const mutant of candidates) {
    if (found >= count) return;
    const before = taken.get(mutant.file) ?? 0;
    if (before >= perFile) continue;
    if (!compiler.compiles(mutant)) {
      refused += 1;
      continue;
    }
    taken.set(mutant.file, before + 1);
    if (isListed(equivalents, mutant)) equal.push(mutant);
    else {
      found += 1;
      yield mutant;
    }
  }
};

say(`seed ${seed}: ${candidates.length} candidates in ${files.length} files`);
const cacheFile = join(root, '.mutants/coverage.json');
const bounds = { filesMax: Number(values.tests), msMax: Number(values.minutes) * 60_000 };
const verdicts = await judgeInStages({
  mutants: [...drawn()],
  stages: stagesOf(tests),
  openJudge: async (ofStage) =>
    createJudge(sandbox, await coverageOf(sandbox, ofStage, scope, { cacheFile, say }), bounds),
  isStopped: () => isStopped,
  onVerdict({ mutant, outcome, ms, by = '' }, at) {
    say(`${at} ${outcome} ${mutant.file}:${mutant.line} (${(ms / 1000).toFixed(1)} s) ${by}`);
    if (outcome !== 'killed') say(`  - ${mutant.before}\n  + ${mutant.after}`);
  },
});
const stale = [
  ...equivalents.filter(({ file }) => !scope.has(file)),
  ...staleOf(equivalents, new Map(files.map((file, at) => [file, all[at]!]))),
];
const found = {
  seed,
  refused,
  equal,
  verdicts,
  stale,
  areaOf: (file: string) => scope.get(file)!,
};
const { text, json, holds } = report(found);
process.stdout.write(text);
if (values.json) writeFileSync(values.json, JSON.stringify(json, null, 2));
process.exitCode = holds ? 0 : 1;
