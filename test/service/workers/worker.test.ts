import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { START } from '../../../src/events/store.ts';
import { createLeases } from '../../../src/projections/mongodb/lease.ts';
import {
  createReactorWork,
  startWorker,
  type Worker,
} from '../../../src/service/workers/worker.ts';
import type { Logger } from '../../../src/shared/logger.ts';

import { createFakeMongo } from '../../support/mongodb/fake.ts';
import { until } from '../../support/until.ts';

const logger = { info() {}, warn() {} } as unknown as Logger;
const times = { ttlMs: 300, renewEveryMs: 10 };
const PARTITIONS = 6;

/** A reactor that fails as long as it runs, and afterwards. */
const runs = (name: string) => {
  const status = () => ({ position: START, failing: 'the log is away' });
  return { reactors: [{ name, status, stop: async () => undefined, add() {} }], timers: [] };
};
const erasing = { unclean: () => 'the disk is full', open: () => 1 };

describe('workers', () => {
  let mongo: ReturnType<typeof createFakeMongo>;
  let running: { stop(): Promise<void> }[];
  beforeEach(() => {
    mongo = createFakeMongo();
    running = [];
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
  });

  const leasesOf = () => createLeases(mongo.connect());

  const startOne = async (leases = leasesOf()): Promise<Worker> => {
    const worker = await startWorker({
      coordination: leases,
      holder: randomUUID(),
      partitions: PARTITIONS,
      times,
      logger,
      engine: {
        start: async () => undefined,
        stop: async () => undefined,
        hold: async () => undefined,
      },
      begin: () => runs('duties'),
      beginEmptying: () => ({ ...runs('emptying'), erasing }),
      beginReactors: () => ({ ...runs('shared'), add: () => undefined }),
    });
    running.push(worker);
    return worker;
  };

  it('tell of no work any more that they have lost', async () => {
    const leases = leasesOf();
    const network = { isCut: false };
    const one = await startOne({
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
    const other = await startOne();
    await until('the other one has the duties', () => other.held());
    network.isCut = false;
    await until('it has its share', () => one.partitions().length === PARTITIONS / 2);
    expect(one.held()).to.equal(false);
    await until('it runs its share', () => runningIn(one).length === 2);
    expect(runningIn(one)).to.have.members(['shared', 'emptying']);
  });

  describe('that end the reactors of some partitions', () => {
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
    /** Reactors that end when they are let go; how many sets of them run. */
    const open = () => {
      const stops: { letGo: () => void; fail: (error: Error) => void }[] = [];
      const seen = { running: 0, most: 0, begun: [] as (readonly number[])[] };
      const stopOne = () => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        stops.push({ letGo: resolve, fail: reject });
        return promise;
      };
      const work = createReactorWork((held) => {
        seen.begun.push(held);
        seen.running += 1;
        seen.most = Math.max(seen.most, seen.running);
        const stop = async () => {
          await stopOne();
          seen.running -= 1;
        };
        const status = () => ({ position: '', failing: null });
        const reactor = { name: 'test', status, stop, add: () => undefined };
        return { reactors: [reactor], timers: [{ stop: stopOne }], add: () => undefined };
      });
      return { work, stops, seen };
    };

    for (const fails of [false, true]) {
      const how = fails ? ', though another part has failed to stop' : '';
      it(`row 60: never begin or go while what was released still runs${how}`, async () => {
        const { work, stops, seen } = open();
        work.hold(new Set([0, 1]));
        const releasing = work.release(new Set([0])).catch(() => undefined);
        const [timer, reactor] = stops;
        if (fails) timer!.fail(new Error('a fault'));
        else timer!.letGo();
        await turn();
        // The caller of the first release has given up, and drops all: its leases would go now.
        let hasGone = false;
        const dropping = work.release(new Set()).then(() => {
          hasGone = true;
        });
        await turn();
        expect([hasGone, seen.running]).to.deep.equal([false, 1]);
        reactor!.letGo();
        await Promise.all([releasing, dropping]);
        work.hold(new Set([0]));
        expect(seen).to.deep.equal({ running: 1, most: 1, begun: [[0, 1], [0]] });
      });
    }
  });
});
