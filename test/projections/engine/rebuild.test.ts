import { expect } from 'chai';
import { type Position, START } from '../../../src/events/store.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import { projections } from '../../../src/projections/all.ts';
import type { Projection } from '../../../src/projections/define.ts';
import { requestRebuild } from '../../../src/projections/engine/collections.ts';
import type { Engine } from '../../../src/projections/engine/engine.ts';
import { createReader } from '../../../src/projections/engine/reader.ts';
import { ledger } from '../../../src/projections/ledger.ts';
import { messages } from '../../../src/projections/messages.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { gate, openBench, sends } from '../../support/projections-engine.ts';
import { namesBut, opened } from '../../support/projections-facts.ts';
import { until, untilTrue } from '../../support/until.ts';

describe('a rebuild @long', () => {
  const bench = inEachTest(openBench);

  const asExpected = (...which: readonly Projection[]) => bench.isAsExpected(which);
  const statusOf = async (engine: Engine, name: string) =>
    (await engine.status()).find((one) => one.name === name)!;
  const isLive = (engine: Engine) => async () =>
    (await engine.status()).every(({ state }) => state === 'live');
  /** A log whose slices can be held, except the first few. */
  const slow = (free: number) => {
    const door = gate();
    const starts: Position[] = [];
    const store = {
      ...bench.store,
      async readAll(position: Position, limit: number) {
        if (limit > 1) {
          starts.push(position);
          if (starts.length > free) await door.pass();
        }
        return bench.store.readAll(position, limit);
      },
    };
    return { store, door, starts };
  };

  it('gives the same bytes while events come and readers are served', async () => {
    const engine = bench.engine(projections);
    await engine.start();
    await bench.write(opened('acc_1'), opened('acc_2'));
    let position = await bench.write(...sends('acc_1', 1, 400));
    await engine.reader.reached(projections, position);
    const before = await bench.views.live();
    const names = ['messages', 'ledger', 'accounts', 'reservations'];
    for (const name of names) await engine.rebuild(name);
    expect((await statusOf(engine, 'messages')).state).to.equal('rebuilding');

    let looks = 0;
    for (let round = 0; round < 12; round += 1) {
      position = await bench.write(...sends('acc_2', 1 + round * 10, 10));
      await engine.reader.reached(projections, position);
      expect(await engine.reader.get(messages, `acc_2.wamid.acc_2.${10 + round * 10}`)).to.be.an(
        'object',
      );
      expect(await engine.reader.get(messages, 'acc_1.wamid.acc_1.7')).to.be.an('object');
      looks += 1;
    }
    expect(looks).to.equal(12);
    await untilTrue('all are live again', isLive(engine));
    const after = await bench.views.live();
    for (const name of names) expect(after[name]).to.not.equal(before[name]);
    expect(after.keys).to.equal(before.keys);
    await asExpected(...projections);
    await untilTrue('the old ones are gone', async () => {
      const left = await bench.views.collections();
      return names.every((name) => !left.includes(before[name]!));
    });
    expect((await bench.views.collections()).length).to.equal(projections.length);

    position = await bench.write(...sends('acc_1', 401, 5));
    await engine.reader.reached(projections, position);
    await asExpected(...projections);
    expect(bench.heard.lines.filter(({ level }) => level !== 'info')).to.deep.equal([]);
  });

  it('shows how far it is, and changes nothing when asked for twice', async () => {
    const { store, door } = slow(1);
    const engine = bench.engine([ledger], { store });
    await bench.write(opened('acc_1'), ...sends('acc_1', 1, 700));
    await engine.start();
    await engine.reader.reached([ledger], await bench.store.head());
    door.close();
    await engine.rebuild('ledger');
    await engine.rebuild('ledger');
    await until('it is held', () => door.held() > 0);
    const { state, rebuild, lag, position } = await statusOf(engine, 'ledger');
    expect({ state, lag, position }).to.deep.equal({
      state: 'rebuilding',
      lag: 0,
      position: await bench.store.head(),
    });
    expect(rebuild?.position).to.be.a('string');
    const generations = [1, 2].map((generation) => `ledger_v${ledger.version}_${generation}`);
    expect((await bench.views.collections()).sort()).to.deep.equal(generations);
    await engine.rebuild('ledger');
    expect(await bench.views.collections()).to.have.length(2);
    door.open();
    await untilTrue('it is live', isLive(engine));
    await asExpected(ledger);
  });

  it('continues from its checkpoint after an interruption', async () => {
    const second = `messages_v${messages.version}_2`;
    const { store, door } = slow(3);
    await bench.write(opened('acc_1'), ...sends('acc_1', 1, 1_000));
    const first = bench.engine([messages]);
    await first.start();
    await first.reader.reached([messages], await bench.store.head());
    await first.stop();

    door.close();
    await requestRebuild(bench.views, messages);
    const interrupted = bench.engine([messages], { store });
    await interrupted.start();
    await untilTrue('it has written some', async () => {
      return (await bench.views.checkpoint(second)) > START && door.held() > 0;
    });
    const stopped = interrupted.stop();
    door.open();
    await stopped;
    const resumedFrom = await bench.views.checkpoint(second);
    expect(resumedFrom > START && resumedFrom < (await bench.store.head())).to.equal(true);

    const { store: whole, starts } = slow(1_000);
    const resumed = bench.engine([messages], { store: whole });
    await resumed.start();
    await untilTrue('it is live', isLive(resumed));
    expect(await bench.views.live()).to.deep.equal({ messages: second });
    expect(Math.min(...starts.map(Number)), 'where it began to read').to.equal(Number(resumedFrom));
    await asExpected(messages);
  });

  it('reads the log once for all that are rebuilt together', async () => {
    await bench.write(opened('acc_1'), ...sends('acc_1', 1, 600));
    const settled = bench.engine(projections);
    await settled.start();
    await settled.reader.reached(projections, await bench.store.head());
    await settled.stop();
    for (const projection of projections) await requestRebuild(bench.views, projection);
    const { store, starts } = slow(1_000);
    const engine = bench.engine(projections, { store });
    await engine.start();
    await untilTrue('all are live', isLive(engine));
    expect(starts.filter((position) => position === START)).to.have.length(1);
    await asExpected(...projections);
  });

  it('row 80: fills a new version while the old one serves, and then serves it', async () => {
    const { store, door } = slow(0);
    const old = bench.engine([accounts]);
    await bench.write(opened('acc_1'), opened('acc_2'));
    await old.start();
    await old.reader.reached([accounts], await bench.store.head());
    await old.stop();

    const renamed: Projection<{ title: string }> = {
      name: 'accounts',
      version: accounts.version + 1,
      indexes: [['title']],
      on: {
        AccountOpened: {
          key: ({ data }) => data.accountId,
          fold: (_, { data }) => ({ title: data.name.toUpperCase() }),
        },
      },
    };
    door.close();
    const engine = bench.engine([renamed], { store });
    await engine.start();
    const position = await bench.write(opened('acc_3'));
    await engine.reader.reached([renamed], position, 50);
    await createReader(bench).reached([renamed], position, 50);
    expect(await engine.reader.get(accounts, 'acc_1')).to.include({ name: 'Account acc_1' });
    expect(await statusOf(engine, 'accounts')).to.include({
      state: 'rebuilding',
      version: renamed.version,
    });
    door.open();
    await untilTrue('it is live', isLive(engine));
    await engine.reader.reached([renamed], position);
    expect(await engine.reader.get(renamed, 'acc_1')).to.deep.equal({ title: 'ACCOUNT ACC_1' });
    await asExpected(renamed);
    await untilTrue('the old version is gone', async () =>
      (await bench.views.collections()).every((one) => one === `accounts_v${renamed.version}_2`),
    );
  });

  it('fills a read model that is new, while the others go on', async () => {
    const engine = bench.engine([accounts]);
    await engine.start();
    const before = await bench.write(...sends('acc_1', 1, 300));
    await engine.reader.reached([accounts], before);
    await engine.stop();
    const door = gate();
    door.close();
    const store = {
      ...bench.store,
      async readAll(position: Position, limit: number) {
        if (limit > 1 && position < before) await door.pass();
        return bench.store.readAll(position, limit);
      },
    };
    const both = bench.engine([accounts, ledger], { store });
    await both.start();
    const position = await bench.write(...sends('acc_1', 301, 5));
    await both.reader.reached([accounts], position);
    const { state } = await statusOf(both, 'ledger');
    door.open();
    expect(state).to.equal('catching-up');
    await both.reader.reached([ledger], position);
    await asExpected(accounts, ledger);
  });

  it('mends a projection that halted', async () => {
    let broken = true;
    const moody = namesBut((id) => broken && id === 'acc_2', 'moody');
    const engine = bench.engine([moody, accounts]);
    await engine.start();
    await engine.reader.reached([accounts], await bench.write(opened('acc_1'), opened('acc_2')));
    await untilTrue('it halted', async () => (await statusOf(engine, 'moody')).state === 'halted');

    await engine.rebuild('moody');
    await untilTrue('the rebuild halted too', async () => {
      const halts = bench.heard.lines.filter(({ text }) => text === 'a projection halted');
      return halts.length === 2;
    });
    expect(await engine.reader.get(moody, 'acc_1')).to.deep.equal({ name: 'Account acc_1' });

    broken = false;
    await engine.rebuild('moody');
    await untilTrue('it is live', isLive(engine));
    await engine.reader.reached([moody], await bench.write(opened('acc_3')));
    await asExpected(moody);
  });
});
