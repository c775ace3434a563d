import { expect } from 'chai';
import { createKeyedQueue } from '../../../src/commands/core/keyed-queue.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a keyed queue', () => {
  const open = (change: Partial<Parameters<typeof createKeyedQueue>[0]> = {}) => {
    const queue = createKeyedQueue({ runningPerGroup: 2, jobsPerGroup: 5, jobs: 8, ...change });
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const offer = (group: string, key: string, name: string) =>
      queue.offer({
        group,
        key,
        run() {
          started.push(name);
          return new Promise((resolve) => ends.set(name, resolve));
        },
      });
    const end = async (name: string) => {
      ends.get(name)?.();
      await settle();
    };
    return { queue, started, offer, end };
  };

  it('runs the jobs of one key in order, and keys side by side', async () => {
    const { started, offer, end } = open();
    offer('g', 'x', 'x1');
    offer('g', 'x', 'x2');
    offer('g', 'y', 'y1');
    expect(started).to.deep.equal(['x1', 'y1']);
    await end('x1');
    expect(started).to.deep.equal(['x1', 'y1', 'x2']);
  });

  it('lets no group wait for another, and lets the keys of a group take turns', async () => {
    const { started, offer, end } = open();
    for (const key of ['a', 'b', 'c']) offer('slow', key, `slow ${key}`);
    offer('slow', 'a', 'slow a2');
    offer('quick', 'a', 'quick');
    expect(started).to.deep.equal(['slow a', 'slow b', 'quick']);
    await end('slow a');
    expect(started.at(-1)).to.equal('slow c');
  });

  it('takes no more jobs than a group, or the queue, may hold', async () => {
    const { queue, offer, end } = open({ jobs: 10 });
    for (let job = 0; job < 5; job += 1) expect(offer('g', `${job}`, `g${job}`)).to.equal(true);
    expect(offer('g', 'x', 'x')).to.equal(false);
    expect(queue.size()).to.equal(5);
    await end('g0');
    expect(offer('g', 'x', 'x')).to.equal(true);
  });

  it('leaves a place for the next group, however many groups are stuck', () => {
    const { queue, offer } = open({ runningPerGroup: 4, jobsPerGroup: 25, jobs: 160 });
    const held: number[] = [];
    for (let group = 0; group < 30; group += 1) {
      let taken = 0;
      while (offer(`stuck ${group}`, `${taken}`, `${taken}`)) taken += 1;
      held.push(taken);
    }
    // The first three fill their share, the fourth gets the rest of the half; then four each, then one.
    expect(held.slice(0, 5)).to.deep.equal([25, 25, 25, 5, 4]);
    expect(held.at(-1)).to.equal(1);
    expect(queue.size()).to.be.below(160);
    expect(offer('another', 'x', 'x')).to.equal(true);
  });

  it('starts no job while it drains, and waits for the running ones', async () => {
    const { queue, started, offer, end } = open({ runningPerGroup: 1 });
    offer('g', 'x', 'x1');
    offer('g', 'y', 'y1');
    let drained = false;
    const draining = queue.drain().then(() => {
      drained = true;
    });
    await settle();
    expect(drained).to.equal(false);
    await end('x1');
    await draining;
    expect(started).to.deep.equal(['x1']);
    expect(offer('g', 'z', 'z')).to.equal(false);
  });
});
