import { expect } from 'chai';
import { accounts } from '../../../src/projections/accounts.ts';
import { projections } from '../../../src/projections/all.ts';
import { defineProjection } from '../../../src/projections/define.ts';
import { ledger } from '../../../src/projections/ledger.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { type Bench, openBench } from '../../support/projections-engine.ts';
import { granted, namesBut, opened, toNewEvent } from '../../support/projections-facts.ts';
import { untilTrue } from '../../support/until.ts';

/** Counts accounts, and cannot count one of a certain name. */
const picky = (refused: string) => namesBut((id) => id === refused, 'picky');

describe('a projection that cannot go on', () => {
  const bench = inEachTest(openBench);

  const statusOf = async (engine: ReturnType<Bench['engine']>, name: string) =>
    (await engine.status()).find((one) => one.name === name)!;
  const malformed = (stream: string, type: string, id: string) =>
    bench.append(stream, { ...toNewEvent(opened('x'), id), type, data: { nonsense: true } });

  describe('a fold that throws', () => {
    it('halts its projection before that event, in sight, and no other', async () => {
      const engine = await bench.started([picky('bad'), accounts]);
      const before = await bench.write(opened('good'));
      const poison = await bench.write(opened('bad'));
      const after = await bench.write(opened('later'), granted('later'));
      await engine.reader.reached([accounts], after);
      await bench.isAsExpected([accounts]);

      const status = await statusOf(engine, 'picky');
      expect(status).to.include({ state: 'halted', position: before });
      expect(status.error).to.deep.equal({
        message: 'AccountOpened cannot be folded: will not count this one',
        position: poison,
        stream: 'account-bad',
      });
      expect((await statusOf(engine, 'accounts')).state).to.equal('live');
      expect(bench.heard.lines.filter(({ level }) => level === 'error')).to.have.length(1);
    });

    it('halts there again after a restart of the same program', async () => {
      const engine = bench.engine([picky('bad'), accounts]);
      const before = await bench.write(opened('good'));
      const head = await bench.write(opened('bad'));
      for (let round = 0; round < 2; round += 1) {
        await engine.start();
        await engine.reader.reached([accounts], head);
        await untilTrue('it halted', async () => (await engine.status())[0]?.state === 'halted');
        expect(await statusOf(engine, 'picky')).to.include({ position: before });
        await engine.stop();
      }
      expect(bench.heard.lines.filter(({ level }) => level === 'error')).to.have.length(2);
    });

    it('continues at that event with a mended program', async () => {
      const broken = await bench.started([picky('bad')]);
      const position = await bench.write(opened('good'), opened('bad'), opened('later'));
      await untilTrue('it halted', async () => (await broken.status())[0]?.state === 'halted');
      await broken.stop();
      const mended = await bench.started([picky('nobody')]);
      await mended.reader.reached([picky('nobody')], position);
      await bench.isAsExpected([picky('nobody')]);
    });
  });

  describe('an event that cannot be read', () => {
    it('halts the projections that handle its type, and no other', async () => {
      const engine = await bench.started([accounts, ledger]);
      const before = await bench.write(opened('acc_1'), granted('acc_1'));
      await engine.reader.reached([accounts], before);
      const poison = await malformed('account-x', 'AccountOpened', 'poison');
      await engine.reader.reached([ledger], await bench.write(opened('acc_2'), granted('acc_2')));
      await bench.isAsExpected([ledger]);
      const status = await statusOf(engine, 'accounts');
      expect(status).to.include({ state: 'halted', position: before });
      expect(status.error).to.include({ position: poison, stream: 'account-x' });
      expect(status.error?.message).to.match(/^AccountOpened cannot be read: /);
      expect(await engine.reader.get(accounts, 'acc_1')).to.include({ balance: 100 });
      expect(bench.heard.lines.filter(({ fields }) => 'type' in fields)).to.deep.equal([]);
    });

    it('of an unhandled type halts none, and is logged once', async () => {
      const engine = await bench.started(projections);
      await malformed('account-x', 'FromTheFuture', 'one');
      await malformed('account-x', 'toString', 'two');
      await malformed('account-x', 'FromTheFuture', 'three');
      await engine.reader.reached(projections, await bench.write(opened('acc_1')));
      await bench.isAsExpected();
      const told = bench.heard.lines.filter(({ level }) => level === 'error');
      expect(told.map(({ fields }) => fields.type)).to.deep.equal(['FromTheFuture', 'toString']);
    });
  });

  it('a document that can never be kept halts its projection only', async () => {
    const looped = defineProjection<object>({
      name: 'looped',
      version: 1,
      indexes: [],
      on: {
        CreditsGranted: {
          key: ({ data }) => data.accountId,
          fold: () => {
            const loop: Record<string, unknown> = {};
            loop.self = loop;
            return loop;
          },
        },
      },
    });
    const engine = await bench.started([looped, accounts, ledger]);
    await bench.write(opened('acc_1'));
    const position = await bench.write(granted('acc_1'));
    await engine.reader.reached([accounts, ledger], position);
    await bench.isAsExpected([accounts, ledger]);
    const status = await statusOf(engine, 'looped');
    expect([status.state, status.error?.position]).to.deep.equal(['halted', position]);
  });
});
