import { expect } from 'chai';
import { type EventStore, type Position, START } from '../../../src/events/store.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import { projections } from '../../../src/projections/all.ts';
import { createReader, NotReached } from '../../../src/projections/engine/reader.ts';
import { ledger } from '../../../src/projections/ledger.ts';
import { messages } from '../../../src/projections/messages.ts';
import { reservations } from '../../../src/projections/reservations.ts';
import type { Commit, Views } from '../../../src/projections/views.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { gate, openBench, sends, untilLive } from '../../support/projections-engine.ts';
import { granted, opened } from '../../support/projections-facts.ts';
import { until, untilTrue } from '../../support/until.ts';

describe('the engine @long', () => {
  const bench = inEachTest(openBench);

  /** Views that let their commits be watched and held. */
  const watched = () => {
    const commits: (readonly Commit[])[] = [];
    const door = gate();
    const views: Views = {
      ...bench.views,
      async commit(all) {
        await door.pass();
        await bench.views.commit(all);
        commits.push(all);
      },
    };
    return { views, commits, door };
  };

  it('folds the log, and then new events', async () => {
    await bench.write(opened('acc_1'), granted('acc_1'), ...sends('acc_1', 2, 3));
    const engine = await bench.started(projections);
    await engine.reader.reached(projections, await bench.store.head());
    await bench.isAsExpected();
    for (let round = 0; round < 5; round += 1) {
      const position = await bench.write(...sends('acc_1', 5 + round * 2, 2));
      await engine.reader.reached(projections, position);
      await bench.isAsExpected();
    }
    const shown = await engine.reader.get(accounts, 'acc_1');
    expect(shown).to.include({ balance: 9_986, revision: 14 });
    expect(
      (await engine.status()).map(({ state, lag, error }) => [state, lag, error]),
    ).to.deep.equal(projections.map(() => ['live', 0, null]));
  });

  it('reads what came while it was stopped once, from where it was, with those who follow', async () => {
    const stopped = await bench.write(opened('acc_1'), granted('acc_1'));
    const first = await bench.started(projections);
    await first.reader.reached(projections, stopped);
    await first.stop();
    const head = await bench.write(...sends('acc_1', 2, 700));

    const read: Position[] = [];
    const store: EventStore = {
      ...bench.store,
      follow(position, ...wanted) {
        read.push(position);
        return bench.store.follow(position, ...wanted);
      },
      readAll(position, limit) {
        if (limit > 1) read.push(position);
        return bench.store.readAll(position, limit);
      },
    };
    const engine = await bench.started(projections, { store });
    await engine.reader.reached(projections, head);
    expect(read).to.deep.equal([stopped]);
    await bench.isAsExpected();
  });

  it('looks for no document that an event begins', async () => {
    const { views } = bench;
    const looked: string[] = [];
    const getMany: typeof views.getMany = (collection, ids) => {
      looked.push(collection.split('_')[0]!);
      return views.getMany(collection, ids);
    };
    const engine = await bench.started([accounts, ledger, messages, reservations], {
      views: { ...views, getMany },
    });
    await engine.reader.reached(projections, await bench.write(opened('acc_1'), granted('acc_1')));
    looked.length = 0;
    const last = await bench.write(...sends('acc_1', 2, 3));
    await engine.reader.reached([accounts, ledger, messages, reservations], last);
    expect(looked).to.deep.equal([]);
  });

  it('commits together the events that arrived during the last commit', async () => {
    const { views, commits, door } = watched();
    const engine = await bench.started(projections, { views, batchMax: 150 });
    await engine.reader.reached(projections, await bench.write(opened('acc_1'), granted('acc_1')));
    door.close();
    await bench.write(...sends('acc_1', 2, 1));
    await until('a commit is under way', () => door.held() > 0);
    commits.length = 0;
    const last = await bench.write(...sends('acc_1', 3, 100));
    door.open();
    await engine.reader.reached(projections, last);
    const sizes = commits.map((all) => all.flatMap(({ writes }) => writes).length);
    expect(commits.length, `commits of ${sizes} writes`).to.be.at.most(4);
    const biggest = commits[sizes.indexOf(Math.max(...sizes))]!;
    const ofAccounts = biggest.find(({ collection }) => collection.startsWith('accounts'));
    expect(ofAccounts?.writes, 'an account is written once for a batch').to.have.length(1);
    expect(biggest).to.have.length(projections.length);
    const seen = biggest.flatMap(({ writes }) => writes.map(({ position }) => position)).sort();
    expect(biggest[0]?.to, 'how far it has come').to.equal(seen.at(-1));
    await bench.isAsExpected();
  });

  it('continues from its checkpoints after a stop', async () => {
    const engine = bench.engine(projections);
    await bench.write(opened('acc_1'));
    for (let round = 0; round < 3; round += 1) {
      await engine.start();
      expect(engine.running()).to.equal(true);
      const position = await bench.write(...sends('acc_1', 1 + 2 * round, 2));
      await engine.reader.reached(projections, position);
      await engine.stop();
      expect(engine.running()).to.equal(false);
    }
    await bench.isAsExpected();
    expect((await bench.views.collections()).length).to.equal(projections.length);
  });

  it('writes what it has in hand before it stops', async () => {
    const { views, door } = watched();
    const engine = await bench.started([accounts, ledger], { views });
    await engine.reader.reached([ledger], await bench.write(opened('acc_1')));
    door.close();
    await bench.write(granted('acc_1'));
    await until('a commit is under way', () => door.held() > 0);
    let isStopped = false;
    const stopped = engine.stop().then(() => {
      isStopped = true;
    });
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(isStopped).to.equal(false);
    door.open();
    await stopped;
    await bench.isAsExpected([accounts, ledger]);
  });

  describe('reached', () => {
    it('throws after the timeout, and names the late projection', async () => {
      const { views, door } = watched();
      const engine = await bench.started([accounts, ledger], { views });
      await engine.reader.reached([accounts], await bench.write(opened('acc_1')));
      door.close();
      const position = await bench.write(granted('acc_1'));
      const error = await engine.reader.reached([ledger], position, 30).catch((reason) => reason);
      expect(error).to.be.instanceOf(NotReached);
      expect(error.projections).to.deep.equal(['ledger']);
      expect(error.position).to.equal(position);
      door.open();
      await engine.reader.reached([ledger], position, 2_000);
    });
    it('is at once where nothing is asked for', async () => {
      const engine = await bench.started([accounts]);
      await engine.reader.reached([accounts], START);
      await engine.reader.reached([], 'zzz');
    });
    it('ends with the engine', async () => {
      const engine = await bench.started([accounts]);
      const waiting = engine.reader.reached([accounts], 'zzz').catch((reason) => reason);
      await engine.stop();
      expect(await waiting).to.be.instanceOf(NotReached);
    });
  });

  describe('a reader in another process', () => {
    it('notices a second later at most that another collection serves', async () => {
      const engine = await bench.started([accounts], { dropAfterMs: 60_000 });
      await engine.reader.reached([accounts], await bench.write(opened('acc_1')));
      const reader = createReader(bench);
      await reader.get(accounts, 'acc_1');
      const before = await bench.views.live();
      await engine.rebuild('accounts');
      const isNew = async () => (await bench.views.live()).accounts !== before.accounts;
      await untilTrue('the new one serves', isNew);
      await untilLive(engine);
      await engine.reader.reached([accounts], await bench.write(granted('acc_1')));
      expect(await reader.get(accounts, 'acc_1')).to.include({ balance: 0 });
      bench.clock.advance(1_000);
      expect(await reader.get(accounts, 'acc_1')).to.include({ balance: 100 });
    });
    it('says so when nothing serves a projection', async () => {
      const error = await createReader(bench)
        .get(accounts, 'acc_1')
        .catch((reason) => reason);
      expect(error.message).to.contain('nothing serves the projection accounts');
    });
  });

  it('refuses to rebuild what it does not know', async () => {
    const engine = await bench.started([accounts]);
    const error = await engine.rebuild('nonsense').catch((reason) => reason);
    expect(error).to.be.instanceOf(AppError);
    expect(error.code).to.equal('resource.unknown');
  });
});
