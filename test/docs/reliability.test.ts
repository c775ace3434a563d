import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tableUnder } from '../support/doc-tables.ts';
import { listTests } from './statements/all.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/reliability.md'), 'utf8');

/** Numbers of the faults that must have a row; further rows of the table are held to the same. */
const ROWS = [
  ...Array.from({ length: 25 }, (_, index) => index + 1),
  26,
  27,
  28,
  29,
  30,
  31,
  32,
  33,
  34,
  35,
  36,
  37,
  ...[45, 46, 47, 48, 49],
  ...[50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 61],
];
const BREAKS_MIN = 10;

/** `file: title`, as the tables name tests; several stand in one cell, each in its own quotes. */
const namesIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

describe('docs/reliability.md @long', () => {
  const faults = tableUnder(text, 'Faults, and what comes out');
  const breaks = tableUnder(text, 'Breaks on purpose');
  const cells = [...faults, ...breaks].map((row) => row.at(-1) ?? '');
  let titles: readonly string[] = [];
  before(() => {
    const named = cells.flatMap(namesIn).map((name) => `test/${name.split(': ')[0]}.test.ts`);
    const files = new Set([...globSync('test/faults/*.test.ts', { cwd: root }), ...named]);
    const listed = listTests([...files].map((file) => join(root, file)));
    titles = listed.map(({ file, title }) => {
      const name = file.slice(join(root, 'test/').length, -'.test.ts'.length);
      // A seed is another one in every run.
      return `${name}: ${title.replace(/ \(WAYBILL_FAULTS_SEED=\d+\)$/, '')}`;
    });
  });

  const rowsOf = (title: string): number[] => {
    const [, numbers = ''] = /: rows? (\d+(?: and \d+)*):/.exec(title) ?? [];
    return numbers.split(' and ').map(Number);
  };

  it('has a test for each row among those that always run', () => {
    const tested = new Set(titles.filter((one) => one.startsWith('faults/')).flatMap(rowsOf));
    expect(ROWS.filter((row) => !tested.has(row))).to.deep.equal([]);
  });

  it('names every row once, and a test of that row', () => {
    const numbers = faults.map(([row]) => Number(row));
    expect(numbers).to.deep.equal([...new Set(numbers)].sort((one, other) => one - other));
    expect(numbers).to.include.members(ROWS);
    for (const [row, ...rest] of faults) {
      const names = namesIn(rest.at(-1) ?? '');
      expect(names, `row ${row}`).not.to.be.empty;
      for (const name of names) expect(rowsOf(name), name).to.include(Number(row));
    }
  });

  it('names tests that exist', () => {
    const missing = cells.flatMap(namesIn).filter((name) => !titles.includes(name));
    expect(missing).to.deep.equal([]);
  });

  it('tells for each break which test turned red', () => {
    expect(breaks.length).to.be.at.least(BREAKS_MIN);
    for (const row of breaks) expect(namesIn(row.at(-1) ?? ''), row[0]).not.to.be.empty;
  });
});
