import { expect } from 'chai';
import { createLanes } from '../../../src/provider/graph/lanes.ts';
import { holdBack, newBucket, takeToken } from '../../../src/provider/graph/pace.ts';
import { fixedClock } from '../../support/ambient.ts';

const FAST = 1_000_000;
const unstrained = { enteredAt: 0, strained: false };

describe('the pace of a number', () => {
  it('lets a full bucket go at once, and then one at a time', () => {
    const bucket = newBucket();
    const starts = [1, 2, 3, 4, 5, 6].map(() => takeToken(bucket, 4, 1000, 9000));
    expect(starts).to.deep.equal([1000, 1000, 1000, 1000, 1250, 1500]);
  });

  it('refills while nothing is sent, up to its size', () => {
    const bucket = newBucket();
    for (let i = 0; i < 4; i += 1) takeToken(bucket, 4, 1000, 9000);
    expect(takeToken(bucket, 4, 1250, 9000)).to.equal(1250);
    const later = [1, 2, 3, 4, 5].map(() => takeToken(bucket, 4, 60_000, 90_000));
    expect(later).to.deep.equal([60_000, 60_000, 60_000, 60_000, 60_250]);
  });

  it('takes nothing for a caller that cannot wait so long', () => {
    const bucket = newBucket();
    takeToken(bucket, 1, 0, 0);
    expect(takeToken(bucket, 1, 0, 999)).to.equal(null);
    expect(takeToken(bucket, 1, 0, 1000)).to.equal(1000);
  });

  it('holds everybody back, without saved tokens afterwards', () => {
    const bucket = newBucket();
    takeToken(bucket, 4, 0, 0);
    holdBack(bucket, 500);
    expect([1, 2].map(() => takeToken(bucket, 4, 0, 9000))).to.deep.equal([500, 750]);
  });
});

describe('lanes', () => {
  const lanesOf = (connections: number, clock = fixedClock()) => ({
    clock,
    lanes: createLanes({ connections, clock, random: () => 1 }),
  });

  it('leave connections free for others, however many calls of one number hang', async () => {
    const { lanes, clock } = lanesOf(9);
    const greedy = Array.from({ length: 20 }, () => lanes.enter('a', FAST, clock.now() + 20));
    expect(greedy.filter((entered) => entered === true)).to.have.length(6);
    expect(lanes.enter('b', FAST, clock.now())).to.equal(true);
    expect(lanes.enter('c', FAST, clock.now())).to.equal(true);
    expect(await Promise.all(greedy)).to.include(false);
  });

  it('admit who waits, oldest first, as soon as a connection is free', async () => {
    const { lanes, clock } = lanesOf(1);
    const order: number[] = [];
    expect(lanes.enter('a', FAST, clock.now())).to.equal(true);
    const waiting = [1, 2].map(async (number) => {
      expect(await lanes.enter('a', FAST, clock.now() + 5000)).to.equal(true);
      order.push(number);
      lanes.leave('a', unstrained);
    });
    lanes.leave('a', unstrained);
    await Promise.all(waiting);
    expect(order).to.deep.equal([1, 2]);
  });

  it('let lanes take turns', async () => {
    const { lanes, clock } = lanesOf(1);
    const order: string[] = [];
    lanes.enter('x', FAST, clock.now());
    const enter = async (key: string) => {
      await lanes.enter(key, FAST, clock.now() + 5000);
      order.push(key);
      lanes.leave(key, unstrained);
    };
    const all = [enter('a'), enter('a'), enter('a'), enter('b')];
    lanes.leave('x', unstrained);
    await Promise.all(all);
    expect(order.indexOf('b')).to.be.lessThan(2);
  });

  it('refuse at once what could not start in time', () => {
    const { lanes, clock } = lanesOf(9);
    expect(lanes.enter('a', 1, clock.now() + 500)).to.equal(true);
    expect(lanes.enter('a', 1, clock.now() + 500)).to.equal(false);
    expect(lanes.enter('b', 1, clock.now() + 500)).to.equal(true);
  });

  it('back off together when strained, further each time, and forget it when all is well', () => {
    const { lanes, clock } = lanesOf(9);
    /** The shortest wait, in steps of 50 ms, that gets a call through. */
    const pause = () => {
      for (let ms = 0; ms < 3000; ms += 50) {
        if (lanes.enter('a', FAST, clock.now() + ms) !== false) return ms;
      }
      return Number.NaN;
    };
    const strain = (enteredAt: number) => {
      lanes.enter('a', FAST, clock.now());
      lanes.leave('a', { enteredAt, strained: true });
    };
    const first = clock.now();
    strain(first);
    // Calls of the same volley say nothing new.
    strain(first - 1);
    expect(pause()).to.equal(100);
    clock.advance(5000);
    strain(clock.now());
    expect(pause()).to.equal(200);
    clock.advance(5000);
    lanes.enter('a', FAST, clock.now());
    lanes.leave('a', unstrained);
    strain(clock.now());
    expect(pause()).to.equal(100);
    expect(lanes.enter('b', FAST, clock.now())).to.equal(true);
  });
});
