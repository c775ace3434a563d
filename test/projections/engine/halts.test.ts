import { expect } from 'chai';
import { accounts } from '../../../src/projections/accounts.ts';
import { projections } from '../../../src/projections/all.ts';
import { defineProjection } from '../../../src/projections/define.ts';
import { ledger } from '../../../src/projections/ledger.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { type Bench, openBench } from '../../support/projections-engine.ts';
import { granted, opened, toNewEvent } from '../../support/projections-facts.ts';
import { untilTrue } from '../../support/until.ts';

/** Counts accounts, and cannot count one of a certain name. */
const picky = (version: number, refused: string) =>
  defineProjection<{ name: string; order: string }>({
    name: 'picky',
    version,
    indexes: [['-order']],
    on: {
      AccountOpened: {
        key: ({ data }) => data.accountId,
        fold: (_, { data, position }) => {
          if (data.accountId === refused) throw new Error('will not count this one');
          return { name: data.name, order: position };
        },
      },
    },
  });

describe('a projection that cannot go on', () => {
  const bench = inEachTest(openBench);

  const allAsExpected = (which = projections) => bench.isAsExpected(which);
  const statusOf = async (engine: ReturnType<Bench['engine']>, name: string) =>
    (await engine.status()).find((one) => one.name === name)!;
  const malformed = (stream: string, type: string, id: string) =>
    bench.append(stream, { ...toNewEvent(opened('x'), id), type, data: { nonsense: true } });

  describe('a fold that throws', () => {
    it('halts its projection before that event, in sight, and no other', async () => {
      const engine = bench.engine([picky(1, 'bad'), accounts]);
      await engine.start();
      const before = await bench.write(opened('good'));
      const poison = await bench.write(opened('bad'));
      const after = await bench.write(opened('later'), granted('later'));
      await engine.reader.reached([accounts], after);
      await allAsExpected([accounts]);

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

    it('keeps serving what it had, and is not waited for', async () => {
      const projection = picky(1, 'bad');
      const engine = bench.engine([projection]);
      await engine.start();
      const position = await bench.write(opened('good'), opened('bad'), opened('later'));
      await engine.reader.reached([projection], position, 50);
      expect(await engine.reader.get(projection, 'good')).to.include({ name: 'Account good' });
      expect(await engine.reader.get(projection, 'later')).to.equal(undefined);
    });

    it('halts there again after a restart of the same program', async () => {
      const engine = bench.engine([picky(1, 'bad'), accounts]);
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
      const broken = bench.engine([picky(1, 'bad')]);
      await broken.start();
      const position = await bench.write(opened('good'), opened('bad'), opened('later'));
      await untilTrue('it halted', async () => (await broken.status())[0]?.state === 'halted');
      await broken.stop();
      const mended = bench.engine([picky(1, 'nobody')]);
      await mended.start();
      await mended.reader.reached([picky(1, 'nobody')], position);
      await allAsExpected([picky(1, 'nobody')]);
    });
  });

  describe('an event that cannot be read', () => {
    it('halts the projections that handle its type, and no other', async () => {
      const engine = bench.engine([accounts, ledger]);
      await engine.start();
      const before = await bench.write(opened('acc_1'), granted('acc_1'));
      await engine.reader.reached([accounts], before);
      const poison = await malformed('account-x', 'AccountOpened', 'poison');
      await engine.reader.reached([ledger], await bench.write(opened('acc_2'), granted('acc_2')));
      await allAsExpected([ledger]);
      const status = await statusOf(engine, 'accounts');
      expect(status).to.include({ state: 'halted', position: before });
      expect(status.error).to.include({ position: poison, stream: 'account-x' });
      expect(status.error?.message).to.match(/^AccountOpened cannot be read: /);
      expect(await engine.reader.get(accounts, 'acc_1')).to.include({ balance: 100 });
      expect(bench.heard.lines.filter(({ fields }) => 'type' in fields)).to.deep.equal([]);
    });

    it('of an unhandled type halts none, and is logged once', async () => {
      const engine = bench.engine(projections);
      await engine.start();
      await malformed('account-x', 'FromTheFuture', 'one');
      await malformed('account-x', 'toString', 'two');
      await malformed('account-x', 'FromTheFuture', 'three');
      await engine.reader.reached(projections, await bench.write(opened('acc_1')));
      await allAsExpected();
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
    const engine = bench.engine([looped, accounts, ledger]);
    await engine.start();
    await bench.write(opened('acc_1'));
    const position = await bench.write(granted('acc_1'));
    await engine.reader.reached([accounts, ledger], position);
    await allAsExpected([accounts, ledger]);
    const status = await statusOf(engine, 'looped');
    expect(status.state).to.equal('halted');
    expect(status.error?.position).to.equal(position);
  });
});
