import { expect } from 'chai';
import { retryTime } from '../../../src/commands/webhooks/attempt.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR = 3_600_000;
const pauseAfter = (attempts: number, random = 0, retryAfter?: string) => {
  const at = retryTime(attempts, { now: NOW, random, retryAfter });
  return at === null ? null : at - NOW;
};

describe('the next call of a delivery', () => {
  it('comes after the steps, up to a tenth later, and not after the last', () => {
    const steps = [5000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20].map((hours) => hours * HOUR)];
    expect(steps.map((_, index) => pauseAfter(index + 1))).to.deep.equal(steps);
    expect(pauseAfter(1, 0.5)).to.equal(5250);
    expect(pauseAfter(9)).to.equal(null);
  });

  it('waits as long as it is asked to, up to a day', () => {
    expect(pauseAfter(1, 0, '60')).to.equal(60_000);
    expect(pauseAfter(1, 0, '1')).to.equal(5000);
    expect(pauseAfter(1, 0, new Date(NOW + 90_000).toUTCString())).to.equal(90_000);
    expect(pauseAfter(1, 0, '9999999999')).to.equal(24 * HOUR);
    for (const unread of ['soon', '', '-5']) expect(pauseAfter(1, 0, unread)).to.be.at.most(5000);
    expect(pauseAfter(9, 0, '60')).to.equal(null);
  });
});
