import { expect } from 'chai';
import { accountDecider } from '../../../src/commands/account/account.ts';
import { createFreeWrites, freeWriteBounds } from '../../../src/commands/account/free-writes.ts';
import {
  type AccountCommand,
  type AccountState,
  initialAccount,
} from '../../../src/commands/account/state.ts';
import { standardPlan } from '../../../src/commands/pricing/pricing.ts';
import { fixedClock } from '../../support/ambient.ts';
import { accountRecord } from '../../support/samples.ts';
import { codeOf } from '../../support/spec.ts';

const ID = 'acc_1';
const FLUSH = 1000;
/** What surrounds an event of 256 KB at most. */
const WRITE = 307_200;
const ACCOUNTS = 10_000;

type Deps = Parameters<typeof createFreeWrites>[0];
const othersHaveRun = () => new Promise((resolve) => setImmediate(resolve));
const nothing = async () => undefined;

/** Counts over a log of open accounts in memory; `begin` counts in another process. */
const open = ({ bytesMax = FLUSH as number | null, flushBytes = FLUSH } = {}) => {
  const clock = fixedClock();
  const states = new Map<string, AccountState>();
  const stateOf = (accountId: string) =>
    states.get(accountId) ?? { ...initialAccount, opened: true };
  const log = {
    isAway: false,
    /** What is written down is in the log only then. */
    hold: undefined as Promise<void> | undefined,
    /** What was read of an account is given to the reader only then. */
    holdRead: undefined as Promise<void> | undefined,
  };
  const written: [accountId: string, bytes: number][] = [];
  const reached: number[] = [];
  const failed: unknown[] = [];
  const writer = {
    async load(_: unknown, accountId: string) {
      const state = stateOf(accountId);
      await log.holdRead;
      return { state, revision: 0 };
    },
    async execute(
      { decide, evolve }: ReturnType<typeof accountDecider>,
      accountId: string,
      command: Extract<AccountCommand, { type: 'CountFreeWrites' }>,
    ) {
      if (log.isAway) throw new Error('away');
      written.push([accountId, command.bytes]);
      await log.hold;
      const before = stateOf(accountId);
      states.set(accountId, decide(command, before).reduce(evolve, before));
      return { state: stateOf(accountId) };
    },
  } as unknown as Deps['writer'];
  const begin = () =>
    createFreeWrites({
      writer,
      account: accountDecider,
      clock,
      bytesPerMb: 1,
      flushBytes,
      lookups: {
        account: async (id) => accountRecord(id),
        plan: async () => ({ ...standardPlan, freeWritesMbPerDay: bytesMax }),
      },
      onReached: (_, bytes) => reached.push(bytes),
      onFailure: (accountId, error) => failed.push([accountId, (error as Error).message]),
    });
  const counted = () => written.map(([, bytes]) => bytes);
  return { free: begin(), begin, clock, written, counted, reached, failed, log };
};

const isRefused = async (work: Promise<unknown>) => (await codeOf(work)) === 'account.free_writes';

/** How many of several works ran side by side at most. */
const sideBySide = async (bytesMax: number, used = 0): Promise<number> => {
  const { free } = open({ bytesMax });
  if (used > 0) free.count('a', used);
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await othersHaveRun();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => free.run('a', work)));
  return most;
};

describe('the count of free writes', () => {
  it('is written down once there is enough of it, and at the stop', async () => {
    const { free, counted } = open({ bytesMax: 10 * FLUSH });
    free.count(ID, FLUSH - 1);
    expect(counted()).to.deep.equal([]);
    free.count(ID, 1);
    free.count(ID, 7);
    await free.stop();
    expect(counted()).to.deep.equal([FLUSH, 7]);
    await free.stop();
    expect(counted()).to.deep.equal([FLUSH, 7]);
  });

  it('refuses at the bound and not before it, unwritten counts included', async () => {
    const { free } = open({ flushBytes: 10 * FLUSH });
    free.count(ID, FLUSH - 1);
    expect(await isRefused(free.run(ID, nothing))).to.equal(false);
    free.count(ID, 1);
    expect(await isRefused(free.run(ID, nothing))).to.equal(true);
  });

  it('holds while counts are on their way into the log, and after they arrived', async () => {
    const held = Promise.withResolvers<void>();
    const { free, counted, log } = open();
    log.hold = held.promise;
    free.count(ID, FLUSH);
    expect(await isRefused(free.run(ID, nothing))).to.equal(true);
    const meanwhile = free.run(ID, nothing);
    held.resolve();
    expect(await isRefused(meanwhile)).to.equal(true);
    await free.stop();
    expect(counted()).to.deep.equal([FLUSH]);
    expect(await isRefused(free.run(ID, nothing))).to.equal(true);
  });

  it('holds for work that had read the account before the count arrived', async () => {
    const [held, heldRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { free, log } = open();
    Object.assign(log, { hold: held.promise, holdRead: heldRead.promise });
    free.count(ID, FLUSH);
    const asked = free.run(ID, nothing);
    await othersHaveRun();
    held.resolve();
    await free.stop();
    heldRead.resolve();
    expect(await isRefused(asked)).to.equal(true);
  });

  it('is known to another process, and forgotten with the UTC day', async () => {
    const { free, begin, clock, reached } = open();
    free.count(ID, 1500);
    await free.stop();
    const other = begin();
    expect(await isRefused(other.run(ID, nothing))).to.equal(true);
    expect(reached).to.deep.equal([1500]);
    clock.advance(43_200_000);
    expect(await isRefused(other.run(ID, nothing))).to.equal(false);
    other.count(ID, FLUSH);
    expect(await isRefused(other.run(ID, nothing))).to.equal(true);
    await other.stop();
    expect(reached).to.deep.equal([1500, FLUSH]);
  });

  it('names the accounts that have reached the bound, until the UTC day ends', async () => {
    const { free, clock } = open();
    free.count(ID, FLUSH - 1);
    await free.stop();
    expect([await free.left(ID), free.usedUp.has(ID)]).to.deep.equal([1, false]);
    free.count(ID, 1);
    await free.stop();
    expect([await free.left(ID), free.usedUp.has(ID)]).to.deep.equal([0, true]);
    clock.advance(43_200_000);
    expect([await free.left(ID), free.usedUp.has(ID)]).to.deep.equal([FLUSH, false]);
  });

  it('bounds nothing on a plan without a bound', async () => {
    const { free } = open({ bytesMax: null });
    free.count(ID, 1_000_000);
    expect(await isRefused(free.run(ID, nothing))).to.equal(false);
  });

  it('passes a failure of the work on', async () => {
    const failing = () => Promise.reject(new RangeError());
    expect(await codeOf(open().free.run(ID, failing))).to.equal('RangeError');
  });
});

describe('the bounds of free writes', () => {
  it('let as many run at a time as fit below the bound with the largest write each', async () => {
    expect(await sideBySide(2 * WRITE)).to.equal(2);
    expect(await sideBySide(2 * WRITE - 1)).to.equal(1);
    expect(await sideBySide(3 * WRITE)).to.equal(3);
    expect(await sideBySide(2 * WRITE + 1, 1)).to.equal(2);
    expect(await sideBySide(2 * WRITE, 1)).to.equal(1);
    expect(await sideBySide(1)).to.equal(1);
  });

  it('let work go near them as long as what ran before leaves room', async () => {
    const { free } = open();
    const work = async () => {
      await othersHaveRun();
      free.count(ID, FLUSH / 2);
    };
    const five = Array.from({ length: 5 }, () => isRefused(free.run(ID, work)));
    expect((await Promise.all(five)).filter((one) => !one)).to.have.length(2);
  });

  it('are of megabytes, and write down what is counted at a quarter of one', () => {
    expect(freeWriteBounds).to.deep.equal({ bytesPerMb: 1_048_576, flushBytes: 262_144 });
  });

  it('keep 10000 accounts in memory, and write down the oldest for one more', async () => {
    const { free, written } = open({ flushBytes: freeWriteBounds.flushBytes });
    for (let account = 0; account < ACCOUNTS; account += 1) free.count(`a${account}`, 1 + account);
    expect(written).to.deep.equal([]);
    free.count('another', 1);
    expect(written).to.deep.equal([['a0', 1]]);
    free.count('one more', 1);
    expect(written).to.deep.equal([
      ['a0', 1],
      ['a1', 2],
    ]);
    await free.stop();
    expect(written).to.have.length(ACCOUNTS + 2);
  });

  it('leave in memory the account whose work runs, and the one on its way into the log', async () => {
    const { free, written } = open({ bytesMax: 1e9 });
    const gate = Promise.withResolvers<void>();
    const running = free.run('busy', () => gate.promise);
    await othersHaveRun();
    free.count('busy', 7);
    free.count('leaving', FLUSH);
    free.count('leaving', 5);
    for (let account = 2; account < ACCOUNTS; account += 1) free.count(`a${account}`, 1);
    free.count('another', 1);
    expect(written).to.deep.equal([
      ['leaving', FLUSH],
      ['a2', 1],
    ]);
    gate.resolve();
    await running;
    await free.stop();
  });

  it('count what another process wrote and what is on its way together', async () => {
    const held = Promise.withResolvers<void>();
    const { free, begin, log } = open({ flushBytes: FLUSH / 2 });
    begin().count(ID, FLUSH / 2);
    await othersHaveRun();
    await free.run(ID, nothing);
    log.hold = held.promise;
    free.count(ID, FLUSH / 2);
    expect(await isRefused(free.run(ID, nothing))).to.equal(true);
    held.resolve();
    await free.stop();
  });

  it('hold for counts that could not be written, which are reported and retried', async () => {
    const { free, written, failed, log } = open();
    log.isAway = true;
    free.count('a', FLUSH);
    await othersHaveRun();
    expect(failed).to.deep.equal([['a', 'away']]);
    expect(await isRefused(free.run('a', nothing))).to.equal(true);
    await othersHaveRun();
    log.isAway = false;
    await free.stop();
    expect(written).to.deep.equal([['a', FLUSH]]);
  });
});
