import { expect } from 'chai';
import { between, walksOf } from '../../src/projections/walk.ts';

const order = { field: 'order', direction: 'descending' } as const;
const question = (where: Parameters<typeof walksOf>[1]['where']) => ({ where, order, limit: 5 });
const walkOf = (...query: Parameters<typeof walksOf>) => walksOf(...query)[0];

describe('the walk along an index', () => {
  const indexes = [['a', 'b?', '-order'], ['a', 'c', '-order'], ['a', '-order'], ['-order']];

  it('is that of the most leading fields that are given', () => {
    const indexOf = (where: Parameters<typeof question>[0]) =>
      walkOf(indexes, question(where))?.index;
    expect(indexOf({})).to.equal(3);
    expect(indexOf({ a: 1 })).to.equal(2);
    expect(indexOf({ a: 1, c: null })).to.equal(1);
    expect(indexOf({ a: 1, b: 2, c: 3 }), 'the first of two').to.equal(0);
    expect(indexOf({ b: 2, c: 3 }), 'a is not given').to.equal(3);
    expect(indexOf({ a: 1, c: { gt: 1 } }), 'a range is no value').to.equal(2);
    expect(indexOf({ a: 1, b: { in: [2, 3] } }), 'one of several values').to.equal(0);
  });
  it('meets each of several values of a field in its index', () => {
    const walk = walkOf(indexes, question({ a: 1, b: { in: [2, 3] } }));
    expect(walk?.equal.at(-1)).to.deep.equal(['b', { in: [2, 3] }]);
    expect(walk?.rest).to.deep.equal([]);
  });
  it('never leads past what its index leaves out', () => {
    expect(walkOf(indexes, question({ a: 1, b: null }))?.index).to.equal(2);
    const byB = { where: { a: 1 }, order: { ...order, field: 'b' }, limit: 5 };
    expect(walkOf(indexes, byB)).to.equal(undefined);
    expect(walkOf([['order', 'b?']], question({}))).to.equal(undefined);
  });
  it('leaves the other conditions for its rows', () => {
    const [first, second] = walksOf(indexes, question({ a: 1, b: 2, c: 3, order: { lt: '9' } }));
    const equal = Object.entries({ a: 1, b: 2 });
    expect(first).to.deep.equal({ index: 0, equal, range: { lt: '9' }, rest: [['c', 3]] });
    expect(second?.rest).to.deep.equal([['b', 2]]);
  });
  it("reads a value of the order's field as a range, and null as a condition", () => {
    for (const order of ['x', 7]) {
      const range = { gte: order, lte: order };
      expect(walkOf(indexes, question({ order }))).to.deep.include({ range, rest: [] });
    }
    expect(walkOf(indexes, question({ order: null }))?.rest).to.deep.equal([['order', null]]);
    for (const condition of [{ in: ['x'] }, { not: { lt: 3 } }, { contains: 'x' }]) {
      const whole = { rest: [['order', condition]], range: {} };
      expect(walkOf(indexes, question({ order: condition }))).to.deep.include(whole);
    }
  });
  it('continues after a place, up to another', () => {
    const range = { gt: 1, lte: 9 };
    expect(between(range, order, undefined, undefined)).to.deep.equal(range);
    expect(between(range, order, 5, undefined)).to.deep.equal({ lt: 5, gt: 1 });
    expect(between(range, order, 5, 3)).to.deep.equal({ lt: 5, gte: 3 });
    const upwards = { field: 'order', direction: 'ascending' } as const;
    expect(between(range, upwards, 5, undefined)).to.deep.equal({ gt: 5, lte: 9 });
    expect(between(range, upwards, undefined, 7)).to.deep.equal({ gt: 1, lte: 7 });
  });
});
