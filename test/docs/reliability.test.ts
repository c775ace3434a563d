import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tableUnder } from '../support/doc-tables.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/reliability.md'), 'utf8');

/** Numbers of the faults whose tests lie in test/faults. */
const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const ROWS = [...from(1, 37), ...from(45, 59), 61];

const linksIn = (cell = ''): string[] =>
  [...cell.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g)].map(([, file]) => file!);

/** The rows that the titles of a file's tests name, or a list from which it makes the titles. */
const rowsIn = (file: string): number[] => {
  const source = readFileSync(join(root, file), 'utf8');
  const named = source.matchAll(/(?:['"`]rows? |\brow: )(\d+(?: and \d+)*)[:,] /g);
  return [...named].flatMap(([, numbers]) => numbers!.split(' and ').map(Number));
};

describe('docs/reliability.md', () => {
  const faults = tableUnder(text, 'Faults, and what comes out');

  it('has a test for each row among those of test/faults', () => {
    const tested = new Set(globSync('test/faults/*.test.ts', { cwd: root }).flatMap(rowsIn));
    expect(ROWS.filter((row) => !tested.has(row))).to.deep.equal([]);
  });

  it('has every row once, and leads to tests whose titles name the row', () => {
    const numbers = faults.map(([row]) => Number(row));
    expect(numbers).to.deep.equal([...new Set(numbers)].sort((one, other) => one - other));
    expect(numbers).to.include.members(ROWS);
    for (const [row, ...rest] of faults) {
      const files = linksIn(rest.at(-1));
      expect(files, `row ${row}`).not.to.be.empty;
      for (const file of files) expect(rowsIn(file), `row ${row}: ${file}`).to.include(Number(row));
    }
  });
});
