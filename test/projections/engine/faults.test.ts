import { expect } from 'chai';
import { type EventStore, StoreUnavailable } from '../../../src/events/store.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import { projections } from '../../../src/projections/all.ts';
import type { Projection } from '../../../src/projections/define.ts';
import { viewsOver } from '../../../src/projections/mongodb/views.ts';
import type { Views } from '../../../src/projections/views.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { withOthersAfter } from '../../support/log-with-others.ts';
import { createFakeMongo } from '../../support/mongodb/fake.ts';
import { openBench, sends, untilLive } from '../../support/projections-engine.ts';
import { granted, namesBut, opened } from '../../support/projections-facts.ts';
import { until, untilTrue } from '../../support/until.ts';

describe('the engine, when things go wrong @long', () => {
  const bench = inEachTest(openBench);

  describe('views that fail', () => {
    /** Fails commits before or after they are done, once told to. */
    const failing = () => {
      const fault: { when: 'before' | 'after' | null } = { when: null };
      const views: Views = {
        ...bench.views,
        async commit(all) {
          if (fault.when === 'before') throw new Error('the disk is full');
          await bench.views.commit(all);
          if (fault.when === 'after') throw new Error('the answer was lost');
        },
      };
      return { views, fault };
    };
    const warnings = () => bench.heard.lines.filter(({ level }) => level === 'warn').length;

    it('are seen to fail until something is written, also while the log is followed anew', async () => {
      const { views, fault } = failing();
      const seen: (string | undefined)[] = [];
      const store: EventStore = {
        ...bench.store,
        async *follow(position, ...wanted) {
          yield { events: [], to: position };
          seen.push((await engine.status())[0]!.error?.message);
          yield* bench.store.follow(position, ...wanted);
        },
      };
      const engine = bench.engine([accounts], { store, views });
      await engine.start();
      await engine.reader.reached([accounts], await bench.write(opened('acc_1')));
      fault.when = 'before';
      const position = await bench.write(...sends('acc_1', 1, 1));
      await until('it was tried three times', () => seen.length === 3);
      expect(seen).to.deep.equal([undefined, 'the disk is full', 'the disk is full']);
      fault.when = null;
      await engine.reader.reached([accounts], position);
      expect((await engine.status())[0]!.error).to.equal(null);
    });
    it('are tried again, in sight, and nothing is lost or counted twice', async () => {
      const { views, fault } = failing();
      const engine = await bench.started(projections, { views });
      await engine.reader.reached(projections, await bench.write(opened('acc_1')));
      fault.when = 'before';
      const position = await bench.write(...sends('acc_1', 1, 20));
      await untilTrue('the failure shows', async () =>
        (await engine.status()).every(({ error }) => error?.message === 'the disk is full'),
      );
      fault.when = null;
      await engine.reader.reached(projections, position);
      await bench.isAsExpected();
      await untilTrue('the failure is over', async () =>
        (await engine.status()).every(({ error, state }) => error === null && state === 'live'),
      );
    });

    it('may have done what they failed to answer', async () => {
      const { views, fault } = failing();
      const engine = await bench.started(projections, { views });
      await engine.reader.reached(projections, await bench.write(opened('acc_1')));
      for (let round = 1; round <= 3; round += 1) {
        const before = warnings();
        fault.when = 'after';
        const position = await bench.write(...sends('acc_1', round, 1));
        await until('it failed', () => warnings() > before);
        fault.when = null;
        await engine.reader.reached(projections, position);
      }
      await bench.isAsExpected();
      expect((await engine.reader.get(accounts, 'acc_1'))?.usage.days).to.deep.equal([
        ['2026-11-21', 3],
      ]);
    });
  });

  it('a log that fails is followed again', async () => {
    let broken = false;
    const store: EventStore = {
      ...bench.store,
      async *follow(position, signal) {
        for await (const batch of bench.store.follow(position, signal)) {
          if (broken) throw new Error('the connection dropped');
          yield batch;
        }
      },
      async head() {
        if (broken) throw new Error('the connection dropped');
        return bench.store.head();
      },
    };
    const engine = await bench.started(projections, { store });
    await engine.reader.reached(projections, await bench.write(opened('acc_1')));
    broken = true;
    const position = await bench.write(...sends('acc_1', 1, 5));
    await untilTrue('the failure shows', async () =>
      (await engine.status()).every(({ error }) => error?.message === 'the connection dropped'),
    );
    expect((await engine.status())[0]?.lag, 'nobody can tell').to.equal(null);
    broken = false;
    await engine.reader.reached(projections, position);
    await bench.isAsExpected();
  });

  describe('views of another, longer log', () => {
    const other = inEachTest(openBench);
    beforeEach(async () => {
      const foreign = await other.started([accounts], { views: bench.views });
      const facts = Array.from({ length: 30 }, (_, index) => opened(`other_${index}`));
      await foreign.reader.reached([accounts], await other.write(...facts));
      await foreign.stop();
      await bench.write(opened('acc_1'), granted('acc_1'));
    });

    // The first is that of the start, the last two are those of its first session.
    for (const failing of [2, 3, 4]) {
      it(`are replaced though the log grows, and look ${failing} for its end fails`, async () => {
        const { accounts: serving } = await bench.views.live();
        let looks = 0;
        const store: EventStore = {
          ...bench.store,
          async end() {
            looks += 1;
            if (looks === failing) throw new StoreUnavailable('the log does not answer');
            return bench.store.end();
          },
          // Always further on than the read models.
          head: async () => '9'.repeat(16),
        };
        const engine = bench.engine([accounts], { store, lookEveryMs: 10 });
        const start = () =>
          engine.start().then(
            () => true,
            () => false,
          );
        await untilTrue('it has started', start);
        const isReplaced = async () => (await bench.views.live()).accounts !== serving;
        await untilTrue('others serve', isReplaced);
        expect(looks).to.be.at.least(failing);
      });
    }

    it('are built again', async () => {
      const engine = await bench.started([accounts]);
      await untilLive(engine);
      await engine.reader.reached([accounts], await bench.write(opened('acc_2')));
      await bench.isAsExpected([accounts]);
      expect(await engine.reader.get(accounts, 'other_1')).to.equal(undefined);
      expect(await engine.reader.get(accounts, 'acc_1')).to.include({ balance: 100 });
    });
  });

  it('views that have passed the last events, which are of others, stay as they are', async () => {
    const head = await bench.write(opened('acc_1'), granted('acc_1'));
    const store = withOthersAfter(bench.store, head, 5);
    const end = await store.end();
    const first = await bench.started([accounts], { store });
    await first.reader.reached([accounts], head);
    const { accounts: serving = '' } = await bench.views.live();
    await untilTrue('they have passed it', async () => {
      const { [serving]: checkpoints = [] } = await bench.views.checkpoints();
      return checkpoints.every((one) => one === end);
    });
    await first.stop();

    const second = await bench.started([accounts], { store });
    await untilLive(second);
    expect(await bench.views.live()).to.deep.equal({ accounts: serving });
    expect(await bench.views.collections()).to.deep.equal([serving]);
    await bench.isAsExpected([accounts]);
  });

  /** Views that can be lost. */
  const losable = () => {
    const open = () => viewsOver(createFakeMongo().connect());
    let kept = open();
    return {
      views: new Proxy(kept, { get: (_, name) => kept[name as keyof typeof kept] }),
      lose() {
        kept = open();
      },
      untilFilled: (name: string) =>
        untilTrue('it is filled again', async () => {
          const { [name]: collection } = await kept.live();
          return collection !== undefined && (await kept.get(collection, 'acc_1')) !== undefined;
        }),
    };
  };

  it('views that are lost while nothing happens are filled again', async () => {
    const { views, lose, untilFilled } = losable();
    const engine = await bench.started([accounts], { views });
    await engine.reader.reached([accounts], await bench.write(opened('acc_1'), granted('acc_1')));
    await untilLive(engine);
    lose();
    await untilFilled('accounts');
    expect(await engine.reader.get(accounts, 'acc_1')).to.include({ balance: 100 });
  });

  it('views that are lost after a halt are filled again up to that', async () => {
    const names = namesBut((id) => id === 'acc_2');
    const { views, lose, untilFilled } = losable();
    const engine = await bench.started([accounts as Projection, names], { views });
    const last = await bench.write(opened('acc_1'), opened('acc_2'));
    expect(await engine.reader.reached([names], last)).to.equal('halted');
    lose();
    await untilFilled('names');
    await untilTrue('it halts again', async () => (await engine.status())[1]?.state === 'halted');
  });
});
