import type { Verdict } from './judge.ts';
import type { Mutant } from './mutant.ts';

const together = (earlier: Verdict, later: Verdict): Verdict => ({
  ...later,
  outcome: later.outcome === 'uncovered' ? earlier.outcome : later.outcome,
  tests: [...earlier.tests, ...later.tests],
  leftOut: earlier.leftOut + later.leftOut,
  ms: earlier.ms + later.ms,
});

/** Shows each mutant to one stage of tests after the other, until a test kills it. */
export const judgeInStages = async (deps: {
  mutants: readonly Mutant[];
  stages: readonly (readonly string[])[];
  /** Called for a stage only while mutants are alive. */
  openJudge: (tests: readonly string[]) => Promise<(mutant: Mutant) => Promise<Verdict>>;
  isStopped: () => boolean;
  onVerdict: (verdict: Verdict, at: string) => void;
}): Promise<Verdict[]> => {
  const verdicts = new Map<Mutant, Verdict>();
  let left = deps.mutants;
  for (const [index, tests] of deps.stages.entries()) {
    if (left.length === 0 || tests.length === 0) continue;
    const judge = await deps.openJudge(tests);
    const alive: Mutant[] = [];
    for (const [count, mutant] of left.entries()) {
      if (deps.isStopped()) break;
      const earlier = verdicts.get(mutant);
      const later = await judge(mutant);
      const verdict = earlier ? together(earlier, later) : later;
      verdicts.set(mutant, verdict);
      if (verdict.outcome !== 'killed') alive.push(mutant);
      deps.onVerdict(verdict, `stage ${index + 1}, ${count + 1} of ${left.length}:`);
    }
    left = alive;
  }
  return [...verdicts.values()];
};
