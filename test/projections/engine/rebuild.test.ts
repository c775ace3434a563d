import { expect } from 'chai';
import { type Position, START } from '../../../src/events/store.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import { projections } from '../../../src/projections/all.ts';
import { requestRebuild } from '../../../src/projections/engine/collections.ts';
import type { Engine } from '../../../src/projections/engine/engine.ts';
import { createReader } from '../../../src/projections/engine/reader.ts';
import { ledger } from '../../../src/projections/ledger.ts';
import { messages } from '../../../src/projections/messages.ts';
import { inEachTest } from '../../support/in-suite.ts';
import {
  gate,
  openBench,
  readingAfter,
  sends,
  untilLive,
} from '../../support/projections-engine.ts';
import { namesBut, opened } from '../../support/projections-facts.ts';
import { until, untilTrue } from '../../support/until.ts';

describe('a rebuild @long', () => {
  const bench = inEachTest(openBench);

  const statusOf = async (engine: Engine, name: string) =>
    (await engine.status()).find((one) => one.name === name)!;
  /** A log whose slices up to a position can be held, except the first few. */
  const slow = (free: number, end: Position = '~') => {
    const door = gate();
    const starts: Position[] = [];
    const store = readingAfter(bench.store, async (position, limit) => {
      if (limit <= 1 || position >= end) return;
      starts.push(position);
      if (starts.length > free) await door.pass();
    });
    return { store, door, starts };
  };

  it('gives the same bytes while events come and readers are served', async () => {
    const engine = await bench.started(projections);
    await bench.write(opened('acc_1'), opened('acc_2'));
    let position = await bench.write(...sends('acc_1', 1, 400));
    await engine.reader.reached(projections, position);
    const before = await bench.views.live();
    const names = ['messages', 'ledger', 'accounts', 'reservations'];
    for (const name of names) await engine.rebuild(name);
    expect((await statusOf(engine, 'messages')).state).to.equal('rebuilding');

    for (let round = 0; round < 12; round += 1) {
      position = await bench.write(...sends('acc_2', 1 + round * 10, 10));
      await engine.reader.reached(projections, position);
      for (const id of [`acc_2.wamid.acc_2.${10 + round * 10}`, 'acc_1.wamid.acc_1.7']) {
        expect(await engine.reader.get(messages, id)).to.be.an('object');
      }
    }
    await untilLive(engine);
    const after = await bench.views.live();
    for (const name of names) expect(after[name]).to.not.equal(before[name]);
    expect(after.keys).to.equal(before.keys);
    await bench.isAsExpected();
    await untilTrue('the old ones are gone', async () => {
      const left = await bench.views.collections();
      return names.every((name) => !left.includes(before[name]!));
    });
    expect((await bench.views.collections()).length).to.equal(projections.length);

    position = await bench.write(...sends('acc_1', 401, 5));
    await engine.reader.reached(projections, position);
    await bench.isAsExpected();
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
    const { rebuild, ...status } = await statusOf(engine, 'ledger');
    const position = await bench.store.head();
    expect(status).to.include({ state: 'rebuilding', lag: 0, position });
    expect(rebuild?.position).to.be.a('string');
    const generations = [1, 2].map((generation) => `ledger_v${ledger.version}_${generation}`);
    expect((await bench.views.collections()).sort()).to.deep.equal(generations);
    await engine.rebuild('ledger');
    expect(await bench.views.collections()).to.have.length(2);
    door.open();
    await untilLive(engine);
    await bench.isAsExpected([ledger]);
  });

  it('continues from its checkpoint after an interruption', async () => {
    const second = `messages_v${messages.version}_2`;
    const { store, door } = slow(3);
    await bench.write(opened('acc_1'), ...sends('acc_1', 1, 1_000));
    const first = await bench.started([messages]);
    await first.reader.reached([messages], await bench.store.head());
    await first.stop();

    door.close();
    await requestRebuild(bench.views, messages);
    const interrupted = await bench.started([messages], { store });
    const hasBegun = async () => (await bench.views.checkpoint(second)) > START && door.held() > 0;
    await untilTrue('it has written some', hasBegun);
    const stopped = interrupted.stop();
    door.open();
    await stopped;
    const resumedFrom = await bench.views.checkpoint(second);
    expect(resumedFrom > START && resumedFrom < (await bench.store.head())).to.equal(true);

    const { store: whole, starts } = slow(1_000);
    const resumed = await bench.started([messages], { store: whole });
    await untilLive(resumed);
    expect(await bench.views.live()).to.deep.equal({ messages: second });
    expect(Math.min(...starts.map(Number)), 'where it began to read').to.equal(Number(resumedFrom));
    await bench.isAsExpected([messages]);
  });

  it('reads the log once for all that are rebuilt together', async () => {
    await bench.write(opened('acc_1'), ...sends('acc_1', 1, 600));
    const settled = await bench.started(projections);
    await settled.reader.reached(projections, await bench.store.head());
    await settled.stop();
    for (const projection of projections) await requestRebuild(bench.views, projection);
    const { store, starts } = slow(1_000);
    const engine = await bench.started(projections, { store });
    await untilLive(engine);
    expect(starts.filter((position) => position === START)).to.have.length(1);
    await bench.isAsExpected();
  });

  it('row 80: fills a new version while the old one serves, and then serves it', async () => {
    const { store, door } = slow(0);
    const old = bench.engine([accounts]);
    await bench.write(opened('acc_1'), opened('acc_2'));
    await old.start();
    await old.reader.reached([accounts], await bench.store.head());
    await old.stop();

    const names = namesBut(() => false, 'accounts');
    const renamed = { ...names, version: accounts.version + 1, indexes: [['name']] };
    door.close();
    const engine = await bench.started([renamed], { store });
    const position = await bench.write(opened('acc_3'));
    await engine.reader.reached([renamed], position, 50);
    await createReader(bench).reached([renamed], position, 50);
    expect(await engine.reader.get(accounts, 'acc_1')).to.include({ balance: 0 });
    const rebuilding = { state: 'rebuilding', version: renamed.version };
    expect(await statusOf(engine, 'accounts')).to.include(rebuilding);
    door.open();
    await untilLive(engine);
    await engine.reader.reached([renamed], position);
    expect(await engine.reader.get(renamed, 'acc_1')).to.deep.equal({ name: 'Account acc_1' });
    await bench.isAsExpected([renamed]);
    const newest = `accounts_v${renamed.version}_2`;
    await untilTrue('the old version is gone', async () =>
      (await bench.views.collections()).every((one) => one === newest),
    );
  });

  it('fills a read model that is new, while the others go on', async () => {
    const engine = await bench.started([accounts]);
    const before = await bench.write(...sends('acc_1', 1, 300));
    await engine.reader.reached([accounts], before);
    await engine.stop();
    const { store, door } = slow(0, before);
    door.close();
    const both = await bench.started([accounts, ledger], { store });
    const position = await bench.write(...sends('acc_1', 301, 5));
    await both.reader.reached([accounts], position);
    const { state } = await statusOf(both, 'ledger');
    door.open();
    expect(state).to.equal('catching-up');
    await both.reader.reached([ledger], position);
    await bench.isAsExpected([accounts, ledger]);
  });

  it('mends a projection that halted', async () => {
    let broken = true;
    const moody = namesBut((id) => broken && id === 'acc_2', 'moody');
    const engine = await bench.started([moody, accounts]);
    await engine.reader.reached([accounts], await bench.write(opened('acc_1'), opened('acc_2')));
    await untilTrue('it halted', async () => (await statusOf(engine, 'moody')).state === 'halted');

    await engine.rebuild('moody');
    await until('the rebuild halted too', () => {
      const halts = bench.heard.lines.filter(({ text }) => text === 'a projection halted');
      return halts.length === 2;
    });
    expect(await engine.reader.get(moody, 'acc_1')).to.deep.equal({ name: 'Account acc_1' });

    broken = false;
    await engine.rebuild('moody');
    await untilLive(engine);
    await engine.reader.reached([moody], await bench.write(opened('acc_3')));
    await bench.isAsExpected([moody]);
  });
});
