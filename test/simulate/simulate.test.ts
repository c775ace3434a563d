import { expect } from 'chai';
import { playSeed } from './seed.ts';

const SEEDS = 50;

describe('whole services, simulated', () => {
  it('keep every invariant in 50 seeds', async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { problems } = await playSeed(seed);
      expect(problems, `npm run simulate -- --seed ${seed}`).to.deep.equal([]);
    }
  });

  it('do the same again, byte for byte', async () => {
    const traceOf = async () => {
      const lines: string[] = [];
      await playSeed(4711, { trace: (line) => lines.push(line) });
      return lines.join('\n');
    };
    const first = await traceOf();
    expect(first.split('\n').length).to.be.above(1_000);
    await playSeed(12);
    expect(await traceOf()).to.equal(first);
  });
});
