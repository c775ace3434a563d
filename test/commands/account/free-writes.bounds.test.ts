import { expect } from 'chai';
import { accountDecider } from '../../../src/commands/account/account.ts';
import { createFreeWrites, freeWriteBounds } from '../../../src/commands/account/free-writes.ts';
import { initialAccount } from '../../../src/commands/account/state.ts';
import { standardPlan } from '../../../src/commands/pricing/pricing.ts';
import { fixedClock } from '../../support/ambient.ts';
import { accountRecord } from '../../support/samples.ts';
import { codeOf } from '../../support/spec.ts';

/** What surrounds an event of 256 KB at most. */
const WRITE = 307_200;
const ACCOUNTS = 10_000;

type Deps = Parameters<typeof createFreeWrites>[0];

/** Counts over a log that keeps nothing but what was written down. */
const open = (bytesMax = 1e9, change: Partial<Deps> = {}) => {
  const written: [accountId: string, bytes: number][] = [];
  const failed: unknown[] = [];
  let isAway = false;
  const writer = {
    load: async () => ({ state: initialAccount, revision: 0 }),
    async execute(_: unknown, accountId: string, { bytes }: { bytes: number }) {
      if (isAway) throw new Error('away');
      written.push([accountId, bytes]);
      return { state: initialAccount };
    },
  } as unknown as Deps['writer'];
  const free = createFreeWrites({
    writer,
    account: accountDecider,
    clock: fixedClock(),
    bytesPerMb: 1,
    flushBytes: freeWriteBounds.flushBytes,
    lookups: {
      account: async (id) => accountRecord(id),
      plan: async () => ({ ...standardPlan, freeWritesMbPerDay: bytesMax }),
    },
    onReached: () => undefined,
    onFailure: (accountId, error) => failed.push([accountId, (error as Error).message]),
    ...change,
  });
  const setAway = (is: boolean) => {
    isAway = is;
  };
  return { free, written, failed, setAway };
};
const othersHaveRun = () => new Promise((resolve) => setImmediate(resolve));

/** How many of several works ran side by side at most. */
const sideBySide = async (bytesMax: number, used = 0): Promise<number> => {
  const { free } = open(bytesMax);
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

describe('the bounds of free writes', () => {
  it('let as many run at a time as fit below the bound with the largest write each', async () => {
    expect(await sideBySide(2 * WRITE)).to.equal(2);
    expect(await sideBySide(2 * WRITE - 1)).to.equal(1);
    expect(await sideBySide(3 * WRITE)).to.equal(3);
    expect(await sideBySide(2 * WRITE + 1, 1)).to.equal(2);
    expect(await sideBySide(2 * WRITE, 1)).to.equal(1);
    expect(await sideBySide(1)).to.equal(1);
  });

  it('are of megabytes, and write down what is counted at a quarter of one', () => {
    expect(freeWriteBounds).to.deep.equal({ bytesPerMb: 1_048_576, flushBytes: 262_144 });
  });

  it('keep 10000 accounts in memory, and write down the oldest for one more', async () => {
    const { free, written } = open();
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
    const { free, written } = open();
    const gate = Promise.withResolvers<void>();
    const running = free.run('busy', () => gate.promise);
    await othersHaveRun();
    free.count('busy', 7);
    free.count('leaving', freeWriteBounds.flushBytes);
    free.count('leaving', 5);
    for (let account = 2; account < ACCOUNTS; account += 1) free.count(`a${account}`, 1);
    free.count('another', 1);
    expect(written).to.deep.equal([
      ['leaving', freeWriteBounds.flushBytes],
      ['a2', 1],
    ]);
    gate.resolve();
    await running;
    await free.stop();
  });

  it('count what another process wrote and what is on its way together', async () => {
    const held = Promise.withResolvers<void>();
    const written = { ...initialAccount, freeWrites: [['2026-11-21', 500]] as never };
    const writer = {
      load: async () => ({ state: written, revision: 0 }),
      async execute() {
        await held.promise;
        return { state: written };
      },
    } as unknown as Deps['writer'];
    const { free } = open(1000, { flushBytes: 600, writer });
    await free.run('a', async () => undefined);
    free.count('a', 600);
    expect(await codeOf(free.run('a', async () => undefined))).to.equal('account.free_writes');
    held.resolve();
    await free.stop();
  });

  it('hold for counts that could not be written, which are reported and retried', async () => {
    const { free, written, failed, setAway } = open(100);
    setAway(true);
    free.count('a', freeWriteBounds.flushBytes);
    await othersHaveRun();
    expect(failed).to.deep.equal([['a', 'away']]);
    expect(await codeOf(free.run('a', async () => undefined))).to.equal('account.free_writes');
    await othersHaveRun();
    setAway(false);
    await free.stop();
    expect(written).to.deep.equal([['a', freeWriteBounds.flushBytes]]);
  });
});
