import './runtime.ts';
import fc from 'fast-check';
import { calmed, type Planned, plan } from './plan.ts';
import { type Played, play } from './play.ts';

/** What came of a seed that its plan was made shorter for. */
export interface Shrunk {
  /** Names the shorter plan, beside the seed. */
  path: string;
  planned: readonly Planned[];
}

const SHRINKS_MAX = 150;

/** Every other seed is one process over files; the others are several over servers. */
const formOf = (seed: number) => (seed % 2 === 0 ? 'embedded' : 'servers');

/** Every fifth seed is calm. */
const isCalm = (seed: number) => seed % 5 === 0;

const playPlan = (
  seed: number,
  planned: readonly Planned[],
  trace?: (line: string) => void,
): Promise<Played> =>
  isCalm(seed)
    ? play(seed, calmed(planned), { form: formOf(seed), isCalm: true, trace })
    : play(seed, planned, { form: formOf(seed), trace });

const planOf = (seed: number, path?: string): readonly Planned[] => {
  let planned: readonly Planned[] = [];
  const property = fc.property(plan, (one) => {
    planned = one;
    return path === undefined;
  });
  fc.check(property, { seed, numRuns: 1, endOnFailure: true, ...(path && { path }) });
  return planned;
};

/** Plays a seed, or its shorter plan. The same seed gives the same trace, byte for byte. */
export const playSeed = (
  seed: number,
  { path, trace }: { path?: string | undefined; trace?: (line: string) => void } = {},
): Promise<Played> => {
  trace?.(`seed ${seed}, ${formOf(seed)}${isCalm(seed) ? ', calm' : ''}`);
  return playPlan(seed, planOf(seed, path), trace);
};

/** Leaves out of a plan what its violation does not need; undefined where nothing is violated. */
export const shrink = async (seed: number): Promise<Shrunk | undefined> => {
  let left = SHRINKS_MAX;
  const property = fc.asyncProperty(plan, async (planned) => {
    left -= 1;
    if (left < 0) return true;
    return (await playPlan(seed, planned)).problems.length === 0;
  });
  const { counterexample, counterexamplePath } = await fc.check(property, { seed, numRuns: 1 });
  return counterexample ? { path: counterexamplePath!, planned: counterexample[0] } : undefined;
};
