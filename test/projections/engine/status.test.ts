import { expect } from 'chai';
import { type EventStore, START } from '../../../src/events/store.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import type { Projection } from '../../../src/projections/define.ts';
import { readStatus } from '../../../src/projections/engine/status.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { openBench } from '../../support/projections-engine.ts';
import { opened } from '../../support/projections-facts.ts';

describe('the status of a projection, without its engine', () => {
  const bench = inEachTest(openBench);

  const projection = accounts as Projection;
  const collectionOf = (version: number) => `${projection.name}_v${version}_1`;
  const own = collectionOf(projection.version);
  const status = async (change: { store?: EventStore; clock?: Clock } = {}) => {
    const { store, views, clock } = bench;
    const whole = { store, views, clock, projections: [projection], ...change };
    return (await readStatus(whole))[0]!;
  };
  /** Seven seconds after the first event. */
  const laterBy7s = async (): Promise<Clock> => {
    const [event] = await bench.events();
    return { now: () => Date.parse(event!.meta.at) + 7_000 };
  };
  /** Readers get this collection from now on. */
  const serve = async (collection: string) => {
    await bench.views.prepare(collection, projection.indexes, projection.filters);
    await bench.views.promote(projection.name, collection, undefined);
  };
  const fill = async (collection: string) => {
    const to = await bench.store.head();
    await bench.views.commit([{ collection, writes: [], from: START, to }]);
    return to;
  };

  it('is live with the whole log in the collection of this version', async () => {
    await bench.write(opened('acc_1'));
    await serve(own);
    const position = await fill(own);
    expect(await status()).to.include({ state: 'live', position, lag: 0, rebuild: null });
  });

  it('tells of what it has not seen behind many events of others, or that it does not know', async () => {
    await serve(own);
    await fill(own);
    await bench.write(opened('acc_1'));
    const clock = await laterBy7s();
    const behind = (pages: number) => {
      let left = pages;
      const readAll: EventStore['readAll'] = async (...where) => {
        left -= 1;
        return left < 0 ? bench.store.readAll(...where) : { events: [], to: where[0] };
      };
      return status({ store: { ...bench.store, readAll }, clock });
    };
    expect(await behind(3)).to.include({ lag: 7_000, state: 'catching-up' });
    expect(await behind(30)).to.include({ lag: null, state: 'catching-up' });
  });

  it('has a lag in its one partition, whichever bucket the event is of', async () => {
    const end = await bench.store.head();
    await serve(own);
    await bench.write(opened('acc_1'));
    const later = await bench.store.head();
    const store = { ...bench.store, bucketEnds: async () => [end, later, end] };
    const clock = await laterBy7s();
    expect((await status({ store, clock })).lag).to.equal(7_000);
    await fill(own);
    expect((await status({ store, clock })).lag).to.equal(0);
  });

  it('is live in an empty log', async () => {
    await serve(own);
    expect(await status()).to.include({ state: 'live', position: START, lag: 0 });
  });

  it('is catching up without a collection, however young the log is', async () => {
    expect(await status()).to.include({ state: 'catching-up', position: START });
    await bench.write(opened('acc_1'));
    expect(await status()).to.include({ state: 'catching-up', position: START });
  });

  it('is catching up with an empty collection of a young log', async () => {
    await bench.write(opened('acc_1'));
    await serve(own);
    expect(await status()).to.include({ state: 'catching-up', position: START, lag: 0 });
  });

  it('is catching up with a collection of another version, although nothing is missing', async () => {
    await bench.write(opened('acc_1'));
    const older = collectionOf(projection.version - 1);
    await serve(older);
    const position = await fill(older);
    expect(await status()).to.include({ state: 'catching-up', position, lag: 0 });
  });
});
