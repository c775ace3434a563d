import { expect } from 'chai';
import { chooseSeed } from '../support/faults/random.ts';
import { runRounds } from '../support/faults/rounds.ts';
import { useRealConnections } from '../support/network.ts';

describe('crashes at random, under load @alone', () => {
  useRealConnections();
  const seed = chooseSeed();

  it(`row 3: a kill and a power cut (WAYBILL_FAULTS_SEED=${seed})`, async () => {
    const outcome = await runRounds({ seed, kills: 1, cuts: 1 });
    expect(outcome.problems).to.deep.equal([]);
    expect(outcome.answeredSends).to.be.above(0);
  });
});
