import { expect } from 'chai';
import { ALL_BUCKETS, BUCKETS } from '../../../src/events/bucket.ts';
import type { EventStore, Position, Recorded } from '../../../src/events/store.ts';
import { type Destroyed, defineProjection } from '../../../src/projections/define.ts';
import type { Engine } from '../../../src/projections/engine/engine.ts';
import { viewsOver } from '../../../src/projections/mongodb/views.ts';
import { type Commit, type Views, ViewsUnavailable } from '../../../src/projections/views.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { createFakeMongo } from '../../support/mongodb/fake.ts';
import {
  type Bench,
  committingAfter,
  gate,
  openBench,
  readingAfter,
} from '../../support/projections-engine.ts';
import { opened, type Written } from '../../support/projections-facts.ts';
import { until, untilTrue } from '../../support/until.ts';

// The organisation of an account stands for a contact, and the account's name for personal data.

interface Card {
  id: string;
  accountId: string;
  contactRef: string;
  sealedMonth: string | null;
  name: string | null;
  changes: number;
}

/** A contact whose events cannot be folded. */
const HALTING = 'zoe';

/** Where workers share them, each is of the account that stands in its id; else all are of one. */
const cards = (version = 1, isShared = false) =>
  defineProjection<Card>({
    name: 'cards',
    version,
    indexes: [
      ['contactRef', 'sealedMonth?'],
      ['accountId', 'sealedMonth?'],
    ],
    erase: {
      by: 'contactRef',
      document: (card) => ({ ...card, name: null, sealedMonth: null }),
    },
    on: {
      AccountOpened: {
        key: ({ data }) => data.accountId,
        fold: (card, { data, sealedMonth, isErased }, id) => {
          if (data.organisationId === HALTING) throw new Error('cannot be folded');
          return {
            id,
            accountId: isShared ? data.accountId : 'shop',
            contactRef: data.organisationId,
            sealedMonth: isErased ? null : sealedMonth!,
            name: isErased ? null : data.name,
            changes: (card?.changes ?? 0) + 1,
          };
        },
      },
    },
  });

const MONTHS = ['2026-09', '2026-10', '2026-11'];
/** The last digit of the number is the account's bucket. */
const idOf = (ref: string, number: number): string => {
  const digits = number.toString(16).padStart(8, '0');
  return `acc_${Buffer.from(ref.padEnd(4, '0')).toString('hex')}${'0'.repeat(16)}${digits}`;
};
const contact = (ref: string, number: number): Written =>
  opened(idOf(ref, number), { organisationId: ref });

/** All buckets in four parts: those of the same rest. */
const parts = (...which: readonly number[]): ReadonlySet<number> =>
  new Set(ALL_BUCKETS.filter((bucket) => which.includes(bucket % 4)));

/** Opens events under keys in memory, as the service does. */
const createKeys = () => {
  const destroyed: Destroyed[] = [];
  const isGone = (ref: string, month: string) =>
    destroyed.some((one) =>
      'refs' in one ? one.refs.includes(ref) : one.accountId === 'shop' && month <= one.through,
    );
  const open = (event: Recorded): Recorded => {
    const { organisationId, accountId } = event.data as Record<string, string>;
    const sealedMonth = MONTHS[Number.parseInt(accountId!.slice(-8), 16) % MONTHS.length]!;
    const isErased = isGone(organisationId!, sealedMonth);
    return { ...event, sealedMonth, ...(isErased && { isErased: true as const }) };
  };
  return {
    forget: (one: Destroyed) => void destroyed.push(one),
    open: async (events: readonly Recorded[]) => events.map(open),
  };
};

describe('a sweep @long', () => {
  let keys: ReturnType<typeof createKeys>;
  const bench = inEachTest(openBench);
  beforeEach(() => {
    keys = createKeys();
  });

  const started = (change: Parameters<Bench['engine']>[1] = {}, version = 1) =>
    bench.started([cards(version)], { ...keys, ...change });
  const shown = async (engine: Engine, ids: readonly string[]) =>
    (await engine.reader.getMany<Card>(cards(), ids)).sort((one, other) =>
      one.id < other.id ? -1 : 1,
    );
  const namesOf = async (engine: Engine, ids: readonly string[]) =>
    (await shown(engine, ids)).map(({ name }) => name);
  const settled = async (engine: Engine, ...facts: Written[]): Promise<Position> => {
    const position = await bench.write(...facts);
    await engine.reader.reached([cards()], position);
    return position;
  };
  /** The documents as a rebuild makes them. */
  const expectRebuilt = async (engine: Engine, ids: readonly string[]) => {
    const before = await shown(engine, ids);
    const serving = async () => (await bench.views.live()).cards;
    const first = await serving();
    await engine.rebuild('cards');
    await untilTrue('another collection serves', async () => (await serving()) !== first);
    expect(await shown(engine, ids)).to.deep.equal(before);
  };

  it('empties all documents of a contact, and no others, as a rebuild does', async () => {
    const engine = await started();
    const many = Array.from({ length: 1_201 }, (_, number) => contact('ann', number));
    const position = await settled(engine, ...many, contact('bob', 0));
    await engine.erase({ refs: ['ann', 'nobody'] }, position);
    const ids = [...many.keys()].map((number) => idOf('ann', number));
    const names = await namesOf(engine, [...ids, idOf('bob', 0)]);
    expect(names.filter((name) => name !== null)).to.deep.equal([`Account ${idOf('bob', 0)}`]);
    expect(names).to.have.length(1_202);
    await engine.erase(ANN, position);
    await expectRebuilt(engine, [...ids, idOf('bob', 0)]);
  });

  const viewsIn = (mongo: ReturnType<typeof createFakeMongo>) =>
    viewsOver(mongo.connect(), BUCKETS);
  /** A worker that folds these of four partitions. */
  const workerOver = async (views: Views, share: readonly number[]) => {
    const engine = bench.engine([cards(1, true)], { ...keys, views });
    await engine.hold(parts(...share));
    await engine.start();
    return engine;
  };
  /** Two workers that fold these of four partitions. */
  const workersOf = async (
    mongo: ReturnType<typeof createFakeMongo>,
    ...shares: readonly (readonly number[])[]
  ) => {
    const engines: Engine[] = [];
    for (const share of shares) engines.push(await workerOver(viewsIn(mongo), share));
    return engines as [Engine, Engine];
  };
  const ANN: Destroyed = { refs: ['ann'] };
  const NOT_YET = 'cards_v1_1 is not emptied by all its workers yet';
  const refusalOf = (engine: Engine, after: Position) =>
    engine.erase(ANN, after).then(
      () => undefined,
      ({ message }: Error) => message,
    );
  /** One worker, and another one whose write of this document of Ann is held behind a door. */
  const withHeldWrite = async (
    mongo: ReturnType<typeof createFakeMongo>,
    number: number,
    of: Views,
  ) => {
    const one = await workerOver(of, [0, 1, 2, 3]);
    await settled(one, contact('bob', 0));
    await one.hold(parts(0, 1));
    const door = gate();
    const behind = committingAfter(viewsIn(mongo), () => door.pass());
    const other = await workerOver(behind, [2, 3]);
    await other.reader.reached([cards()], await bench.write(contact('bob', 1)));
    door.close();
    await bench.write(contact('ann', number));
    await until('the other one writes it', () => door.held() > 0);
    return { one, other, door, position: await bench.write(contact('bob', 2)) };
  };

  it('of a worker without partitions ends once the others have emptied theirs', async () => {
    const [one, other] = await workersOf(createFakeMongo(), [0, 1, 2, 3], []);
    const position = await settled(one, contact('ann', 0), contact('bob', 0));
    expect(await refusalOf(other, position)).to.equal(NOT_YET);
    await one.erase(ANN, position);
    expect(await refusalOf(other, position)).to.equal(undefined);
    const names = await namesOf(one, [idOf('ann', 0), idOf('bob', 0)]);
    expect(names).to.deep.equal([null, `Account ${idOf('bob', 0)}`]);
  });

  it('waits for what another worker had opened before the keys were gone', async () => {
    const mongo = createFakeMongo();
    const { one, other, door, position } = await withHeldWrite(mongo, 2, viewsIn(mongo));
    const theirs = idOf('ann', 2);
    expect(await refusalOf(one, position)).to.equal(NOT_YET);
    door.open();
    await other.reader.reached([cards()], position);
    expect(await namesOf(one, [theirs])).to.deep.equal([`Account ${theirs}`]);
    expect(await refusalOf(one, position)).to.equal(NOT_YET);
    await other.erase(ANN, position);
    expect(await refusalOf(one, position)).to.equal(undefined);
    expect(await namesOf(one, [theirs])).to.deep.equal([null]);
  });

  it('looks again at a partition that came to it after it was swept', async () => {
    const mongo = createFakeMongo();
    let meanwhile: (() => Promise<void>) | undefined;
    const first = viewsIn(mongo);
    const views: Views = {
      ...first,
      async collections() {
        const work = meanwhile;
        meanwhile = undefined;
        await work?.();
        return first.collections();
      },
    };
    const { one, other, door, position } = await withHeldWrite(mongo, 2, views);
    const theirs = idOf('ann', 2);
    meanwhile = async () => {
      const released = other.hold(parts());
      door.open();
      await released;
      await one.hold(parts(0, 1, 2, 3));
      await one.reader.reached([cards()], position);
    };
    expect(await refusalOf(one, position)).to.equal(NOT_YET);
    expect(await namesOf(one, [theirs])).to.deep.equal([`Account ${theirs}`]);
    await one.erase(ANN, position);
    expect(await namesOf(one, [theirs])).to.deep.equal([null]);
  });

  it('waits for a write of its own that was not answered and may still come', async () => {
    const [late, reading] = [gate(), gate()];
    let isLost = false;
    let landed: Promise<void> = Promise.resolve();
    const views = viewsIn(createFakeMongo());
    const losing: Views = {
      ...views,
      async commit(commits) {
        if (!isLost) return views.commit(commits);
        isLost = false;
        landed = late.pass().then(() => views.commit(commits));
        throw new ViewsUnavailable('no answer in time');
      },
    };
    const store: EventStore = {
      ...bench.store,
      async *follow(...where) {
        await reading.pass();
        yield* bench.store.follow(...where);
      },
    };
    const engine = await started({ views: losing, store });
    await settled(engine, contact('bob', 0));
    late.close();
    reading.close();
    isLost = true;
    await bench.write(contact('ann', 0));
    await until('the write is lost', () => !isLost);
    const position = await bench.write(contact('bob', 1));
    let isErased = false;
    const erasing = engine.erase(ANN, position).finally(() => {
      isErased = true;
    });
    late.open();
    await landed;
    expect(isErased, 'before the log is followed again').to.equal(false);
    reading.open();
    await erasing;
    expect(await namesOf(engine, [idOf('ann', 0)])).to.deep.equal([null]);
  });

  it('empties only what this worker folds where another one has seen to the rest', async () => {
    const [one, other] = await workersOf(createFakeMongo(), [0, 1], [2, 3]);
    const ids = [0, 2].map((number) => idOf('ann', number));
    const position = await settled(other, contact('ann', 0), contact('ann', 2));
    await one.reader.reached([cards()], position);
    await one.erase(ANN, position, true);
    expect(await namesOf(one, ids)).to.deep.equal([null, `Account ${ids[1]}`]);
    await other.erase(ANN, position, true);
    expect(await namesOf(one, ids)).to.deep.equal([null, null]);
  });

  it('ends where one partition has halted', async () => {
    const [one] = await workersOf(createFakeMongo(), [0, 1, 2, 3]);
    await settled(one, contact('ann', 0), contact('ann', 1));
    await bench.write(contact(HALTING, 0));
    await untilTrue('it has halted', async () => (await one.status())[0]!.state === 'halted');
    const position = await bench.write(contact('bob', 1));
    await one.erase(ANN, position);
    const ids = [0, 1].map((number) => idOf('ann', number));
    expect(await namesOf(one, ids)).to.deep.equal([null, null]);
  });

  it('of several workers ends once each has emptied its partitions', async () => {
    const [one, other] = await workersOf(createFakeMongo(), [0, 3], [1, 2]);
    const ids = Array.from({ length: 700 }, (_, number) => idOf('ann', number));
    const all = ids.map((_, number) => contact('ann', number));
    const position = await settled(one, ...all, contact('bob', 0));
    expect(await refusalOf(one, position)).to.equal(NOT_YET);
    const left = (await namesOf(one, ids)).filter((name) => name !== null).length;
    expect(left).to.be.within(1, 699);
    await untilTrue('both have emptied theirs', async () => {
      const refusals = await Promise.all([one, other].map((each) => refusalOf(each, position)));
      return refusals.every((refusal) => refusal === undefined);
    });
    // Each forgets what it had in memory of its documents.
    await settled(other, ...ids.slice(0, 20).map((_, number) => contact('ann', number)));
    const names = await namesOf(one, [...ids, idOf('bob', 0)]);
    expect(names.filter((name) => name !== null)).to.deep.equal([`Account ${idOf('bob', 0)}`]);
  });

  it('empties the documents of an account up to a month', async () => {
    const engine = await started();
    const position = await settled(engine, ...[0, 1, 2].map((number) => contact('ann', number)));
    const months = { accountId: 'shop', through: '2026-10' };
    const ids = [idOf('ann', 0), idOf('ann', 1), idOf('ann', 2)];
    await engine.erase({ ...months, accountId: 'other' }, position);
    expect(await namesOf(engine, ids)).not.to.include(null);
    await engine.erase(months, position);
    expect(await namesOf(engine, ids)).to.deep.equal([null, null, `Account ${idOf('ann', 2)}`]);
    await expectRebuilt(engine, ids);
  });

  it('lets later events be folded into the emptied documents, and not into older ones', async () => {
    const engine = await started();
    const position = await settled(engine, contact('ann', 0), contact('bob', 0));
    await engine.erase(ANN, position);
    await settled(engine, contact('ann', 0), contact('bob', 0));
    const [ann, bob] = await shown(engine, [idOf('ann', 0), idOf('bob', 0)]);
    expect([ann, bob]).to.deep.equal([
      { ...ann, name: null, sealedMonth: null, changes: 2 },
      { ...bob, name: `Account ${idOf('bob', 0)}`, changes: 2 },
    ]);
  });

  it('lets a batch of other events come between two of its chunks', async () => {
    const order: string[] = [];
    const door = gate();
    const seen = { batches: 0 };
    const views: Views = {
      ...bench.views,
      async replace(...what) {
        order.push('chunk');
        await door.pass();
        return bench.views.replace(...what);
      },
      async commit(commits) {
        order.push('batch');
        return bench.views.commit(commits);
      },
    };
    const store: EventStore = {
      ...bench.store,
      async *follow(...where) {
        for await (const batch of bench.store.follow(...where)) {
          seen.batches += batch.events.length > 0 ? 1 : 0;
          yield batch;
        }
      },
    };
    const engine = await started({ views, store });
    const many = Array.from({ length: 1_400 }, (_, number) => contact('ann', number));
    const position = await settled(engine, ...many);
    order.length = 0;
    door.close();
    const sweeping = engine.erase(ANN, position);
    for (let chunk = 1; chunk <= 3; chunk += 1) {
      await until('a chunk is under way', () => door.held() === 1);
      const before = seen.batches;
      await bench.write(contact('bob', chunk));
      await until('the event was read', () => seen.batches > before);
      await new Promise(setImmediate);
      door.open();
      door.close();
      if (chunk === 3) door.open();
    }
    await sweeping;
    await engine.reader.reached([cards()], await bench.store.head());
    expect(order).to.deep.equal(['chunk', 'batch', 'chunk', 'batch', 'chunk', 'batch']);
  });

  const isBuild = (commits: readonly Commit[]) =>
    commits.some(({ collection }) => collection === 'cards_v1_2');
  const secondServes = () =>
    untilTrue('the new collection serves', async () => {
      const { cards: serving } = await bench.views.live();
      return serving === 'cards_v1_2';
    });

  it('empties what is being built from events that were read before', async () => {
    const door = gate();
    let isHeld = false;
    const views = committingAfter(bench.views, async (commits) => {
      if (isHeld || !isBuild(commits)) return;
      isHeld = true;
      await door.pass();
    });
    const engine = await started({ views });
    const many = Array.from({ length: 1_300 }, (_, number) => contact('ann', number));
    const position = await settled(engine, ...many);
    door.close();
    await engine.rebuild('cards');
    await until('the first slice is being written, and the next one read', () => door.held() === 1);
    await new Promise(setImmediate);
    const sweeping = engine.erase(ANN, position);
    await new Promise(setImmediate);
    door.open();
    await sweeping.catch(() => undefined);
    await secondServes();
    const ids = [...many.keys()].map((number) => idOf('ann', number));
    expect(await namesOf(engine, ids)).to.deep.equal(many.map(() => null));
  });

  it('does not make a build begin anew, however often it is tried', async () => {
    const attempts: Promise<unknown>[] = [];
    let isBuilding = false;
    let reads = 0;
    const views = committingAfter(bench.views, async (commits) => {
      if (!isBuild(commits)) return;
      attempts.push(engine.erase(ANN, position).catch(() => undefined));
      // The attempt goes on until it waits for the end of this batch.
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    });
    const store = readingAfter(bench.store, () => {
      if (isBuilding) reads += 1;
    });
    const engine = await started({ views, store });
    const many = Array.from({ length: 3_000 }, (_, number) => contact('bob', number));
    const position = await settled(engine, ...many);
    isBuilding = true;
    await engine.rebuild('cards');
    await secondServes();
    await Promise.all(attempts);
    expect(attempts).to.have.lengthOf.at.least(6);
    // Six slices of 500 events, and the last of them once more while the log stands still.
    expect(reads).to.be.within(6, 8);
  });

  it('asks to be tried again while a collection is there that it cannot empty', async () => {
    const first = await started();
    const position = await settled(first, contact('ann', 0));
    await first.stop();
    const door = gate();
    door.close();
    const store = readingAfter(bench.store, () => door.pass());
    const engine = await started({ store }, 2);
    const refused = await engine.erase(ANN, position).catch((error) => error);
    door.open();
    expect(refused).to.be.instanceOf(ViewsUnavailable);
    expect(refused.message).to.equal('cards_v1_1 has not been replaced yet');

    await untilTrue('the old one is gone', async () =>
      (await bench.views.collections()).every((left) => left !== 'cards_v1_1'),
    );
    await engine.erase(ANN, position);
    expect(await namesOf(engine, [idOf('ann', 0)])).to.deep.equal([null]);
  });

  it('waits for the event of the destruction, and says so when it does not come', async () => {
    const engine = await started();
    await settled(engine, contact('ann', 0));
    const sweeping = engine.erase(ANN, `${await bench.store.head()}0`);
    expect(await namesOf(engine, [idOf('ann', 0)])).to.deep.equal([`Account ${idOf('ann', 0)}`]);
    await engine.stop();
    expect((await sweeping.catch((error) => error)).name).to.equal('NotReached');
    const stopped = await engine.erase(ANN, '').catch((error) => error);
    expect(stopped).to.be.instanceOf(ViewsUnavailable);
  });

  it('names a projection that keeps what it should empty', async () => {
    const careless = { ...cards(), erase: { by: 'contactRef', document: (card: Card) => card } };
    const engine = await bench.started([careless], keys);
    const position = await settled(engine, contact('ann', 0));
    const refused = await engine.erase(ANN, position).catch((error) => error);
    expect(refused.message).to.match(/^cards keeps personal data/);
  });
});
