import { expect } from 'chai';
import { chooseSeed } from '../support/faults/random.ts';
import { runRounds } from '../support/faults/rounds.ts';
import { useRealConnections } from '../support/network.ts';

describe('crashes at random, under load', () => {
  useRealConnections();
  const seed = chooseSeed();

  it(`row 3: 3 kills and 2 power cuts (WAYBILL_FAULTS_SEED=${seed})`, async () => {
    const outcome = await runRounds({ seed, kills: 3, cuts: 2 });
    expect(outcome.problems).to.deep.equal([]);
    expect(outcome.answeredSends).to.be.above(10);
  });
});
