import { expect } from 'chai';
import { playSeed } from './seed.ts';

const keepEveryInvariant = async (from: number, to: number) => {
  for (let seed = from; seed <= to; seed += 1) {
    const { problems } = await playSeed(seed);
    expect(problems, `npm run simulate -- --seed ${seed}`).to.deep.equal([]);
  }
};

describe('whole services, simulated @long', () => {
  it('keep every invariant in 8 seeds', () => keepEveryInvariant(1, 8));
  it('keep every invariant in 57 more seeds @series', () => keepEveryInvariant(9, 65));

  it('do the same again, byte for byte', async () => {
    const traceOf = async () => {
      const lines: string[] = [];
      await playSeed(4711, { trace: (line) => lines.push(line) });
      return lines.join('\n');
    };
    const first = await traceOf();
    expect(first.split('\n').length).to.be.above(1_000);
    expect(await traceOf()).to.equal(first);
  });
});
