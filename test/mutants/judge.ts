import { textOf } from './compiler.ts';
import { type Coverage, covers } from './coverage.ts';
import type { Mutant } from './mutant.ts';
import type { Sandbox, TestRun } from './sandbox.ts';

export interface Verdict {
  mutant: Mutant;
  outcome: 'killed' | 'survived' | 'uncovered';
  /** The red test, or that the time was over. */
  by?: string;
  tests: string[];
  /** Test files that reach the mutant and did not run, because of the bound. */
  leftOut: number;
  ms: number;
}

export interface Bounds {
  /** Test files for one mutant at most, and the time that they take without one. */
  filesMax: number;
  msMax: number;
}

/** So much of one run of mocha: short at first, because most mutants fall to the first tests. */
const FIRST_FILES = 2;
const RUN_MS = 10_000;
const GRACE_MS = 20_000;
const SLOWER = 4;

const sizeOf = (spans: readonly number[] = []): number =>
  spans.reduce((sum, bound, at) => sum + (at % 2 === 0 ? -bound : bound), 0);

/** How much of what the test runs lies in that file: the tests of just that file come first. */
const closeness = ({ spans, ms }: Coverage, file: string): number => {
  const all = Object.values(spans).reduce((sum, one) => sum + sizeOf(one), 0);
  return sizeOf(spans[file]) / Math.max(all, 1) / Math.sqrt(ms);
};

const inRuns = (tests: readonly string[], coverage: ReadonlyMap<string, Coverage>): string[][] => {
  const runs: string[][] = [];
  let ms = 0;
  for (const test of tests) {
    const last = runs.at(-1);
    const cost = coverage.get(test)?.ms ?? 0;
    const isFull = runs.length === 1 ? last?.length === FIRST_FILES : ms + cost > RUN_MS;
    if (!last || isFull) runs.push([test]);
    else last.push(test);
    ms = !last || isFull ? cost : ms + cost;
  }
  return runs;
};

/** A time limit may come from a busy machine, so it counts only when it is hit again. */
const isDoubtful = ({ result, test }: TestRun) =>
  result === 'timeout' || (test?.message.includes('Timeout of') ?? false);

export const createJudge = (
  sandbox: Sandbox,
  coverage: ReadonlyMap<string, Coverage>,
  bounds: Bounds,
) => {
  /** Tests that have killed mutants of a file are asked first. */
  const kills = new Map<string, number>();
  const killsOf = (file: string, test: string) => kills.get(`${file} ${test}`) ?? 0;

  const testsFor = ({ file, start }: Mutant): string[] =>
    [...coverage]
      .filter(([, one]) => one.green && covers(one, file, start))
      .map(([test, one]) => ({ test, kills: killsOf(file, test), near: closeness(one, file) }))
      .sort((a, b) => b.kills - a.kills || b.near - a.near)
      .map(({ test }) => test);

  const within = (tests: readonly string[]): string[] => {
    let ms = 0;
    return tests.slice(0, bounds.filesMax).filter((test) => {
      ms += coverage.get(test)?.ms ?? 0;
      return ms <= bounds.msMax;
    });
  };

  const runOne = async (tests: readonly string[]): Promise<TestRun> => {
    const ms = tests.reduce((sum, test) => sum + (coverage.get(test)?.ms ?? 0), 0);
    const limitMs = SLOWER * ms + GRACE_MS;
    const run = await sandbox.run(tests, limitMs);
    return isDoubtful(run) ? sandbox.run(tests, 2 * limitMs) : run;
  };

  return async (mutant: Mutant): Promise<Verdict> => {
    const reaching = testsFor(mutant);
    const chosen = within(reaching);
    const leftOut = reaching.length - chosen.length;
    const tests: string[] = [];
    const startedAt = performance.now();
    const verdict = (outcome: Verdict['outcome'], by?: string): Verdict => {
      const ms = Math.round(performance.now() - startedAt);
      return { mutant, outcome, tests, leftOut, ms, ...(by && { by }) };
    };
    if (reaching.length === 0) return verdict('uncovered');
    const original = sandbox.read(mutant.file);
    sandbox.write(mutant.file, textOf(mutant, original));
    try {
      for (const group of inRuns(chosen, coverage)) {
        tests.push(...group);
        const { result, test } = await runOne(group);
        if (result === 'green') continue;
        if (test) {
          kills.set(`${mutant.file} ${test.file}`, killsOf(mutant.file, test.file) + 1);
        }
        return verdict('killed', test ? `${test.file}: ${test.title}` : result);
      }
      return verdict('survived');
    } finally {
      sandbox.write(mutant.file, original);
    }
  };
};
