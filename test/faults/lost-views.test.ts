import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { accounts } from '../../src/projections/accounts.ts';
import type { Projection } from '../../src/projections/define.ts';
import type { Engine } from '../../src/projections/engine/engine.ts';
import { readStatus } from '../../src/projections/engine/status.ts';
import { ledger } from '../../src/projections/ledger.ts';
import { viewsOver } from '../../src/projections/mongodb/views.ts';
import type { Views } from '../../src/projections/views.ts';
import { seeded } from '../support/faults/random.ts';
import { inEachTest } from '../support/in-suite.ts';
import { createFakeMongo } from '../support/mongodb/fake.ts';
import { bytesOf, foldAll } from '../support/projections.ts';
import { gate, openBench } from '../support/projections-engine.ts';
import { granted, opened, reserved, sent } from '../support/projections-facts.ts';
import { until, untilTrue } from '../support/until.ts';

// The read models are lost while the lease moves: one process still has calls under way while
// another one begins. Calls of the old one are held, or everything goes on in an order drawn by lot.

const projections: readonly Projection[] = [accounts, ledger] as Projection[];

type Verb = 'live' | 'checkpoints' | 'prepare' | 'promote' | 'commit' | 'drop';

describe('two engines on views that are lost @long', () => {
  let mongo: ReturnType<typeof createFakeMongo>;
  /** Views of a process that only looks. */
  let observer: Views;
  const bench = inEachTest(openBench);
  beforeEach(async () => {
    mongo = createFakeMongo();
    observer = viewsOver(mongo.connect());
    await bench.write(opened('acc_1'), granted('acc_1'));
    await bench.write(
      ...Array.from({ length: 12 }, (_, index) => index + 2).flatMap((revision) => [
        reserved('acc_1', { revision, balanceAfter: 100 - revision }),
        sent(`wamid.${revision}`, 'acc_1', { revision }),
      ]),
    );
  });

  const engineOn = (views: Views): Engine =>
    bench.engine(projections, { views, lookEveryMs: 5, rebuildLookMs: 10, dropAfterMs: 2 });
  /** As a loss of the database: everything is gone at once. */
  const lose = () => mongo.tables.clear();

  const shown = async (name: string, ids: readonly string[]) => {
    const collection = (await observer.live())[name];
    if (collection === undefined) return {};
    // Whoever reads asks this first.
    await observer.checkpoint(collection);
    const kept = await observer.getMany(collection, ids);
    kept.sort((one, other) => (one.id < other.id ? -1 : 1));
    return Object.fromEntries(kept.map(({ id, document }) => [id, JSON.stringify(document)]));
  };
  const isFilled = async (): Promise<boolean> => {
    const events = await bench.events();
    for (const projection of projections) {
      const expected = foldAll(projection, events);
      const found = await shown(projection.name, [...expected.keys()]);
      if (JSON.stringify(found) !== JSON.stringify(bytesOf(expected))) return false;
    }
    return true;
  };
  /** What any other process would say of the projections. */
  const saidByOthers = () =>
    readStatus({ store: bench.store, views: observer, projections, clock: bench.clock });
  const demandNothingEmptyIsLive = async (engine?: Engine) => {
    for (const status of [...(await saidByOthers()), ...((await engine?.status()) ?? [])]) {
      if (status.state === 'live') expect(status.position, status.name).to.not.equal('');
    }
  };
  /** All is filled, is said to be so, and goes on. */
  const demandHealed = async (engine: Engine) => {
    await untilTrue('everything is filled and serves', isFilled);
    await untilTrue('everything is said to be live', async () =>
      [...(await engine.status()), ...(await saidByOthers())].every(
        ({ state }) => state === 'live',
      ),
    );
    await bench.write(opened('acc_2'), granted('acc_2'));
    await untilTrue('what comes later shows too', isFilled);
  };

  /** The old process: one call of this verb is held once told to, before or after it is done. */
  const holding = (verb: Verb, when: 'before' | 'after') => {
    const kept = viewsOver(mongo.connect());
    const door = gate();
    let armed = false;
    const call = kept[verb] as (...given: readonly unknown[]) => Promise<unknown>;
    const held = async (...given: readonly unknown[]) => {
      const isAsked = armed;
      if (isAsked && when === 'before') {
        armed = false;
        await door.pass();
      }
      const answer = await call(...given);
      // One that fails, as on lost views, is not done: the next one is held.
      if (isAsked && armed && when === 'after') {
        armed = false;
        await door.pass();
      }
      return answer;
    };
    const views: Views = { ...kept, [verb]: held };
    return {
      views,
      isHeld: () => door.held() > 0,
      arm() {
        armed = true;
        door.close();
      },
      release() {
        armed = false;
        door.open();
      },
    };
  };

  const verbs: Verb[] = ['live', 'checkpoints', 'prepare', 'promote', 'commit', 'drop'];
  /** What healing calls whatever was under way. */
  const again: ReadonlySet<Verb> = new Set(['live', 'checkpoints', 'prepare', 'promote', 'commit']);
  const works = ['serves', 'rebuilds'] as const;
  const releases = ['before the new one starts', 'as it promotes', 'once it is at work'] as const;

  /** One in three runs always, so that each verb is held in every way, and each way of letting go comes. */
  let combinations = 0;
  const tagOf = (turn: number) => (turn % 9 === 0 ? '' : ' @series');
  for (const verb of verbs) {
    for (const when of ['before', 'after'] as const) {
      for (const work of works) {
        // The next one begins with the next way of letting go.
        combinations += 1;
        for (const [at, release] of releases.entries()) {
          const title = `row 35: ${verb} held ${when} it is done, of one that ${work}: let go ${release}`;
          it(`${title}${tagOf(combinations + at)}`, async () => {
            const old = holding(verb, when);
            const first = engineOn(old.views);
            await first.start();
            await untilTrue('it is filled', isFilled);
            if (work === 'rebuilds') {
              if (verb === 'drop') old.arm();
              for (const { name } of projections) await first.rebuild(name);
              await pause(0);
            }
            old.arm();
            lose();
            await bench.write(opened('acc_3'));
            if (again.has(verb)) await until(`${verb} is held`, old.isHeld);
            // Others may not be called again: then nothing is held, and it heals all the same.
            for (let look = 0; look < 40 && !old.isHeld(); look += 1) await pause(1);

            const newer = holding('promote', 'before');
            const second = engineOn(newer.views);
            const stopping = first.stop();
            if (release === 'before the new one starts') old.release();
            if (release === 'as it promotes') newer.arm();
            const starting = second.start();
            if (release === 'as it promotes') {
              for (let look = 0; look < 20 && !newer.isHeld(); look += 1) await pause(1);
              old.release();
              await pause(2);
              newer.release();
            }
            await starting;
            await demandNothingEmptyIsLive(second);
            if (release === 'once it is at work') {
              await untilTrue('the new one is at work', isFilled);
              old.release();
            }
            await stopping;
            await demandHealed(second);
          });
        }
      }
    }
  }

  it('row 35: says live of nothing that is not there or not filled, and heals it', async () => {
    const engine = engineOn(viewsOver(mongo.connect()));
    await engine.start();
    await untilTrue('it is filled', isFilled);
    await engine.stop();
    for (const { name, version } of projections) {
      const collection = `${name}_v${version}_9`;
      mongo.tableOf('views.serving').documents.set(name, { _id: name, collection });
    }
    const states = async () => (await saidByOthers()).map(({ state }) => state);
    expect(await states(), 'not there').to.deep.equal(['catching-up', 'catching-up']);
    for (const { name, version, indexes } of projections) {
      await observer.prepare(`${name}_v${version}_9`, indexes);
    }
    expect(await states(), 'not filled').to.deep.equal(['catching-up', 'catching-up']);
    await engine.start();
    await demandHealed(engine);
  });

  it('row 35: heals what another process lets serve instead', async () => {
    const engine = engineOn(viewsOver(mongo.connect()));
    await engine.start();
    await untilTrue('it is filled', isFilled);
    const before = await observer.live();
    for (const { name, version, indexes } of projections) {
      await observer.prepare(`${name}_v${version}_9`, indexes);
      await observer.promote(name, `${name}_v${version}_9`, before[name]);
    }
    await demandHealed(engine);
    expect(await observer.live()).to.not.deep.equal(before);
  });

  it('row 35: reads again what a restored copy of the views has not seen', async () => {
    const engine = engineOn(viewsOver(mongo.connect()));
    await engine.start();
    await untilTrue('it is filled', isFilled);
    const copy = structuredClone(mongo.tables);
    await bench.write(opened('acc_4'), granted('acc_4'));
    await untilTrue('it has gone on', isFilled);
    mongo.tables.clear();
    for (const [name, table] of copy) mongo.tables.set(name, table);
    await demandHealed(engine);
  });

  const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);
  for (const seed of SEEDS) {
    it(`row 35: heals in any order of their steps: seed ${seed}${tagOf(seed - 1)}`, async () => {
      const random = seeded(seed);
      const below = (end: number) => Math.floor(random() * end);
      const pending: (() => void)[] = [];
      let isFree = false;
      const turn = () =>
        isFree ? Promise.resolve() : new Promise<void>((resolve) => pending.push(resolve));
      /** Lets so many steps go, each drawn by lot from those that wait. */
      const go = async (steps: number) => {
        for (let step = 0; step < steps; step += 1) {
          for (let look = 0; look < 10 && pending.length === 0; look += 1) await pause(0);
          pending.splice(below(pending.length), 1)[0]?.();
        }
      };
      const free = () => {
        isFree = true;
        for (const resolve of pending.splice(0)) resolve();
      };

      const first = engineOn(viewsOver(mongo.connect(turn)));
      const second = engineOn(viewsOver(mongo.connect(turn)));
      const begun: Promise<unknown>[] = [first.start()];
      const acts = [
        () => lose(),
        () => void begun.push(second.start()),
        () => void begun.push(first.rebuild('accounts').catch(() => undefined)),
        () => void begun.push(second.rebuild('ledger').catch(() => undefined)),
        () => lose(),
        () => void begun.push(first.stop()),
      ];
      await go(below(120));
      for (const [, act] of acts.map((one) => [random(), one] as const).sort(([a], [b]) => a - b)) {
        act();
        await go(below(60));
        await demandNothingEmptyIsLive();
      }
      free();
      await Promise.all(begun);
      await first.stop();
      await until('the new one is at work', () => second.running());
      await demandHealed(second);
    });
  }
});
