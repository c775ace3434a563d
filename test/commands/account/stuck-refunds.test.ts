import { expect } from 'chai';
import { createStuckRefunds } from '../../../src/commands/account/stuck-refunds.ts';

const open = () => {
  const told: string[] = [];
  const stuck = createStuckRefunds(({ accountId, chargeId, error }) =>
    told.push(`${accountId} ${chargeId} ${error}`),
  );
  return { stuck, told };
};

describe('refunds that are stuck', () => {
  it('are told once each, until they are settled', () => {
    const { stuck, told } = open();
    stuck.failed('a', 'c1', 'no');
    stuck.failed('a', 'c1', 'still no');
    stuck.failed('a', 'c2', 'no');
    stuck.settled('c1');
    stuck.settled('unknown');
    stuck.failed('a', 'c1', 'again');
    expect(told).to.deep.equal(['a c1 no', 'a c2 no', 'a c1 again']);
    expect(stuck.counts()).to.deep.equal(new Map([['a', 2]]));
  });

  it('are counted for 100 accounts, and for the others together', () => {
    const { stuck } = open();
    for (let account = 0; account < 103; account += 1)
      stuck.failed(`a${account}`, `c${account}`, 1);
    stuck.failed('a0', 'more of the first', 1);
    stuck.failed('a102', 'more of the last', 1);
    const counts = stuck.counts();
    expect(counts.size).to.equal(101);
    const some = ['a0', 'a99', 'a100', 'other'].map((account) => counts.get(account));
    expect(some).to.deep.equal([2, 1, undefined, 4]);
  });

  it('are remembered up to 10000 at a time', () => {
    const { stuck, told } = open();
    for (let charge = 0; charge <= 10_000; charge += 1) stuck.failed('a', `c${charge}`, 1);
    expect(told).to.have.length(10_000);
    expect(stuck.counts()).to.deep.equal(new Map([['a', 10_000]]));
    stuck.settled('c0');
    stuck.failed('a', 'c10000', 1);
    expect(told).to.have.length(10_001);
  });
});
