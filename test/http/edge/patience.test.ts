import { expect } from 'chai';
import { createPatience } from '../../../src/http/edge/limits.ts';
import { until } from '../../support/until.ts';

const GRACE_MS = 1_000_000;

describe('The patience with a caller', () => {
  const open = () => {
    const state = { now: 0, isOut: false };
    const runOut = () => {
      state.isOut = true;
    };
    const patience = createPatience(GRACE_MS, runOut, () => state.now);
    const wait = (milliseconds: number) => {
      patience.start();
      state.now += milliseconds;
      patience.stop();
    };
    /** Whether the next wait ends at once. */
    const isSpent = async () => {
      patience.start();
      // A timer of no time runs out before the second of these.
      await new Promise((resolve) => setTimeout(resolve, 1));
      await new Promise((resolve) => setTimeout(resolve, 1));
      patience.stop();
      return state.isOut;
    };
    return { state, patience, wait, isSpent };
  };

  it('runs out after the sum of all waits', async () => {
    const { wait, isSpent } = open();
    wait(GRACE_MS - 1000);
    expect(await isSpent()).to.equal(false);
    wait(1000);
    expect(await isSpent()).to.equal(true);
  });

  it('does not count the time between waits', async () => {
    const { state, wait, isSpent } = open();
    wait(1000);
    state.now += 10 * GRACE_MS;
    expect(await isSpent()).to.equal(false);
  });

  it('grows by 1 s for 16 kB, and never beyond the grace', async () => {
    const { patience, wait, isSpent } = open();
    patience.earn(1_000_000_000);
    wait(GRACE_MS - 2000);
    patience.earn(16_000);
    wait(2000);
    expect(await isSpent()).to.equal(false);
    wait(1000);
    expect(await isSpent()).to.equal(true);
  });

  it('runs out during a wait in which too little came', async () => {
    const { state, patience } = open();
    patience.start();
    state.now += 2 * GRACE_MS;
    patience.earn(1);
    await until('it has run out', () => state.isOut);
  });

  it('survives a start within a wait, and a stop without one', async () => {
    const { state, patience, isSpent } = open();
    patience.stop();
    patience.start();
    state.now += GRACE_MS;
    patience.start();
    patience.stop();
    patience.stop();
    expect(await isSpent()).to.equal(true);
  });
});
