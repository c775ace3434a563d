import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { type RunningReactor, runReactor } from '../../../src/commands/core/reactor.ts';
import {
  createEmptying,
  createKeyDestroyer,
  type DestroyerDeps,
  type Emptying,
  type EmptyingDeps,
} from '../../../src/commands/privacy/erasing.ts';
import { erasureDecider } from '../../../src/commands/privacy/erasure.ts';
import type { DestroyedKeys, KeyMemory } from '../../../src/commands/privacy/keys.ts';
import { createRetentionDuty } from '../../../src/commands/privacy/retention-duty.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { gate } from '../../support/projections-engine.ts';
import { react } from '../../support/react.ts';
import { until, untilTrue } from '../../support/until.ts';

const found = { events: 3, messages: 2, conversations: 1, runs: 0, deadLetters: 0 };
const context = { requestId: 'r-1' };
type Sweeper = EmptyingDeps['sweeper'];
const refsOf = (subjects: readonly { ref: string }[]) => subjects.map(({ ref }) => ref);

describe('the reactors of erasures @long', () => {
  let store: EventStore & { close(): Promise<void> };
  let running: readonly RunningReactor[] = [];
  let ids: ReturnType<typeof countedIds>;
  /** Refs that were joined with the requested ones since. */
  let joined: readonly string[];
  beforeEach(async () => {
    joined = [];
    ids = countedIds();
    store = await openOwnStore();
  });
  afterEach(async () => {
    await stop();
    await store.close();
  });

  /** Calls of the ports in their order, and what happens before the n-th of them. */
  const createStage = (reach: (call: string) => void = () => undefined, destroyed = 1) => {
    const calls: string[] = [];
    const step = (name: string) => async (): Promise<undefined> => {
      reach(name);
      calls.push(name);
    };
    const note = (...what: unknown[]) => calls.push(what.join(' '));
    const appending: EventStore = {
      ...store,
      async append(stream, expected, events) {
        const name = events.map(({ type }) => type).join();
        reach(name);
        const appended = await store.append(stream, expected, events);
        calls.push(name);
        return appended;
      },
    };
    const clock = fixedClock();
    const writer = createWriter({ store: appending, clock, ids: ids });
    const deps: DestroyerDeps & EmptyingDeps & { keys: DestroyedKeys; memory: KeyMemory } = {
      writer,
      keys: {
        destroySubjects: step('destroySubjects'),
        async destroyMonths() {
          await step('destroyMonths')();
          return destroyed;
        },
        setApplied: async (revision) => step(`applied ${revision}`)(),
        clean: step('clean keys'),
      },
      memory: {
        forget: (refs) => note('forget', refs),
        forgetMonths: (...what) => note('forgetMonths', ...what),
      },
      sweeper: {
        erase: async (destroyed) => step(`sweep ${JSON.stringify(destroyed)}`)(),
        clean: step('clean views'),
      },
      async count(subjects) {
        reach('count');
        note('count', refsOf(subjects));
        return found;
      },
      findJoined: async (subjects) => [...refsOf(subjects), ...joined],
      onUnclean: () => undefined,
    };
    return { calls, deps, writer, clock };
  };
  const run = ({ deps }: { deps: DestroyerDeps & EmptyingDeps }): Emptying => {
    const emptying = createEmptying(deps);
    const onFailure = () => undefined;
    running = [createKeyDestroyer(deps), emptying].map((reactor) =>
      runReactor(reactor, { store, onFailure }),
    );
    return emptying;
  };
  const UNEMPTIED = new Error('not emptied by all its workers yet');
  const runSweeping = ({ deps }: ReturnType<typeof createStage>, erase: Sweeper['erase']) =>
    run({ deps: { ...deps, sweeper: { ...deps.sweeper, erase } } });
  const request = (refs: readonly string[], erasureId = 'era_1') => {
    const subjects = refs.map((ref) => ({ accountId: 'acc_1', ref }));
    const wanted = { erasureId, accountId: null, reason: null, subjects };
    const command = { type: 'Request' as const, request: wanted };
    const { writer } = createStage();
    return writer.execute(erasureDecider, erasureId, command, context);
  };
  const typesOf = async (stream: string) => (await store.read(stream)).map(({ type }) => type);
  const isDone = async (id = 'era_1') => (await typesOf(`erasure-${id}`)).includes('ErasureDone');
  const untilDone = () => untilTrue('it is done', isDone);
  const stop = () => Promise.all(running.map((reactor) => reactor.stop()));
  /** What the log tells of destroyed keys. */
  const told = async () => (await store.read('destroyedkeys-all')).map(({ data }) => data);

  const EMPTIED = ['applied 0', 'clean keys', 'clean views'];
  const STEPS = [
    'destroySubjects',
    'forget r1,r2',
    'ContactErased',
    'count r1,r2',
    'ErasureStarted',
    'sweep {"refs":["r1","r2"]}',
    ...EMPTIED,
    'ErasureDone',
  ];
  const DONE = ['ErasureRequested', 'ErasureStarted', 'ErasureDone'];

  it('destroy nothing that is joined after the log was told, when they handle a request again', async () => {
    await request(['r1']);
    const [requested] = await store.read('erasure-era_1');
    const stage = createStage();
    const destroyer = createKeyDestroyer(stage.deps);
    await react(destroyer, requested as never);
    joined = ['r2'];
    stage.calls.length = 0;
    await react(destroyer, requested as never);
    expect(stage.calls).to.deep.equal([]);
    expect(await told()).to.deep.equal([{ erasureId: 'era_1', refs: ['r1'] }]);
  });

  it('take the steps in their order', async () => {
    await request(['r1', 'r2']);
    const stage = createStage();
    run(stage);
    await untilTrue('it is done', async () => stage.calls.length >= STEPS.length);
    expect(await isDone()).to.equal(true);
    expect(stage.calls).to.deep.equal(STEPS);
    expect(await told()).to.deep.equal([{ erasureId: 'era_1', refs: ['r1', 'r2'] }]);
    const done = (await store.read('erasure-era_1')).at(-1)!;
    expect(done.data).to.deep.equal({ erasureId: 'era_1', found });
  });

  it('destroy also what was joined with the contact since the request', async () => {
    await request(['r1']);
    joined = ['r2'];
    const stage = createStage();
    run(stage);
    await untilDone();
    expect(stage.calls).to.include('forget r1,r2').and.include('sweep {"refs":["r1","r2"]}');
    expect(await told()).to.deep.equal([{ erasureId: 'era_1', refs: ['r1', 'r2'] }]);
  });

  it('do an erasure of a contact of whom nothing is held', async () => {
    await request([]);
    run(createStage());
    await untilDone();
    expect(await typesOf('destroyedkeys-all')).to.deep.equal(['ContactErased']);
  });

  for (const step of STEPS.filter((one) => !one.startsWith('forget'))) {
    it(`go on after a process that died before: ${step}`, async () => {
      await request(['r1', 'r2']);
      let hasDied = false;
      const dying = createStage((call) => {
        if (step.startsWith(call)) hasDied = true;
        if (hasDied) throw new Error('died');
      });
      run(dying);
      await until('it dies', () => hasDied);
      await stop();
      expect(await isDone()).to.equal(false);

      run(createStage());
      await untilDone();
      expect(await typesOf('destroyedkeys-all')).to.deep.equal(['ContactErased']);
      expect(await typesOf('erasure-era_1')).to.deep.equal(DONE);
    });
  }

  it('stay running while files cannot be cleaned, and destroy the keys of others meanwhile', async () => {
    let isBusy = true;
    const stage = createStage((call) => {
      if (call === 'clean views' && isBusy) throw new Error('a reader holds the file');
    });
    await request(['r1']);
    const emptying = run(stage);
    await until('it was tried', () => emptying.unclean() !== null);
    expect(emptying.unclean()).to.equal('a reader holds the file');
    expect(emptying.open()).to.equal(1);
    expect(await typesOf('erasure-era_1')).to.deep.equal(['ErasureRequested', 'ErasureStarted']);
    await request(['r2'], 'era_2');
    await until('the other one is swept', () => stage.calls.includes('sweep {"refs":["r2"]}'));
    isBusy = false;
    await untilDone();
    await until('all are clean', () => emptying.open() === 0);
    expect(emptying.unclean()).to.equal(null);
  });

  it('empty what later erasures are about, while one waits for another process', async () => {
    const stage = createStage();
    const swept: string[] = [];
    const erase = async (destroyed: object, _after: string, isDoneElsewhere: boolean) => {
      swept.push(JSON.stringify(destroyed));
      if (swept.at(-1)!.includes('r1') && !isDoneElsewhere) throw UNEMPTIED;
    };
    const emptying = runSweeping(stage, erase);
    await request(['r1']);
    await request(['r2'], 'era_2');
    await untilTrue('the later one is done', () => isDone('era_2'));
    await until('the earlier one alone is open', () => emptying.open() === 1);
    expect(await isDone()).to.equal(false);

    const command = { type: 'Finish' as const };
    await stage.writer.execute(erasureDecider, 'era_1', command, context);
    await until('nothing is open', () => emptying.open() === 0);
    expect(await typesOf('erasure-era_1')).to.deep.equal(DONE);
  });

  it('begin no further attempt once they stop', async () => {
    const door = gate();
    door.close();
    let attempts = 0;
    const stage = createStage();
    const erase = async () => {
      attempts += 1;
      await door.pass();
      throw UNEMPTIED;
    };
    const emptying = runSweeping(stage, erase);
    for (const number of [1, 2, 3, 4, 5]) await request([`r${number}`], `era_${number}`);
    await until('all are open', () => emptying.open() === 5 && attempts === 1);
    const stopped = stop();
    door.open();
    await stopped;
    expect(attempts).to.equal(1);
  });

  it('only empty documents again for an erasure that is done', async () => {
    await request(['r1']);
    run(createStage());
    await untilDone();
    await stop();
    const start = { revision: 0, version: 1, state: '' };
    for (const name of ['erasures', 'emptying']) {
      await store.saveSnapshot(`reactor-${name}`, start, { replace: true });
    }
    const again = createStage();
    const emptying = run(again);
    const head = await store.head();
    const areAtHead = () => running.every(({ status }) => status().position >= head);
    await until('they have read all', () => emptying.open() === 0 && areAtHead());
    expect(again.calls).to.deep.equal(['sweep {"refs":["r1"]}', ...EMPTIED]);
  });

  describe('and the duty of retention', () => {
    const dutyOf = (
      { deps, writer, clock }: ReturnType<typeof createStage>,
      accounts: readonly { accountId: string; months: number; through: string | null }[],
      monotonicMs = () => 0,
    ) =>
      createRetentionDuty({
        writer,
        keys: deps.keys,
        memory: deps.memory,
        clock,
        ids: ids,
        monotonicMs,
        retained: async function* () {
          yield* accounts;
        },
      });
    const { signal } = new AbortController();

    it('destroys, tells and empties months that are over', async () => {
      const stage = createStage();
      run(stage);
      const account = { accountId: 'acc_1', months: 1, through: null };
      expect(await dutyOf(stage, [account]).run(signal)).to.equal(1);
      await until('all is clean', () => stage.calls.includes('clean views'));
      expect(stage.calls).to.deep.equal([
        'destroyMonths',
        'forgetMonths acc_1 2026-09',
        'MonthsExpired',
        'sweep {"accountId":"acc_1","through":"2026-09"}',
        ...EMPTIED,
      ]);
    });
    it('tells of an account even without keys, and of no account only of keys', async () => {
      const stage = createStage(undefined, 0);
      const both = ['', 'acc_1'].map((accountId) => ({ accountId, months: 3, through: null }));
      expect(await dutyOf(stage, both).run(signal)).to.equal(1);
      expect(await told()).to.deep.equal([{ accountId: 'acc_1', through: '2026-07' }]);
    });
    it('leaves alone what has gone before, also with a clock that was set back', async () => {
      const stage = createStage();
      for (const through of ['2026-09', '2026-10', '2027-01']) {
        const account = { accountId: 'acc_1', months: 1, through };
        expect(await dutyOf(stage, [account]).run(signal)).to.equal(0);
      }
      expect(stage.calls).to.deep.equal([]);
    });
    it('destroys nothing early when the clock jumps ahead', async () => {
      const stage = createStage();
      let monotonic = 0;
      const account = { accountId: 'acc_1', months: 1, through: '2026-09' };
      const duty = dutyOf(stage, [account], () => monotonic);
      stage.clock.advance(365 * 24 * 3_600_000);
      expect(await duty.run(signal)).to.equal(0);
      monotonic = 31 * 24 * 3_600_000;
      expect(await duty.run(signal)).to.equal(1);
      expect(stage.calls[1]).to.equal('forgetMonths acc_1 2026-10');
    });
  });
});
