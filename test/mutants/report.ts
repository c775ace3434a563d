import type { Verdict } from './judge.ts';
import type { Mutant } from './mutant.ts';

/** A mutant that behaves as the program does. */
export type Equivalent = Pick<Mutant, 'file' | 'before' | 'after'>;

/** In a file, and for a reason: a line, and what it may become. */
type Listed = Record<string, Record<string, Record<string, readonly string[]>>>;

export const equivalentsIn = (listed: Listed): Equivalent[] =>
  Object.entries(listed).flatMap(([file, reasons]) =>
    Object.values(reasons)
      .flatMap((lines) => Object.entries(lines))
      .flatMap(([before, afters]) => afters.map((after) => ({ file, before, after }))),
  );

/** Of the mutants that change behaviour, so many must be killed. */
const GOAL = 0.97;

export const isSame = (entry: Equivalent, mutant: Mutant) =>
  entry.file === mutant.file && entry.before === mutant.before && entry.after === mutant.after;

export const isListed = (list: readonly Equivalent[], mutant: Mutant): boolean =>
  list.some((entry) => isSame(entry, mutant));

/** Entries that no mutant of their file answers to any more. */
export const staleOf = (
  list: readonly Equivalent[],
  mutants: ReadonlyMap<string, readonly Mutant[]>,
): Equivalent[] =>
  list.filter((entry) => {
    const ofFile = mutants.get(entry.file);
    return ofFile !== undefined && !ofFile.some((mutant) => isSame(entry, mutant));
  });

export interface Found {
  seed: number;
  /** Drawn, and refused by the compiler. */
  refused: number;
  equal: Mutant[];
  verdicts: Verdict[];
  stale: Equivalent[];
  areaOf: (file: string) => string;
}

const rate = (killed: number, all: number) =>
  all === 0 ? '–' : `${((100 * killed) / all).toFixed(1)} %`;

const tableOf = ({ verdicts, areaOf }: Found): string[] => {
  const areas = [...new Set(verdicts.map(({ mutant }) => areaOf(mutant.file)))].sort();
  return areas.map((area) => {
    const mine = verdicts.filter(({ mutant }) => areaOf(mutant.file) === area);
    const killed = mine.filter(({ outcome }) => outcome === 'killed').length;
    return `${area.padEnd(12)} ${killed} of ${mine.length} killed, ${rate(killed, mine.length)}`;
  });
};

const survivorLines = ({ mutant, outcome, tests, leftOut }: Verdict): string[] => [
  `${mutant.file}:${mutant.line} ${outcome}`,
  `  - ${mutant.before}`,
  `  + ${mutant.after}`,
  `  ${tests.length} test files, ${leftOut} more reach it: ${tests.slice(0, 8).join(' ')}`,
];

export const report = (found: Found) => {
  const { seed, refused, equal, verdicts, stale } = found;
  const survivors = verdicts.filter(({ outcome }) => outcome !== 'killed');
  const killed = verdicts.length - survivors.length;
  const holds = killed >= GOAL * verdicts.length;
  const lines = [
    ...survivors.flatMap(survivorLines),
    ...stale.map(({ file, before }) => `equivalent.json is out of date: ${file}: ${before}`),
    ...tableOf(found),
    `seed ${seed}: ${verdicts.length} mutants, ${killed} killed (${rate(killed, verdicts.length)}),`,
    `  ${refused} more did not compile, ${equal.length} are listed as equivalent; goal ${GOAL * 100} %`,
  ];
  const json = { seed, goal: GOAL, killed, survivors, refused, equal, stale, verdicts };
  return { text: `${lines.join('\n')}\n`, json, holds };
};
