import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { seeded, shuffled } from '../support/faults/random.ts';
import { createCompiler } from './compiler.ts';
import { coverageOf } from './coverage.ts';
import { createJudge, type Verdict } from './judge.ts';
import type { Mutant } from './mutant.ts';
import { type Equivalent, equivalentsIn, isListed, report, staleOf } from './report.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { stagesOf } from './scope.ts';
import { judgeInStages } from './stages.ts';

// A tree with one module, a test that looks at it from afar, and one that looks closely.

const repository = join(import.meta.dirname, '../..');
const module = 'src/net/limit.ts';
const scope = new Map([[module, 'net']]);

const SETTINGS = { target: 'es2024', module: 'nodenext', strict: true, types: [] };
const testOf = (checks: string) => `
import { expect } from 'chai';
import { isOver, never } from '../src/net/limit.ts';
it('looks', () => { ${checks} });
`;
const TREE: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { ...SETTINGS, noEmit: true, allowImportingTsExtensions: true },
  }),
  [module]: `
export const isOver = (used: number, most: number): boolean => used > most;
export const never = (): number => 2 - 1;
`,
  'test/weak.test.ts': testOf('expect(isOver(9, 3)).to.equal(true)'),
  'test/strong.test.ts': testOf('expect([isOver(9, 3), isOver(3, 3)]).to.eql([true, false])'),
};

describe('the tool that changes the program @long @series', () => {
  let root: string;
  let sandbox: Sandbox;
  let mutants: readonly Mutant[];

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'waybill-fixture-'));
    for (const [file, text] of Object.entries(TREE)) {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
    sandbox = openSandbox(root);
    mutants = createCompiler(sandbox.folder, [module]).mutantsOf(module);
  });
  after(() => {
    sandbox.close();
    rmSync(root, { recursive: true, force: true });
  });

  const mutantThat = (after: string): Mutant => {
    const found = mutants.find((mutant) => mutant.after.includes(after));
    if (!found) throw new Error(`no mutant: ${after}`);
    return found;
  };
  const judged = async (tests: readonly string[], after: string): Promise<Verdict> => {
    const cacheFile = join(root, 'coverage.json');
    const coverage = await coverageOf(sandbox, tests, scope, { cacheFile, say: () => undefined });
    const judge = createJudge(sandbox, coverage, { filesMax: 9, msMax: 60_000 });
    return judge(mutantThat(after));
  };

  it('lets a mutant at a bound survive a test that looks from afar', async () => {
    const verdict = await judged(['test/weak.test.ts'], 'used >= most');
    expect(verdict).to.include({ outcome: 'survived', leftOut: 0 });
    expect(verdict.tests).to.deep.equal(['test/weak.test.ts']);
  });

  it('has it killed by a test that looks closely, and names that test', async () => {
    const tests = ['test/weak.test.ts', 'test/strong.test.ts'];
    const verdict = await judged(tests, 'used >= most');
    expect(verdict).to.include({ outcome: 'killed', by: 'test/strong.test.ts: looks' });
  });

  it('runs nothing for a line that no test enters, and does not call it killed', async () => {
    const verdict = await judged(['test/weak.test.ts'], '2 + 1');
    expect(verdict).to.include({ outcome: 'uncovered' });
    expect(verdict.tests).to.deep.equal([]);
  });

  it('takes no test for a judge that is red without a mutant', async () => {
    sandbox.write('test/red.test.ts', testOf('expect(isOver(1, 1)).to.equal(true)'));
    const verdict = await judged(['test/red.test.ts'], 'used >= most');
    expect(verdict).to.include({ outcome: 'uncovered' });
  });

  it('shows a mutant to the slow tests only if the quick ones leave it alive', async () => {
    const [weak, strong] = ['test/commands/weak.test.ts', 'test/http/strong.test.ts'];
    expect(stagesOf([strong, weak])).to.deep.equal([[weak], [strong]]);
    const [one, other] = [mutantThat('used >= most'), mutantThat('used <= most')];
    const asked: [string, Mutant][] = [];
    const verdicts = await judgeInStages({
      mutants: [one, other],
      stages: stagesOf([strong, weak]),
      openJudge:
        async ([test]) =>
        async (mutant) => {
          asked.push([test!, mutant]);
          const outcome = test === strong || mutant === other ? 'killed' : 'survived';
          return { mutant, outcome, tests: [test!], leftOut: 1, ms: 2 };
        },
      isStopped: () => false,
      onVerdict: () => undefined,
    });
    expect(asked).to.deep.equal([
      [weak, one],
      [weak, other],
      [strong, one],
    ]);
    const [first, second] = verdicts;
    const both = { tests: [weak, strong], leftOut: 2, ms: 4 };
    expect(first).to.deep.equal({ mutant: one, outcome: 'killed', ...both });
    expect(second).to.include({ outcome: 'killed', leftOut: 1 });
  });

  it('says that no test reaches a mutant only if none of any stage does', async () => {
    const outcomeOf = async (...outcomes: Verdict['outcome'][]) => {
      const [mutant] = mutants;
      const [verdict] = await judgeInStages({
        mutants: [mutant!],
        stages: [['0'], ['1']],
        openJudge: async ([stage]) => {
          const outcome = outcomes[Number(stage)]!;
          return async () => ({ mutant: mutant!, outcome, tests: [], leftOut: 0, ms: 1 });
        },
        isStopped: () => false,
        onVerdict: () => undefined,
      });
      return verdict!.outcome;
    };
    expect(await outcomeOf('survived', 'uncovered')).to.equal('survived');
    expect(await outcomeOf('uncovered', 'survived')).to.equal('survived');
    expect(await outcomeOf('uncovered', 'uncovered')).to.equal('uncovered');
  });

  it('knows mutants that are no program', () => {
    const compiler = createCompiler(sandbox.folder, [module]);
    const mutant = mutantThat('2 + 1');
    expect(compiler.compiles(mutant)).to.equal(true);
    expect(compiler.compiles({ ...mutant, text: '+ "a" -' })).to.equal(false);
  });

  it('draws the same mutants for the same seed', () => {
    const drawn = (seed: number) => shuffled(mutants, seeded(seed));
    expect(drawn(7)).to.deep.equal(drawn(7));
    expect(drawn(7)).to.not.deep.equal(drawn(8));
  });

  it('reports survivors, and entries of equivalents that nothing answers to', () => {
    const mutant = mutantThat('used >= most');
    const { before, after } = mutant;
    const [listed] = equivalentsIn({
      [module]: { 'no number is at the bound': { [before]: [after] } },
    });
    const stale: Equivalent = { ...listed!, before: 'gone' };
    expect([isListed([listed!], mutant), isListed([stale], mutant)]).to.deep.equal([true, false]);
    expect(staleOf([listed!, stale], new Map([[module, mutants]]))).to.deep.equal([stale]);

    const verdict: Verdict = { mutant, outcome: 'survived', tests: [], leftOut: 0, ms: 1 };
    const found = { seed: 1, refused: 0, equal: [], stale: [], areaOf: () => 'net' };
    expect(report({ ...found, verdicts: [verdict] }).text).to.include(`${module}:2 survived`);
    expect(report({ ...found, verdicts: [verdict] }).holds).to.equal(false);
    const killed: Verdict = { ...verdict, outcome: 'killed' };
    expect(report({ ...found, verdicts: [killed] }).holds).to.equal(true);
  });
});
