import { expect } from 'chai';
import { useRealConnections } from '../../support/network.ts';
import { calls } from '../graph/calls.ts';
import { trafficOf } from '../published/traffic.ts';

describe('The simulator', () => {
  useRealConnections();

  it('takes every call of the service', async () => {
    const { calls: made } = await trafficOf();
    expect(made.length).to.be.at.least(calls.length);
    expect(made.filter(({ status }) => status !== 200)).to.deep.equal([]);
  });
});
