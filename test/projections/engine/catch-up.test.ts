import { expect } from 'chai';
import { BUCKETS, isOfBuckets } from '../../../src/events/bucket.ts';
import { type Recorded, START } from '../../../src/events/store.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import { catchUp } from '../../../src/projections/engine/catch-up.ts';
import {
  type CollectionWriter,
  createCollectionWriter,
} from '../../../src/projections/engine/collection-writer.ts';
import { createLiveGroup } from '../../../src/projections/engine/live-group.ts';
import { retire } from '../../../src/projections/engine/slots.ts';
import { ledger } from '../../../src/projections/ledger.ts';
import { viewsOver } from '../../../src/projections/mongodb/views.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { createFakeMongo } from '../../support/mongodb/fake.ts';
import { openBench, readingAfter } from '../../support/projections-engine.ts';
import { granted, opened } from '../../support/projections-facts.ts';
import { untilTrue } from '../../support/until.ts';

const COLLECTION = 'accounts_v2_1';

describe('catching up', () => {
  const bench = inEachTest(openBench);
  const stopping = new AbortController();
  const retry = {
    signal: stopping.signal,
    random: () => 0,
    onFailure: (error: unknown) => {
      throw error;
    },
    onProgress: () => {},
  };

  const writerAt = async (collection: string) => {
    await bench.views.prepare(collection, accounts.indexes);
    return createCollectionWriter(accounts, collection, [START]);
  };
  const catchUpTogether = (position: string) => {
    const group = createLiveGroup();
    group.open = true;
    group.position = position;
    const joined: [string, string][] = [];
    const onJoin = async ({ collection, places }: CollectionWriter) => {
      const [place] = places.values();
      expect(place?.isLive).to.equal(true);
      joined.push([collection, place!.position]);
    };
    const { store, views } = bench;
    const open = async (all: readonly Recorded[]) => all;
    const quiet = { open, onHalt: () => {}, onUnreadable: () => {}, onProgress: () => {} };
    return { deps: { store, views, group, onJoin, ...quiet }, joined };
  };

  it("ends exactly at the group's position, before the end of the log", async () => {
    const there = await bench.write(opened('acc_1'), granted('acc_1', { balanceAfter: 5 }));
    await bench.write(granted('acc_1', { revision: 2, balanceAfter: 9 }), opened('acc_2'));
    const writer = await writerAt(COLLECTION);
    const { deps, joined } = catchUpTogether(there);
    await catchUp(deps, [writer], retry);
    expect(joined).to.deep.equal([[COLLECTION, there]]);
    expect(await bench.views.checkpoint(COLLECTION)).to.equal(there);
    const kept = await bench.views.get<{ balance: number }>(COLLECTION, 'acc_1');
    expect(kept?.document.balance).to.equal(5);
    expect(await bench.views.get(COLLECTION, 'acc_2')).to.equal(undefined);
  });

  it("reaches the group's position past events of others", async () => {
    const last = await bench.write(opened('acc_1'));
    const writer = await writerAt(COLLECTION);
    const { deps, joined } = catchUpTogether(`${last}-system-events`);
    await catchUp(deps, [writer], retry);
    expect(joined).to.deep.equal([[COLLECTION, `${last}-system-events`]]);
  });

  it('goes on where another one has moved the same writer, and ends only once that is live', async () => {
    const more = Array.from({ length: 600 }, (_, index) =>
      granted('acc_1', { revision: index + 1 }),
    );
    const there = await bench.write(opened('acc_1'), ...more);
    const writer = await writerAt(COLLECTION);
    const { deps } = catchUpTogether(there);
    /** Reads what comes after a position only once it may. */
    const readingFrom = (isHeld: (position: string) => boolean, door: Promise<void>) =>
      readingAfter(bench.store, (position) => isHeld(position) && door);
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ending = new AbortController();
    const late = readingFrom((position) => position === START, begun.promise);
    const halfway = readingFrom((position) => position !== START, over.promise);
    const second = catchUp({ ...deps, store: late }, [writer], retry);
    const calledOff = { ...retry, signal: ending.signal };
    const first = catchUp({ ...deps, store: halfway }, [writer], calledOff);
    const hasMoved = async () => (await bench.views.checkpoint(COLLECTION)) > START;
    await untilTrue('the first has moved it', hasMoved);
    begun.resolve();
    ending.abort();
    over.resolve();
    await Promise.all([first, second]);
    expect(writer.places.get(0)?.isLive).to.equal(true);
    expect(await bench.views.checkpoint(COLLECTION)).to.equal(there);
  });

  it('moves no bucket that comes to the same place and was not asked of the log', async () => {
    const ids = [1, 2].map((bucket) => `acc_${String(bucket).padStart(32, '0')}`);
    const there = await bench.write(...ids.map((id) => opened(id)));
    const views = viewsOver(createFakeMongo().connect(), BUCKETS);
    await views.prepare(COLLECTION, accounts.indexes);
    const starts = Array.from({ length: BUCKETS }, () => START);
    const writer = createCollectionWriter(accounts, COLLECTION, starts, (one) => one === 1);
    const later = { position: START, halt: null, isLive: false };
    const store = {
      ...bench.store,
      async readAll(position: string, limit: number, buckets?: ReadonlySet<number>) {
        if (!writer.places.has(2)) writer.places.set(2, later);
        const { events, to } = await bench.store.readAll(position, limit);
        return { events: events.filter(({ stream }) => isOfBuckets(stream, buckets!)), to };
      },
    };
    const { deps } = catchUpTogether(there);
    await catchUp({ ...deps, store, views }, [writer], retry);
    const kept = await views.getMany(COLLECTION, ids);
    expect(kept.map(({ id }) => id)).to.have.members(ids);
    expect([...writer.places.values()].every(({ isLive }) => isLive)).to.equal(true);
  });

  it('lets the most advanced writers join first', async () => {
    const first = await bench.write(opened('acc_1'));
    const there = await bench.write(granted('acc_1'));
    const [far, near] = [await writerAt(COLLECTION), await writerAt('accounts_v2_2')];
    const commit = { collection: near.collection, writes: [], from: START, to: first };
    await bench.views.commit([commit]);
    const { deps, joined } = catchUpTogether(there);
    await catchUp(deps, [far, near], retry);
    expect(joined.map(([collection]) => collection)).to.deep.equal(['accounts_v2_2', COLLECTION]);
  });

  it('waits until there is a group to join, and leaves out what was retired', async () => {
    const there = await bench.write(opened('acc_1'));
    const writer = await writerAt(COLLECTION);
    const retired = createCollectionWriter(ledger, 'ledger_v1_1', [START]);
    retire(retired);
    const { deps, joined } = catchUpTogether(there);
    deps.group.open = false;
    const caughtUp = catchUp(deps, [writer, retired], retry);
    await new Promise(setImmediate);
    expect(joined).to.deep.equal([]);
    deps.group.open = true;
    await caughtUp;
    expect(joined).to.deep.equal([[COLLECTION, there]]);
  });
});
