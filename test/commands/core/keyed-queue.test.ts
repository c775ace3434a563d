import { expect } from 'chai';
import { createKeyedQueue } from '../../../src/commands/core/keyed-queue.ts';
import { Interrupted } from '../../../src/shared/retry.ts';
import { currentTrace, inTrace } from '../../../src/shared/trace-context.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a keyed queue', () => {
  const open = (change: Partial<Parameters<typeof createKeyedQueue>[0]> = {}) => {
    const faults: unknown[] = [];
    const queue = createKeyedQueue({
      runningPerGroup: 2,
      jobsPerGroup: 5,
      jobs: 8,
      onFault: (error, { group, key }) => faults.push([error, group, key]),
      ...change,
    });
    const started: string[] = [];
    const ends = new Map<string, { resolve(): void; reject(error: unknown): void }>();
    /** What the jobs that settled settled with, by name. */
    const settled: Record<string, boolean> = {};
    const offer = (group: string, key: string, name: string): boolean => {
      const work = () => {
        started.push(name);
        return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }));
      };
      const queued = queue.offer({ group, key, work });
      void queued?.settled.then((succeeded) => {
        settled[name] = succeeded;
      });
      return queued !== undefined;
    };
    const end = async (name: string) => {
      ends.get(name)?.resolve();
      await settle();
    };
    const fail = async (name: string, error: unknown) => {
      ends.get(name)?.reject(error);
      await settle();
    };
    return { queue, started, settled, faults, offer, end, fail };
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

  it('runs a job in the trace in which it was offered, whichever job ended before it', async () => {
    const { queue, offer, end } = open({ runningPerGroup: 1 });
    const traces: (string | undefined)[] = [];
    const work = async () => void traces.push(currentTrace());
    inTrace('first', () => offer('g', 'x', 'x1'));
    inTrace('second', () => queue.offer({ group: 'g', key: 'y', work }));
    queue.offer({ group: 'g', key: 'z', work });
    await end('x1');
    expect(traces).to.deep.equal(['second', undefined]);
  });

  it('runs a job again when its time has come, and lets its key wait until it has ended', async () => {
    const { queue, started, offer, end } = open({ runningPerGroup: 1 });
    let runs = 0;
    const again = async () => {
      runs += 1;
      return runs === 1 ? 1000 : undefined;
    };
    const first = queue.offer({ group: 'g', key: 'x', work: again });
    offer('g', 'x', 'x2');
    offer('g', 'y', 'y1');
    await settle();
    // The place of the resting job is free for other keys.
    expect(started).to.deep.equal(['y1']);
    await end('y1');
    queue.wake(999);
    await settle();
    expect(runs).to.equal(1);
    queue.wake(1000);
    expect(await first!.settled).to.equal(true);
    await settle();
    expect(runs).to.equal(2);
    expect(started).to.deep.equal(['y1', 'x2']);
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
    const { offer, end } = open({ jobs: 10 });
    for (let job = 0; job < 5; job += 1) expect(offer('g', `${job}`, `g${job}`)).to.equal(true);
    expect(offer('g', 'x', 'x')).to.equal(false);
    await end('g0');
    expect(offer('g', 'x', 'x')).to.equal(true);
  });

  it('leaves a place for the next group, however many groups are stuck', () => {
    const { offer } = open({ runningPerGroup: 4, jobsPerGroup: 25, jobs: 160 });
    const held: number[] = [];
    for (let group = 0; group < 30; group += 1) {
      let taken = 0;
      while (offer(`stuck ${group}`, `${taken}`, `${taken}`)) taken += 1;
      held.push(taken);
    }
    // The first three fill their share, the fourth gets the rest of the half; then four each, then one.
    expect(held.slice(0, 5)).to.deep.equal([25, 25, 25, 5, 4]);
    expect(held.at(-1)).to.equal(1);
    expect(offer('another', 'x', 'x')).to.equal(true);
  });

  it('says of each job whether it succeeded, and of each fault whose it is', async () => {
    const { started, settled, faults, offer, end, fail } = open();
    offer('g', 'x', 'x1');
    offer('g', 'x', 'x2');
    offer('g', 'y', 'y1');
    expect(settled).to.deep.equal({});
    await fail('x1', 'broken');
    await end('y1');
    expect(settled).to.deep.equal({ x1: false, y1: true });
    expect(faults).to.deep.equal([['broken', 'g', 'x']]);
    expect(started).to.deep.equal(['x1', 'y1', 'x2']);
  });

  it('leaves interrupted work unsettled, and goes on', async () => {
    const { started, settled, faults, offer, end, fail } = open();
    offer('g', 'x', 'x1');
    offer('g', 'x', 'x2');
    await fail('x1', new Interrupted());
    expect(started).to.deep.equal(['x1', 'x2']);
    await end('x2');
    expect(settled).to.deep.equal({ x2: true });
    expect(faults).to.deep.equal([]);
  });

  it('takes a throw for a fault like a rejection', async () => {
    const { queue, faults } = open();
    const work = () => {
      throw new Error('at once');
    };
    const queued = queue.offer({ group: 'g', key: 'x', work });
    expect(await queued?.settled).to.equal(false);
    expect(faults).to.have.length(1);
  });

  it('starts no job while it drains, and waits for the running ones', async () => {
    const { queue, started, settled, offer, end } = open({ runningPerGroup: 1 });
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
    expect(settled).to.deep.equal({ x1: true });
    expect(offer('g', 'z', 'z')).to.equal(false);
  });
});
