import { expect } from 'chai';
import fc from 'fast-check';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { createLeases } from '../../../src/projections/mongodb/lease.ts';
import { fairShare, type HeldShares, holdShares } from '../../../src/service/workers/shares.ts';
import { createFakeMongo } from '../../support/mongodb/fake.ts';
import { until } from '../../support/until.ts';

const TIMES = { ttlMs: 200, renewEveryMs: 10 };
const KINDS = [['duties'], ['p0', 'p1', 'p2', 'p3', 'p4', 'p5']];
const ALL = KINDS.flat();

describe('a share of the work', () => {
  let mongo: ReturnType<typeof createFakeMongo>;
  let running: HeldShares[];
  beforeEach(() => {
    mongo = createFakeMongo();
    running = [];
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
  });

  /** A process that shares the work; what it does, and what it was told. */
  const start = (holder: string, change: Partial<Parameters<typeof holdShares>[0]> = {}) => {
    const leases = createLeases(mongo.connect());
    const one = { away: false, renewals: 0, doing: [] as string[], failures: [] as Error[] };
    const shares = holdShares({
      coordination: {
        ...leases,
        async renew(...which) {
          one.renewals += 1;
          if (one.away) throw new Error('away');
          return leases.renew(...which);
        },
      },
      holder,
      units: KINDS,
      work: async (units) => {
        one.doing = [...units].sort();
      },
      onFailure: (error) => one.failures.push(error as Error),
      ...TIMES,
      ...change,
    });
    running.push(shares);
    return Object.assign(one, { shares });
  };
  type One = ReturnType<typeof start>;
  const partitionsOf = ({ doing }: One) => doing.filter((unit) => unit !== 'duties').length;

  it('is all of it for one alone', async () => {
    const one = start('one');
    expect(await one.shares.first).to.equal(undefined);
    expect(one.doing).to.deep.equal([...ALL].sort());
    expect([...one.shares.held()].sort()).to.deep.equal(one.doing);
  });
  it('becomes even when others join and leave', async () => {
    const one = start('one');
    await one.shares.first;
    const [two, three] = [start('two'), start('three')];
    const all = [one, two, three];
    await until('all have the same', () => all.every((each) => partitionsOf(each) === 2));
    expect(all.flatMap(({ doing }) => doing).sort()).to.deep.equal([...ALL].sort());
    expect(one.doing, 'no reason to move').to.include('duties');
    await one.shares.stop();
    await until('the others have it', () => partitionsOf(two) === 3 && partitionsOf(three) === 3);
    expect([...two.doing, ...three.doing]).to.include('duties');
  });
  it('goes to another one only after the work on it has ended', async () => {
    const ending = Promise.withResolvers<void>();
    let held: ReadonlySet<string> = new Set();
    const one = start('one', {
      work: async (units) => {
        if (units.size < held.size) await ending.promise;
        held = units;
      },
    });
    await one.shares.first;
    const two = start('two');
    await until('both look', () => two.renewals > 5);
    expect(two.doing).to.deep.equal([]);
    ending.resolve();
    await until('it has its share', () => partitionsOf(two) === 3);
  });
  it('is taken over from one who renews no longer', async () => {
    const [one, two] = [start('one'), start('two')];
    await until('both work', () => partitionsOf(one) === 3 && partitionsOf(two) === 3);
    one.away = true;
    await until('the other has all', () => two.doing.length === ALL.length);
    expect(one.doing, 'it stopped before').to.deep.equal([]);
    expect([...one.shares.held()]).to.deep.equal([]);
  });
  it('survives a short failure, and stops before the leases end in a long one', async () => {
    let now = 0;
    const one = start('one', { monotonicMs: () => now });
    await one.shares.first;
    one.away = true;
    // An attempt at this moment fails, and one more fits in before the leases end.
    now += TIMES.ttlMs - 2 * TIMES.renewEveryMs;
    await until('two attempts have failed', () => one.failures.length >= 2);
    expect(one.doing).to.have.length(ALL.length);
    one.away = false;
    const before = one.renewals;
    await until('it came back', () => one.renewals > before + 1);
    expect(one.doing).to.have.length(ALL.length);
    one.away = true;
    now += TIMES.ttlMs;
    await until('it stopped', () => one.doing.length === 0);
  });
  it('does not wait for a late answer', async () => {
    const never = () => new Promise<never>(() => undefined);
    const coordination = { renew: never, take: never, release: never, leave: async () => {} };
    const one = start('one', { coordination });
    expect(await one.shares.first).to.be.instanceOf(StoreUnavailable);
  });
  it('reports a failed start of the work, cleans up and tries again', async () => {
    const told: number[] = [];
    const one = start('one', {
      work: async (units) => {
        told.push(units.size);
        if (told.length === 1) throw new Error('not yet');
      },
    });
    expect((await one.shares.first) as Error).to.have.property('message', 'not yet');
    await until('it started', () => told.length === 3);
    expect(told).to.deep.equal([ALL.length, 0, ALL.length]);
    expect(one.failures.map(({ message }) => message)).to.deep.equal(['not yet']);
  });
  it('row 60: is renewed until the work has ended, when it stops', async () => {
    const ended = Promise.withResolvers<void>();
    const one = start('one', {
      work: async (units) => {
        if (units.size === 0) await ended.promise;
      },
    });
    await one.shares.first;
    const two = start('two');
    await two.shares.first;
    const stopping = one.shares.stop();
    const before = one.renewals;
    await until('it is renewed', () => one.renewals > before + 3);
    expect(two.doing).to.deep.equal([]);
    ended.resolve();
    await stopping;
    await until('the other has it', () => two.doing.length === ALL.length);
  });
  it('row 60: is not current after a pause longer than the leases, until what went has ended', async () => {
    let now = 0;
    const ending = Promise.withResolvers<void>();
    const one = start('one', {
      monotonicMs: () => now,
      work: async (units) => {
        if (units.size === 0) await ending.promise;
      },
    });
    await one.shares.first;
    expect(one.shares.isCurrent()).to.equal(true);
    // Another process takes all of it while this one is paused.
    one.away = true;
    const other = createLeases(mongo.connect());
    for (const unit of ALL) {
      await other.release(unit, 'one');
      await other.renew('two', TIMES.ttlMs);
      expect(await other.take(unit, 'two')).to.equal(true);
    }
    const renewing = setInterval(() => void other.renew('two', TIMES.ttlMs), 10);
    now += TIMES.ttlMs;
    one.away = false;
    const before = one.renewals;
    await until('it is renewed', () => one.renewals > before + 2);
    expect(one.shares.isCurrent()).to.equal(false);
    ending.resolve();
    await until('the work has ended', () => one.shares.isCurrent());
    expect([...one.shares.held()]).to.deep.equal([]);
    clearInterval(renewing);
  });
  it('is renewed while the work is still being started', async () => {
    const started = Promise.withResolvers<void>();
    const one = start('one', { work: () => started.promise });
    await until('it is renewed', () => one.renewals > 3);
    started.resolve();
  });

  it('comes to an even share from any other within two turns', () => {
    const units = Array.from({ length: 17 }, (_, index) => `unit${index}`);
    const drawn = fc.array(fc.integer({ min: -1, max: 6 }), { minLength: 17, maxLength: 17 });
    const check = (count: number, by: readonly number[]) => {
      const holders = Array.from({ length: count }, (_, index) => `holder${index}`);
      const held = new Map<string, string>();
      for (const [index, one] of by.entries()) {
        const holder = holders[one];
        if (holder) held.set(units[index]!, holder);
      }
      const turn = (holder: string) => {
        for (const unit of fairShare(units, { holders, held }, holder).over) held.delete(unit);
        const { free, room } = fairShare(units, { holders, held }, holder);
        for (const unit of free.slice(0, room)) held.set(unit, holder);
      };
      for (let round = 0; round < 2; round += 1) holders.forEach(turn);
      const counts = holders.map((name) => [...held.values()].filter((one) => one === name).length);
      expect(held.size).to.equal(units.length);
      expect(Math.max(...counts) - Math.min(...counts), `${counts}`).to.be.at.most(1);
    };
    fc.assert(fc.property(fc.integer({ min: 1, max: 7 }), drawn, check), {
      examples: [[7, [0, 0, 0, 4, 5, 0, 6, 0, 4, 0, 0, 5, 4, 6, 5, 0, 6]]],
    });
  });
});
