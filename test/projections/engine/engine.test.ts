import { expect } from 'chai';
import { START } from '../../../src/events/store.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import { projections } from '../../../src/projections/all.ts';
import { createReader, NotReached } from '../../../src/projections/engine/reader.ts';
import { ledger } from '../../../src/projections/ledger.ts';
import { messages } from '../../../src/projections/messages.ts';
import { reservations } from '../../../src/projections/reservations.ts';
import type { Commit, Views } from '../../../src/projections/views.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { type Bench, gate, openBench } from '../../support/projections-engine.ts';
import { granted, opened, reserved, sent, type Written } from '../../support/projections-facts.ts';
import { until, untilTrue } from '../../support/until.ts';

const sends = (accountId: string, from: number, count: number): Written[] =>
  Array.from({ length: count }, (_, index) => from + index).flatMap((revision) => [
    reserved(accountId, { revision, balanceAfter: 100 - revision }),
    sent(`wamid.${accountId}.${revision}`, accountId, { revision }),
  ]);

describe('the engine @long', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());

  const allAsExpected = async (which = projections) => {
    for (const projection of which) {
      const expected = await bench.expected(projection);
      expect(await bench.shown(projection), projection.name).to.deep.equal(expected);
    }
  };
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
    const engine = bench.engine(projections);
    await engine.start();
    await engine.reader.reached(projections, await bench.store.head());
    await allAsExpected();
    for (let round = 0; round < 5; round += 1) {
      const position = await bench.write(...sends('acc_1', 5 + round * 2, 2));
      await engine.reader.reached(projections, position);
      await allAsExpected();
    }
    const shown = await engine.reader.get(accounts, 'acc_1');
    expect(shown).to.include({ balance: 86, revision: 14 });
    expect(
      (await engine.status()).map(({ state, lag, error }) => [state, lag, error]),
    ).to.deep.equal(projections.map(() => ['live', 0, null]));
  });

  it('starts on an empty log', async () => {
    const engine = bench.engine(projections);
    await engine.start();
    expect(await engine.reader.get(accounts, 'acc_1')).to.equal(undefined);
    const position = await bench.write(opened('acc_1'));
    await engine.reader.reached([accounts], position);
    expect(await engine.reader.get(accounts, 'acc_1')).to.include({ id: 'acc_1' });
  });

  it('answers questions with documents', async () => {
    const position = await bench.write(opened('a'), opened('b'), opened('c'));
    const engine = bench.engine([accounts]);
    await engine.start();
    await engine.reader.reached([accounts], position);
    const many = await engine.reader.getMany(accounts, ['a', 'x', 'c']);
    expect(many.map(({ id }) => id).sort()).to.deep.equal(['a', 'c']);
    const found = await engine.reader.find(accounts, {
      where: { organisationId: 'org_1' },
      order: { field: 'order', direction: 'descending' },
      limit: 2,
    });
    expect(found.map(({ id }) => id)).to.deep.equal(['c', 'b']);
  });

  it('looks for no document that an event begins', async () => {
    const { views } = bench;
    const looked: string[] = [];
    const getMany: typeof views.getMany = (collection, ids) => {
      looked.push(collection.split('_')[0]!);
      return views.getMany(collection, ids);
    };
    const engine = bench.engine([accounts, ledger, messages, reservations], {
      views: { ...views, getMany },
    });
    await engine.start();
    await engine.reader.reached(projections, await bench.write(opened('acc_1'), granted('acc_1')));
    looked.length = 0;
    const last = await bench.write(...sends('acc_1', 2, 3));
    await engine.reader.reached([accounts, ledger, messages, reservations], last);
    expect(looked).to.deep.equal([]);
  });

  it('commits together the events that arrived during the last commit', async () => {
    const { views, commits, door } = watched();
    const engine = bench.engine(projections, { views, batchMax: 150 });
    await engine.start();
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
    await allAsExpected();
  });

  it('moves every checkpoint, also where nothing matched', async () => {
    const engine = bench.engine(projections);
    await engine.start();
    const position = await bench.write(opened('acc_1'), granted('acc_1'));
    await engine.reader.reached(projections, position);
    const status = await engine.status();
    expect(new Set(status.map((one) => one.position))).to.deep.equal(new Set([position]));
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
    await allAsExpected();
    expect((await bench.views.collections()).length).to.equal(projections.length);
  });

  it('writes what it has in hand before it stops', async () => {
    const { views, door } = watched();
    const engine = bench.engine([accounts, ledger], { views });
    await engine.start();
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
    await allAsExpected([accounts, ledger]);
  });

  describe('reached', () => {
    it('throws after the timeout, and names the late projection', async () => {
      const { views, door } = watched();
      const engine = bench.engine([accounts, ledger], { views });
      await engine.start();
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
      const engine = bench.engine([accounts]);
      await engine.start();
      await engine.reader.reached([accounts], START);
      await engine.reader.reached([], 'zzz');
    });
    it('ends with the engine', async () => {
      const engine = bench.engine([accounts]);
      await engine.start();
      const waiting = engine.reader.reached([accounts], 'zzz').catch((reason) => reason);
      await engine.stop();
      expect(await waiting).to.be.instanceOf(NotReached);
    });
  });

  describe('a reader in another process', () => {
    it('sees what the engine wrote, and waits for it', async () => {
      const engine = bench.engine([accounts, messages, reservations]);
      await engine.start();
      const reader = createReader({ views: bench.views, clock: bench.clock });
      for (let revision = 1; revision < 6; revision += 1) {
        const facts = sends('acc_1', revision, 1);
        const position = await bench.write(...(revision === 1 ? [opened('acc_1')] : []), ...facts);
        await reader.reached([accounts, messages], position);
        expect(await reader.get(messages, `acc_1.wamid.acc_1.${revision}`)).to.include({
          recorded: true,
        });
      }
    });
    it('throws when no process moves the checkpoints', async () => {
      const engine = bench.engine([accounts]);
      await engine.start();
      await engine.stop();
      const position = await bench.write(opened('acc_1'));
      for (const reader of [engine.reader, createReader(bench)]) {
        const error = await reader.reached([accounts], position, 20).catch((reason) => reason);
        expect(error).to.be.instanceOf(NotReached);
      }
    });
    it('notices a second later at most that another collection serves', async () => {
      const engine = bench.engine([accounts], { dropAfterMs: 60_000 });
      await engine.start();
      await engine.reader.reached([accounts], await bench.write(opened('acc_1')));
      const reader = createReader(bench);
      await reader.get(accounts, 'acc_1');
      const before = await bench.views.live();
      await engine.rebuild('accounts');
      await untilTrue(
        'the new one serves',
        async () => (await bench.views.live()).accounts !== before.accounts,
      );
      await untilTrue('it is live', async () => (await engine.status())[0]?.state === 'live');
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
    const engine = bench.engine([accounts]);
    await engine.start();
    const error = await engine.rebuild('nonsense').catch((reason) => reason);
    expect(error).to.be.instanceOf(AppError);
    expect(error.code).to.equal('resource.unknown');
  });
});
