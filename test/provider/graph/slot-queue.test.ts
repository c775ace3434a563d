import { expect } from 'chai';
import {
  createNumberThrottle,
  createSlotQueue,
  newBucket,
} from '../../../src/provider/graph/number-throttle.ts';
import { fixedClock } from '../../support/ambient.ts';

const never = new AbortController().signal;
const monotonic = { now: () => performance.now() };
const FAR = Number.MAX_SAFE_INTEGER;
/** A timer cannot wait longer. */
const HOUR_MS = 3_600_000;
/** Lets what waits for nothing else go on. No timer fires meanwhile. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('the queue for slots of a number', () => {
  it('gives the tokens of the bucket at once, then one at a time in order', async () => {
    const queue = createSlotQueue(newBucket(), monotonic);
    const latestAt = performance.now() + HOUR_MS;
    expect(queue.take(2, latestAt, never)).to.equal(true);
    expect(queue.take(2, latestAt, never)).to.equal(true);
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      expect(await queue.take(100, latestAt, never)).to.equal(true);
      order.push(number);
    });
    await Promise.all(waiting);
    expect(order).to.deep.equal([1, 2, 3]);
  });

  it('takes one token ahead of time for any number of waiting callers', async () => {
    const clock = fixedClock();
    const bucket = newBucket();
    const queue = createSlotQueue(bucket, clock);
    const leaving = new AbortController();
    const latestAt = clock.now() + HOUR_MS;
    queue.take(1, latestAt, never);
    const waiting = Array.from({ length: 50 }, () => queue.take(1, latestAt, leaving.signal));
    // One token was used and one is spoken for; without the bound it would be 51 seconds.
    expect(bucket.dueAt - clock.now()).to.equal(2000);
    leaving.abort();
    expect(new Set(await Promise.all(waiting))).to.deep.equal(new Set([false]));
    expect(queue.size()).to.equal(0);
  });

  it('lets a caller wait for a millisecond too', async () => {
    const clock = fixedClock();
    const queue = createSlotQueue({ dueAt: clock.now() + 1, savedMs: 0 }, clock);
    let isTaken = false;
    const taking = Promise.resolve(queue.take(1, clock.now() + 10_000, never)).then((taken) => {
      isTaken = taken;
    });
    await settle();
    expect(isTaken).to.equal(false);
    await taking;
    expect(isTaken).to.equal(true);
  });

  it('lets no caller wait beyond its time limit', async () => {
    const clock = fixedClock();
    const queue = createSlotQueue(newBucket(), clock);
    queue.take(1, clock.now(), never);
    expect(await queue.take(1, clock.now() + 999, never)).to.equal(false);
    expect(queue.take(1, FAR, AbortSignal.abort())).to.equal(false);
  });

  it('serves those of a lower rank first, and those of one rank in order', async () => {
    const clock = fixedClock();
    const queue = createSlotQueue(newBucket(), clock);
    const latestAt = clock.now() + HOUR_MS;
    queue.take(1, latestAt, never);
    const order: string[] = [];
    const leaving = new AbortController();
    for (const [name, rank] of [
      ['marketing', 3],
      ['utility', 2],
      ['later', 2],
      ['now', 0],
    ] as const) {
      const taking = Promise.resolve(queue.take(1, latestAt, leaving.signal, rank));
      void taking.then((taken) => taken && order.push(name));
    }
    for (let count = 0; count < 4; count += 1) queue.release(1);
    leaving.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).to.deep.equal(['now', 'utility', 'later', 'marketing']);
  });

  it('hands an unused slot to the next in line, or back to the bucket', async () => {
    const clock = fixedClock();
    const bucket = newBucket();
    const queue = createSlotQueue(bucket, clock);
    const latestAt = clock.now() + HOUR_MS;
    expect(queue.take(1, latestAt, never)).to.equal(true);
    const leaving = new AbortController();
    const [next, last] = [1, 2].map(() => queue.take(1, latestAt, leaving.signal));
    queue.release(1);
    expect(await next).to.equal(true);
    leaving.abort();
    expect(await last).to.equal(false);
    const quiet = createSlotQueue(newBucket(), clock);
    expect(quiet.take(1, clock.now(), never)).to.equal(true);
    quiet.release(1);
    expect(quiet.take(1, clock.now(), never)).to.equal(true);
  });
});

describe('slots taken ahead of a call', () => {
  it('let the call go without another token, once, and only for their own number', async () => {
    const clock = fixedClock();
    const throttle = createNumberThrottle({ connections: 9, clock, random: () => 1 });
    const slot = (await throttle.takeSlot('a', 1, clock.now(), never))!;
    expect(throttle.enter('a', 1, clock.now())).to.equal(false);
    throttle.enter('b', 1, clock.now());
    expect(throttle.enter('b', 1, clock.now(), slot)).to.equal(false);
    expect(throttle.enter('a', 1, clock.now(), slot)).to.equal(true);
    expect(throttle.enter('a', 1, clock.now(), slot)).to.equal(false);
    slot.release();
    expect(throttle.enter('a', 1, clock.now()), 'a used slot gives nothing back').to.equal(false);
  });

  it('leave a quarter of the saved tokens to sends of now, which go first', async () => {
    const clock = fixedClock();
    const throttle = createNumberThrottle({ connections: 40, clock, random: () => 1 });
    const leaving = new AbortController();
    const latestAt = clock.now() + HOUR_MS;
    const taken: string[] = [];
    const take = (name: string, rank: number) =>
      throttle
        .takeSlot('a', 20, latestAt, leaving.signal, rank)
        .then((slot) => slot && taken.push(name));
    for (let asked = 0; asked < 40; asked += 1) void take('job', 9);
    // The next token is due in 50 ms, which may be over by a turn of the event loop on a busy machine.
    await settle();
    expect(taken).to.have.length(15);
    expect(throttle.enter('a', 20, clock.now())).to.equal(true);
    void take('batch', 0);
    await settle();
    expect(taken.at(-1)).to.equal('batch');
    expect(throttle.enter('a', 20, clock.now())).to.equal(true);
    leaving.abort();
  });

  it('leave tokens to single calls while many callers wait', async () => {
    const throttle = createNumberThrottle({ connections: 9, clock: monotonic, random: () => 1 });
    const leaving = new AbortController();
    const latestAt = performance.now() + HOUR_MS;
    await throttle.takeSlot('a', 20, latestAt, never);
    for (let held = 1; held < 20; held += 1) await throttle.takeSlot('a', 20, latestAt, never);
    const patient = Array.from({ length: 40 }, () =>
      throttle.takeSlot('a', 20, latestAt, leaving.signal),
    );
    // Behind all of the forty it would have to wait for two seconds.
    expect(await throttle.enter('a', 20, performance.now() + 1000)).to.equal(true);
    leaving.abort();
    const got = await Promise.all(patient);
    expect(got.filter(Boolean).length).to.be.lessThan(40);
  });
});
