import { expect } from 'chai';
import { createLanes } from '../../../src/commands/core/lanes.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('lanes', () => {
  const open = (change: Partial<Parameters<typeof createLanes>[0]> = {}) => {
    const lanes = createLanes({ runningPerGroup: 2, jobsPerGroup: 5, jobs: 8, ...change });
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const offer = (group: string, lane: string, name: string) =>
      lanes.offer({
        group,
        lane,
        run() {
          started.push(name);
          return new Promise((resolve) => ends.set(name, resolve));
        },
      });
    const end = async (name: string) => {
      ends.get(name)?.();
      await settle();
    };
    return { lanes, started, offer, end };
  };

  it('runs the jobs of one lane in order, and lanes side by side', async () => {
    const { started, offer, end } = open();
    offer('g', 'x', 'x1');
    offer('g', 'x', 'x2');
    offer('g', 'y', 'y1');
    expect(started).to.deep.equal(['x1', 'y1']);
    await end('x1');
    expect(started).to.deep.equal(['x1', 'y1', 'x2']);
  });

  it('lets no group wait for another, and lanes of one take turns', async () => {
    const { started, offer, end } = open();
    for (const lane of ['a', 'b', 'c']) offer('slow', lane, `slow ${lane}`);
    offer('slow', 'a', 'slow a2');
    offer('quick', 'a', 'quick');
    expect(started).to.deep.equal(['slow a', 'slow b', 'quick']);
    await end('slow a');
    expect(started.at(-1)).to.equal('slow c');
  });

  it('takes no more than a group, or the whole, may hold', async () => {
    const { lanes, offer, end } = open({ jobs: 10 });
    for (let job = 0; job < 5; job += 1) expect(offer('g', `${job}`, `g${job}`)).to.equal(true);
    expect(offer('g', 'x', 'x')).to.equal(false);
    expect(lanes.size()).to.equal(5);
    await end('g0');
    expect(offer('g', 'x', 'x')).to.equal(true);
  });

  it('leaves places to whoever comes next, however many groups are stuck', () => {
    const { lanes, offer } = open({ runningPerGroup: 4, jobsPerGroup: 25, jobs: 160 });
    const held: number[] = [];
    for (let group = 0; group < 30; group += 1) {
      let taken = 0;
      while (offer(`stuck ${group}`, `${taken}`, `${taken}`)) taken += 1;
      held.push(taken);
    }
    // Up to the half, the next what is left of it, then four each, in the end one.
    expect(held.slice(0, 5)).to.deep.equal([25, 25, 25, 5, 4]);
    expect(held.at(-1)).to.equal(1);
    expect(lanes.size()).to.be.below(160);
    expect(offer('another', 'x', 'x')).to.equal(true);
  });

  it('starts nothing while it drains, and waits for what runs', async () => {
    const { lanes, started, offer, end } = open({ runningPerGroup: 1 });
    offer('g', 'x', 'x1');
    offer('g', 'y', 'y1');
    let drained = false;
    const draining = lanes.drain().then(() => {
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
