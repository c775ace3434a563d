import { expect } from 'chai';
import fc from 'fast-check';
import { cut, displayWidth } from '../../src/cli/output/format.ts';
import { type Column, tableLines } from '../../src/cli/output/table.ts';
import { time } from '../../src/cli/program/input.ts';
import { NOW } from '../support/samples.ts';

describe('times on the command line', () => {
  const at = time(() => NOW);
  const good: [given: string, meant: string][] = [
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T08:30', '2026-11-01T08:30:00.000Z'],
    ['2026-11-01 08:30:15', '2026-11-01T08:30:15.000Z'],
    ['2026-11-01 08:30:15 UTC', '2026-11-01T08:30:15.000Z'],
    ['2026-11-01T08:30:15.5+05:30', '2026-11-01T03:00:15.500Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['90m', '2026-11-21T10:30:00.000Z'],
    ['24h', '2026-11-20T12:00:00.000Z'],
    ['7d', '2026-11-14T12:00:00.000Z'],
  ];
  for (const [given, meant] of good) {
    it(`takes ${given}`, () => expect(at(given)).to.equal(meant));
  }

  it('counts a span forward for a time in the future', () =>
    expect(time(() => NOW, 'forward')('2d')).to.equal('2026-11-23T12:00:00.000Z'));

  for (const bad of ['', 'yesterday', '2026-13-01', '2026-02-29', '2026-11-31T10:00Z', '7w', '5']) {
    it(`refuses "${bad}"`, () => expect(() => at(bad)).to.throw(/Must be a time/));
  }
});

describe('text in a terminal', () => {
  it('counts columns, not code units', () => {
    expect(displayWidth('shop')).to.equal(4);
    expect(displayWidth('商店')).to.equal(4);
    expect(displayWidth('e\u0301')).to.equal(1);
    expect(displayWidth('👩‍👩‍👧')).to.equal(2);
  });

  it('is never wider than it was cut to', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 20 }),
        (text, width) => {
          expect(displayWidth(cut(text, width))).to.be.at.most(Math.max(width, 1));
          if (displayWidth(text) <= width) expect(cut(text, width)).to.equal(text);
        },
      ),
    ));
});

describe('a table', () => {
  const columns: Column[] = [
    { header: 'ID', of: 'id' },
    { header: 'NAME', of: 'name', narrow: 'cut' },
    { header: 'NOTE', of: 'note', narrow: 'cut' },
    { header: 'N', of: 'n', align: 'right' },
    { header: 'LATER', of: 'later', narrow: 'drop' },
  ];
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '店', ' '), maxLength: 40 });
  const row = fc.record({
    id: fc.string({ unit: fc.constantFrom('x', 'y'), minLength: 8, maxLength: 8 }),
    name: word,
    note: word,
    n: fc.nat(),
    later: word,
  });

  it('fits every terminal that is wide enough for its ids and shortest cells', () =>
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 60, max: 200 }),
        (rows, room) => {
          const [header = '', ...lines] = tableLines(rows, columns, room);
          for (const line of [header, ...lines]) {
            expect(displayWidth(line)).to.be.at.most(room);
          }
          lines.forEach((line, index) => {
            expect(line.startsWith(rows[index]!.id)).to.equal(true);
            expect(line).to.include(String(rows[index]!.n));
          });
        },
      ),
    ));
});
