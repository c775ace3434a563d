import { expect } from 'chai';
import { StoreUnavailable } from '../../src/events/store.ts';
import { type HeldLease, holdLease } from '../../src/service/lease.ts';
import { until } from '../support/until.ts';

const TIMES = { ttlMs: 200, renewEveryMs: 10 };

describe('a held lease', () => {
  let lease: HeldLease | undefined;
  let said: string[];
  let failures: unknown[];
  let answer: (ttlMs: number) => Promise<boolean>;
  let monotonicMs: (() => number) | undefined;
  const hold = (onGained: () => Promise<void> = async () => void said.push('gained')) => {
    lease = holdLease({
      take: (ttlMs) => {
        if (ttlMs === 0) said.push('given back');
        return answer(ttlMs);
      },
      onGained,
      onLost: async () => void said.push('lost'),
      onFailure: (error) => failures.push(error),
      ...TIMES,
      ...(monotonicMs && { monotonicMs }),
    });
    return lease;
  };
  beforeEach(() => {
    said = [];
    failures = [];
    answer = async () => true;
    monotonicMs = undefined;
  });
  afterEach(() => lease?.stop());

  it('starts the work once when it is gained', async () => {
    let takes = 0;
    answer = async () => {
      takes += 1;
      return true;
    };
    const held = hold();
    expect(await held.first).to.equal(undefined);
    expect(said).to.deep.equal(['gained']);
    await until('it is renewed', () => takes > 3);
    expect(said).to.deep.equal(['gained']);
    expect(held.holding()).to.equal(true);
  });
  it('starts the work only after another holder has lost it', async () => {
    answer = async () => false;
    await hold().first;
    expect(said).to.deep.equal([]);
    answer = async () => true;
    await until('it is gained', () => said.includes('gained'));
  });
  it('stops the work when another holder has it', async () => {
    await hold().first;
    answer = async () => false;
    await until('it is lost', () => said.includes('lost'));
    expect(lease?.holding()).to.equal(false);
  });
  it('survives a short failure, and stops the work before it ends in a long one', async () => {
    let now = 0;
    monotonicMs = () => now;
    await hold().first;
    let failing = 2;
    answer = async () => {
      failing -= 1;
      if (failing >= 0) throw new Error('away');
      return true;
    };
    await until('it came back', () => failing < -1);
    expect(said).to.deep.equal(['gained']);
    answer = async () => {
      throw new Error('away');
    };
    // An attempt at this moment fails, and one more fits in before the lease ends.
    now += TIMES.ttlMs - 2 * TIMES.renewEveryMs;
    const before = failures.length;
    await until('two attempts have failed', () => failures.length >= before + 2);
    expect(said).to.deep.equal(['gained']);
    now += 1;
    await until('it is lost', () => said.includes('lost'));
  });
  it('does not wait for a late answer', async () => {
    await hold().first;
    answer = () => new Promise(() => undefined);
    await until('it is lost', () => said.includes('lost'));
  });
  it('fails with an unavailable store when the first answer is late', async () => {
    answer = () => new Promise(() => undefined);
    expect(await hold().first).to.be.instanceOf(StoreUnavailable);
  });
  it('reports a failed start of the work, cleans up and tries again', async () => {
    let starts = 0;
    const held = hold(async () => {
      starts += 1;
      if (starts === 1) throw new Error('not yet');
      said.push('gained');
    });
    expect((await held.first) as Error).to.have.property('message', 'not yet');
    await until('it started', () => said.includes('gained'));
    expect(said).to.deep.equal(['lost', 'gained']);
    expect(failures.map((error) => (error as Error).message)).to.deep.equal(['not yet']);
  });
  it('is renewed while the work is still being started', async () => {
    let takes = 0;
    answer = async () => {
      takes += 1;
      return true;
    };
    const { promise: started, resolve } = Promise.withResolvers<void>();
    hold(() => started);
    await until('it is renewed', () => takes > 3);
    resolve();
  });
  it('is given back at the stop, after the work has ended', async () => {
    const held = hold();
    await held.first;
    await held.stop();
    expect(said).to.deep.equal(['gained', 'lost', 'given back']);
  });
});
