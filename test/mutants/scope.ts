import { globSync } from 'node:fs';

// The one place that knows where the code lies whose tests are measured.

/** The area of a file is the first one with a pattern that matches. */
const AREAS: Record<string, readonly string[]> = {
  audit: ['src/audit/**/*.ts'],
  projections: ['src/projections/**/*.ts'],
  provider: ['src/provider/**/*.ts'],
  net: ['src/net/**/*.ts'],
  commands: ['src/commands/**/*.ts'],
};

const IGNORED = ['src/provider/simulator/**'];

/** Test files that take part. Tests of real servers and of this tool do not. */
const TESTS = 'test/**/*.test.ts';
const TESTS_IGNORED = ['test/servers/**', 'test/mutants/**'];

/** Tests of a whole service: slow, so they run only for mutants that all other tests leave alive. */
const WHOLE = /^test\/(http|service|cli|faults|simulate)\/|\.service\.test\.ts$/;

/** Each file in scope, with its area. */
export const filesInScope = (root: string): Map<string, string> => {
  const areaOf = new Map<string, string>();
  for (const [area, patterns] of Object.entries(AREAS)) {
    for (const file of globSync([...patterns], { cwd: root, exclude: IGNORED }).sort()) {
      if (!areaOf.has(file)) areaOf.set(file, area);
    }
  }
  return areaOf;
};

export const testFiles = (root: string): string[] =>
  globSync(TESTS, { cwd: root, exclude: TESTS_IGNORED }).sort();

/** The tests in the order in which they judge a mutant. */
export const stagesOf = (tests: readonly string[]): string[][] => [
  tests.filter((test) => !WHOLE.test(test)),
  tests.filter((test) => WHOLE.test(test)),
];
