import { expect } from 'chai';
import { accountDecider } from '../../../src/commands/account/account.ts';
import { createFreeWrites } from '../../../src/commands/account/free-writes.ts';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { standardPlan } from '../../../src/commands/pricing/pricing.ts';
import { openCommand } from '../../support/account-commands.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { accountRecord } from '../../support/samples.ts';

const ID = 'acc_1';
const FLUSH = 1000;

describe('the count of free writes @long', () => {
  const closing: (() => Promise<void>)[] = [];
  after(async () => {
    for (const close of closing) await close();
  });

  interface Options {
    megabytes?: number | null;
    /** What is written down waits for it. */
    hold?: Promise<void>;
    /** What was read of the account is given to the reader only then. */
    holdRead?: Promise<void>;
  }
  const open = async ({ megabytes = 10, hold, holdRead }: Options = {}) => {
    const store = await openOwnStore();
    closing.push(() => store.close());
    const clock = fixedClock();
    const writer = createWriter({
      store: {
        ...store,
        async append(stream, expected, events) {
          if (events.some(({ type }) => type === 'FreeWritesCounted')) await hold;
          return store.append(stream, expected, events);
        },
      },
      clock,
      ids: countedIds(),
    });
    await writer.execute(accountDecider(ID), ID, openCommand(ID), { requestId: 'r' });
    const slow: typeof writer = {
      ...writer,
      async load(decider, id) {
        const loaded = await writer.load(decider, id);
        await holdRead;
        return loaded;
      },
    };
    const reached: number[] = [];
    const begin = () =>
      createFreeWrites({
        writer: slow,
        account: accountDecider,
        clock,
        bytesPerMb: 1000,
        flushBytes: FLUSH,
        lookups: {
          account: async (id) => accountRecord(id),
          plan: async () => ({ ...standardPlan, freeWritesMbPerDay: megabytes }),
        },
        onReached: (_, bytes) => reached.push(bytes),
        onFailure: (_, error) => {
          throw error;
        },
      });
    const counted = async () =>
      (await store.read(`account-${ID}`)).flatMap(({ type, data }) =>
        type === 'FreeWritesCounted' ? [(data as { bytes: number }).bytes] : [],
      );
    return { free: begin(), begin, clock, counted, reached };
  };
  const isRefused = (work: Promise<unknown>) =>
    work.then(
      () => false,
      (error) => error.code === 'account.free_writes',
    );
  const nothing = async () => undefined;

  it('is written down once there is enough of it, and at the stop', async () => {
    const { free, counted } = await open();
    free.count(ID, FLUSH - 1);
    expect(await counted()).to.deep.equal([]);
    free.count(ID, 1);
    free.count(ID, 7);
    await free.stop();
    expect(await counted()).to.deep.equal([FLUSH, 7]);
    await free.stop();
    expect(await counted()).to.deep.equal([FLUSH, 7]);
  });

  it('refuses at the bound and not before it, unwritten counts included', async () => {
    const { free } = await open({ megabytes: 1 });
    free.count(ID, FLUSH - 1);
    expect(await isRefused(free.run(ID, nothing))).to.equal(false);
    free.count(ID, 1);
    expect(await isRefused(free.run(ID, nothing))).to.equal(true);
    await free.stop();
  });

  it('holds while counts are on their way into the log, and after they arrived', async () => {
    const held = Promise.withResolvers<void>();
    const { free, counted } = await open({ megabytes: 1, hold: held.promise });
    free.count(ID, FLUSH);
    const asked = free.run(ID, nothing);
    expect(await isRefused(asked)).to.equal(true);
    const meanwhile = free.run(ID, nothing);
    held.resolve();
    expect(await isRefused(meanwhile)).to.equal(true);
    await free.stop();
    expect(await counted()).to.deep.equal([FLUSH]);
    expect(await isRefused(free.run(ID, nothing))).to.equal(true);
  });

  it('holds for work that had read the account before the count arrived', async () => {
    const [held, heldRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { free, counted } = await open({
      megabytes: 1,
      hold: held.promise,
      holdRead: heldRead.promise,
    });
    free.count(ID, FLUSH);
    const asked = free.run(ID, nothing);
    // A whole turn of the event loop and of the reading thread: the work has read nothing counted.
    expect(await counted()).to.deep.equal([]);
    held.resolve();
    await free.stop();
    heldRead.resolve();
    expect(await isRefused(asked)).to.equal(true);
  });

  it('is known to another process, and forgotten with the UTC day', async () => {
    const { free, begin, clock, reached } = await open({ megabytes: 1 });
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
    const { free, clock } = await open({ megabytes: 1 });
    free.count(ID, FLUSH - 1);
    await free.stop();
    expect(await free.left(ID)).to.equal(1);
    expect(free.usedUp.has(ID)).to.equal(false);
    free.count(ID, 1);
    await free.stop();
    expect(await free.left(ID)).to.equal(0);
    expect(free.usedUp.has(ID)).to.equal(true);
    clock.advance(43_200_000);
    expect(await free.left(ID)).to.equal(FLUSH);
    expect(free.usedUp.has(ID)).to.equal(false);
  });

  it('bounds nothing on a plan without a bound', async () => {
    const { free } = await open({ megabytes: null });
    free.count(ID, 1_000_000);
    expect(await isRefused(free.run(ID, nothing))).to.equal(false);
    await free.stop();
  });

  it('lets one write at a time go near the bound, and passes a failure on', async () => {
    const { free } = await open({ megabytes: 1 });
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      free.count(ID, FLUSH / 2);
      running -= 1;
    };
    const refused = await Promise.all(
      Array.from({ length: 5 }, () => isRefused(free.run(ID, work))),
    );
    expect(most).to.equal(1);
    expect(refused.filter((one) => !one)).to.have.length(2);
    await free.stop();
    const wide = await open();
    const failing = wide.free.run(ID, () => Promise.reject(new Error('no')));
    expect(await failing.catch((error: Error) => error.message)).to.equal('no');
    await wide.free.stop();
  });
});
