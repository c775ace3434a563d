import { expect } from 'chai';
import { createHeavyWork } from '../../src/shared/heavy-work.ts';

describe('heavy work', () => {
  it('row 42: is done one piece in a turn of the event loop, holders in turns', async () => {
    const inTurn = createHeavyWork();
    const done: string[] = [];
    let turn = 0;
    const count = () => {
      turn += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const work = (holder: string) =>
      inTurn(holder, () => {
        done.push(holder);
        return turn;
      });
    const turns = await Promise.all([...'aaaaaab'].map(work));
    clearImmediate(next);
    expect(new Set(turns).size).to.equal(7);
    expect(done.indexOf('b')).to.be.at.most(2);
  });

  it('begins at once where none waits, and hands errors on', async () => {
    const inTurn = createHeavyWork();
    let begun = false;
    const failing = inTurn('a', () => {
      begun = true;
      throw new Error('wrong');
    });
    expect(begun).to.equal(true);
    expect(await failing.catch((error) => error.message)).to.equal('wrong');
    expect(await inTurn('a', () => 1)).to.equal(1);
  });

  it('row 42: rests as long as a piece took before the next piece', async () => {
    const inTurn = createHeavyWork();
    const pieces: { from: number; to: number }[] = [];
    const work = () => {
      const from = performance.now();
      while (performance.now() < from + 5);
      pieces.push({ from, to: performance.now() });
    };
    await Promise.all([inTurn('a', work), inTurn('b', work), inTurn('a', work)]);
    const rests = pieces.slice(1).map(({ from }, index) => from - pieces[index]!.to);
    expect(Math.min(...rests)).to.be.at.least(4);
  });
});
