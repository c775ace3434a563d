import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { START } from '../../../src/events/store.ts';
import { createLeases } from '../../../src/projections/mongodb/lease.ts';
import { workerName } from '../../../src/service/workers/duties.ts';
import { type HeldShares, holdShares } from '../../../src/service/workers/shares.ts';
import { startWorker, type Worker } from '../../../src/service/workers/worker.ts';
import type { Logger } from '../../../src/shared/logger.ts';

import { createFakeMongo } from '../../support/mongodb/fake.ts';
import { until } from '../../support/until.ts';

const logger = { info() {}, warn() {} } as unknown as Logger;
const times = { ttlMs: 300, renewEveryMs: 10 };
const PARTITIONS = 6;
const all = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/** A reactor that fails as long as it runs, and afterwards. */
const runs = (name: string) => {
  const status = () => ({ position: START, failing: 'the log is away' });
  return { reactors: [{ name, status, stop: async () => undefined, add() {} }], timers: [] };
};
const erasing = { unclean: () => 'the disk is full', open: () => 1 };

describe('workers', () => {
  let mongo: ReturnType<typeof createFakeMongo>;
  let running: { stop(): Promise<void> }[];
  /** The processes that run reactors now, the older ones all of them; and what ran beside what. */
  let reacting: Map<string, 'older' | 'newer'>;
  let problems: string[];
  beforeEach(() => {
    mongo = createFakeMongo();
    running = [];
    reacting = new Map();
    problems = [];
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
  });

  const begin = (holder: string, kind: 'older' | 'newer') => {
    for (const [other, of] of reacting) {
      if (of !== kind || kind === 'older') problems.push(`${holder} beside ${other}`);
    }
    reacting.set(holder, kind);
  };
  const leasesOf = () => createLeases(mongo.connect());

  /** A worker of version 0.2.0. */
  const startOlder = async (holder: string = randomUUID()) => {
    const state = { away: false };
    const leases = leasesOf();
    const shares: HeldShares = holdShares({
      holder,
      coordination: {
        ...leases,
        renew: async (...which) => {
          if (state.away) throw new Error('away');
          return leases.renew(...which);
        },
      },
      units: async () => [['duties'], all.map((one) => `partition-${one}`)],
      work: async (units) => {
        if (!units.has('duties')) reacting.delete(holder);
        else if (!reacting.has(holder)) begin(holder, 'older');
      },
      onFailure: () => undefined,
      ...times,
    });
    running.push(shares);
    await shares.first;
    return { holder, state, shares };
  };
  const startNewer = async (leases = leasesOf()): Promise<Worker> => {
    const holder = workerName(randomUUID());
    const worker = await startWorker({
      coordination: leases,
      holder,
      times,
      logger,
      engine: {
        partitions: async () => PARTITIONS,
        start: async () => undefined,
        stop: async () => undefined,
        hold: async () => undefined,
      },
      begin: () => runs('duties'),
      beginEmptying: () => ({ ...runs('emptying'), erasing }),
      reactorCount: async () => PARTITIONS,
      beginReactors() {
        begin(holder, 'newer');
        const stop = async () => void reacting.delete(holder);
        return { ...runs('shared'), timers: [{ stop }], add: () => undefined };
      },
    });
    running.push(worker);
    return worker;
  };

  it('row 60: leave the reactors to the older one until it ends', async () => {
    const older = await startOlder();
    const newer = await startNewer();
    await until('they share the read models', () => newer.partitions().length === 3);
    expect(newer.reactorPartitions()).to.deep.equal([]);
    await older.shares.stop();
    await until('it has all reactors', () => newer.reactorPartitions().length === all.length);
    expect(newer.held()).to.equal(true);
    expect(problems).to.deep.equal([]);
  });
  it('row 60: leave them to the newer ones while one is there, whatever ends', async () => {
    const one = await startNewer();
    await until('it has all', () => one.reactorPartitions().length === all.length);
    const other = await startNewer();
    // By its name it would come before all of its own version.
    const older = await startOlder('00000000-0000-4000-8000-000000000000');
    const has = () => older.shares.held();
    await until('it has its part of the read models', () => has().size > 0);
    await one.stop();
    await until(
      'the other newer one has all',
      () => other.reactorPartitions().length === all.length,
    );
    expect(has()).not.to.include('duties');
    await other.stop();
    await until('none is left', () => has().has('duties'));
    expect(problems).to.deep.equal([]);
  });
  it('end the newer reactors where an older one has got the duties', async () => {
    const newer = await startNewer();
    await until('it has all', () => newer.reactorPartitions().length === all.length);
    const older = '00000000-0000-4000-8000-000000000000';
    const leases = leasesOf();
    await leases.giveBack('duties', newer.name);
    await leases.renew(older, times.ttlMs);
    expect(await leases.take('duties', older)).to.equal(true);
    const renewing = setInterval(() => void leases.renew(older, times.ttlMs), times.renewEveryMs);
    await until('they have ended', () => reacting.size === 0);
    expect(newer.reactorPartitions()).to.deep.equal([]);
    clearInterval(renewing);
    await until('they are back', () => newer.reactorPartitions().length === all.length);
  });

  it('tell of no work any more that they have lost', async () => {
    const leases = leasesOf();
    const network = { isCut: false };
    const one = await startNewer({
      ...leases,
      async renew(...which) {
        if (network.isCut) throw new Error('the network is cut');
        return leases.renew(...which);
      },
    });
    const runningIn = (worker: Worker) => worker.reactors().map(({ name }) => name);
    await until('it does all', () => runningIn(one).length === 3);
    expect(runningIn(one)).to.have.members(['shared', 'duties', 'emptying']);
    expect(one.erasing()).to.equal(erasing);
    network.isCut = true;
    await until('it has lost all', () => one.partitions().length === 0);
    expect([runningIn(one), one.erasing()]).to.deep.equal([[], undefined]);
    const other = await startNewer();
    await until('the other one has the duties', () => other.held());
    network.isCut = false;
    await until('it has its share', () => one.partitions().length === PARTITIONS / 2);
    expect(one.held()).to.equal(false);
    await until('it runs its share', () => runningIn(one).length === 2);
    expect(runningIn(one)).to.have.members(['shared', 'emptying']);
  });
});
