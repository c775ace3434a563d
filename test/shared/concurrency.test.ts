import { expect } from 'chai';
import { createCoalesced, createCoalescedByKey, mapLimit } from '../../src/shared/concurrency.ts';

/** Work whose runs end when the test says so. */
const heldWork = () => {
  const ends: { resolve(value: number): void; reject(error: unknown): void }[] = [];
  const work = () => new Promise<number>((resolve, reject) => void ends.push({ resolve, reject }));
  return { ends, work };
};

describe('coalesced runs', () => {
  it('share the next run among the calls that come during one', async () => {
    const { ends, work } = heldWork();
    const run = createCoalesced(work);
    const first = run();
    const others = [run(), run(), run()];
    expect(ends).to.have.length(1);
    ends[0]!.resolve(1);
    expect(await first).to.equal(1);
    await new Promise(setImmediate);
    expect(ends).to.have.length(2);
    ends[1]!.resolve(2);
    expect(await Promise.all(others)).to.deep.equal([2, 2, 2]);
  });

  it('begin again after a run that failed, and tell only its own callers', async () => {
    const { ends, work } = heldWork();
    const run = createCoalesced(work);
    const first = run().catch((error) => error);
    const second = run();
    ends[0]!.reject('away');
    expect(await first).to.equal('away');
    await new Promise(setImmediate);
    ends[1]!.resolve(2);
    expect(await second).to.equal(2);
  });

  it('of different keys do not wait for each other', async () => {
    const { ends, work } = heldWork();
    const run = createCoalescedByKey<number>();
    const calls = [run('a', work), run('b', work), run('a', work)];
    expect(ends).to.have.length(2);
    ends[0]!.resolve(1);
    ends[1]!.resolve(2);
    expect(await Promise.all(calls.slice(0, 2))).to.deep.equal([1, 2]);
    await new Promise(setImmediate);
    ends[2]!.resolve(3);
    expect(await calls[2]).to.equal(3);
    const again = run('a', work);
    ends[3]!.resolve(4);
    expect(await again).to.equal(4);
  });
});

describe('work with a limit', () => {
  it('is done so much at a time, and its results have the order of the items', async () => {
    const { ends, work } = heldWork();
    const named = async (item: string, index: number) => `${item}${index}${await work()}`;
    const all = mapLimit(['a', 'b', 'c'], 2, named);
    expect(ends).to.have.length(2);
    ends[1]!.resolve(7);
    await new Promise(setImmediate);
    expect(ends).to.have.length(3);
    ends[2]!.resolve(8);
    ends[0]!.resolve(9);
    expect(await all).to.deep.equal(['a09', 'b17', 'c28']);
    expect(await mapLimit([], 2, work)).to.deep.equal([]);
  });

  it('ends at a failure: what runs goes on, and nothing else begins', async () => {
    const { ends, work } = heldWork();
    const failed = mapLimit([1, 2, 3], 2, work).catch((error) => error);
    ends[0]!.reject('wrong');
    expect(await failed).to.equal('wrong');
    ends[1]!.resolve(2);
    await new Promise(setImmediate);
    expect(ends).to.have.length(2);
  });
});
