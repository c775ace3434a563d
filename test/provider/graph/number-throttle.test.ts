import { expect } from 'chai';
import { createNumberThrottle } from '../../../src/provider/graph/number-throttle.ts';
import { fixedClock } from '../../support/ambient.ts';

const FAST = 1_000_000;
const unstrained = { enteredAt: 0, strained: false };

describe('the number throttle', () => {
  const throttleOf = (connections: number, clock = fixedClock()) => ({
    clock,
    throttle: createNumberThrottle({ connections, clock, random: () => 1 }),
  });

  it('leaves connections free for other numbers, however many calls of one number hang', async () => {
    const { throttle, clock } = throttleOf(9);
    const greedy = Array.from({ length: 20 }, () => throttle.enter('a', FAST, clock.now() + 20));
    expect(greedy.filter((entered) => entered === true)).to.have.length(6);
    expect(throttle.enter('b', FAST, clock.now())).to.equal(true);
    expect(throttle.enter('c', FAST, clock.now())).to.equal(true);
    expect(await Promise.all(greedy)).to.include(false);
  });

  it('admits waiting callers, oldest first, as soon as a connection is free', async () => {
    const { throttle, clock } = throttleOf(1);
    const order: number[] = [];
    expect(throttle.enter('a', FAST, clock.now())).to.equal(true);
    const waiting = [1, 2].map(async (number) => {
      expect(await throttle.enter('a', FAST, clock.now() + 5000)).to.equal(true);
      order.push(number);
      throttle.leave('a', unstrained);
    });
    throttle.leave('a', unstrained);
    await Promise.all(waiting);
    expect(order).to.deep.equal([1, 2]);
  });

  it('serves the numbers in turn', async () => {
    const { throttle, clock } = throttleOf(1);
    const order: string[] = [];
    throttle.enter('x', FAST, clock.now());
    const enter = async (key: string) => {
      await throttle.enter(key, FAST, clock.now() + 5000);
      order.push(key);
      throttle.leave(key, unstrained);
    };
    const all = [enter('a'), enter('a'), enter('a'), enter('b')];
    throttle.leave('x', unstrained);
    await Promise.all(all);
    expect(order.indexOf('b')).to.be.lessThan(2);
  });

  it('refuses at once a call that could not start in time', () => {
    const { throttle, clock } = throttleOf(9);
    expect(throttle.enter('a', 1, clock.now() + 500)).to.equal(true);
    expect(throttle.enter('a', 1, clock.now() + 500)).to.equal(false);
    expect(throttle.enter('b', 1, clock.now() + 500)).to.equal(true);
  });

  it('backs off further with each strained answer, and starts anew after a good one', () => {
    const { throttle, clock } = throttleOf(9);
    /** The shortest wait, in steps of 50 ms, that gets a call through. */
    const pause = () => {
      for (let ms = 0; ms < 3000; ms += 50) {
        if (throttle.enter('a', FAST, clock.now() + ms) !== false) return ms;
      }
      return Number.NaN;
    };
    const strain = (enteredAt: number) => {
      throttle.enter('a', FAST, clock.now());
      throttle.leave('a', { enteredAt, strained: true });
    };
    const first = clock.now();
    strain(first);
    // Calls that began before the last back-off add no strike.
    strain(first - 1);
    expect(pause()).to.equal(100);
    clock.advance(5000);
    strain(clock.now());
    expect(pause()).to.equal(200);
    for (const ms of [400, 800, 1000, 1000]) {
      clock.advance(5000);
      strain(clock.now());
      expect(pause()).to.equal(ms);
    }
    clock.advance(5000);
    throttle.enter('a', FAST, clock.now());
    throttle.leave('a', unstrained);
    strain(clock.now());
    expect(pause()).to.equal(100);
    expect(throttle.enter('b', FAST, clock.now())).to.equal(true);
  });

  it('lets 10000 calls wait, and refuses one more at once', async () => {
    const { throttle, clock } = throttleOf(1);
    expect(throttle.enter('a', FAST, clock.now())).to.equal(true);
    const waiting = Array.from({ length: 10_000 }, () =>
      throttle.enter('a', FAST, clock.now() + 500),
    );
    expect(waiting.every((one) => one instanceof Promise)).to.equal(true);
    expect(throttle.enter('b', FAST, clock.now() + 500)).to.equal(false);
    const slot = throttle.takeSlot('b', FAST, clock.now() + 500, new AbortController().signal);
    expect(await slot).to.equal(undefined);
    expect(new Set(await Promise.all(waiting))).to.deep.equal(new Set([false]));
    throttle.leave('a', unstrained);
    expect(throttle.enter('b', FAST, clock.now())).to.equal(true);
  });

  it('lets 10000 callers wait for slots, and refuses one more at once', async () => {
    const { throttle, clock } = throttleOf(1);
    const leaving = new AbortController();
    const latestAt = clock.now() + 60_000;
    const take = () => throttle.takeSlot('a', 1, latestAt, leaving.signal);
    expect(await take()).to.have.property('key', 'a');
    const waiting = Array.from({ length: 10_000 }, take);
    expect(throttle.enter('b', FAST, latestAt)).to.equal(false);
    expect(await throttle.takeSlot('b', 1, latestAt, leaving.signal)).to.equal(undefined);
    leaving.abort();
    expect(new Set(await Promise.all(waiting))).to.deep.equal(new Set([undefined]));
    expect(throttle.enter('b', FAST, latestAt)).to.equal(true);
  });
});
