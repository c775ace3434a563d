import { expect } from 'chai';
import { ALL_BUCKETS, BUCKETS, bucketOfAccount, isOfBuckets } from '../../../src/events/bucket.ts';
import { type EventStore, START } from '../../../src/events/store.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import { slowestOf } from '../../../src/projections/checkpoints.ts';
import type { Projection } from '../../../src/projections/define.ts';
import type { Engine } from '../../../src/projections/engine/engine.ts';
import { createReader } from '../../../src/projections/engine/reader.ts';
import { readStatus } from '../../../src/projections/engine/status.ts';
import { ledger } from '../../../src/projections/ledger.ts';
import { messages } from '../../../src/projections/messages.ts';
import { viewsOver } from '../../../src/projections/mongodb/views.ts';
import { refunds } from '../../../src/projections/refunds.ts';
import { reservations } from '../../../src/projections/reservations.ts';
import { Unwritable, type Views } from '../../../src/projections/views.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { withOthersAfter } from '../../support/log-with-others.ts';
import { createFakeMongo } from '../../support/mongodb/fake.ts';
import { bytesOf, foldAll } from '../../support/projections.ts';
import {
  committingAfter,
  gate,
  openBench,
  readingAfter,
} from '../../support/projections-engine.ts';
import {
  namesBut,
  opened,
  refunded,
  reserved,
  sent,
  type Written,
} from '../../support/projections-facts.ts';
import { until, untilTrue } from '../../support/until.ts';

/** The account of a bucket. */
const account = (bucket: number) => `acc_${bucket.toString(16).padStart(32, '0')}`;
/** All buckets in four parts: those of the same rest. */
const parts = (...which: readonly number[]): ReadonlySet<number> =>
  new Set(ALL_BUCKETS.filter((bucket) => which.includes(bucket % 4)));
const all: readonly Projection[] = [accounts, ledger, messages, reservations, refunds];
const accountsAlone: readonly Projection[] = [accounts];

const sends = (accountId: string, from: number, count: number): Written[] =>
  Array.from({ length: count }, (_, index) => from + index).flatMap((revision) => [
    reserved(accountId, { revision, balanceAfter: 10_000 - revision }),
    revision % 3 === 0
      ? refunded(accountId, { revision: revision + 1000, of: revision })
      : sent(`wamid.${accountId}.${revision}`, accountId, { revision }),
  ]);

/** A log that leaves out what it may when it is read for some buckets. */
const ofShare = (store: EventStore): EventStore => ({
  ...store,
  async readAll(position, limit, buckets) {
    const { events, to } = await store.readAll(position, limit, buckets);
    return { events: events.filter(({ stream }) => !buckets || isOfBuckets(stream, buckets)), to };
  },
});

describe('workers that share the partitions of the read models @long', () => {
  let mongo: ReturnType<typeof createFakeMongo>;
  let views: Views;
  const bench = inEachTest(openBench);
  beforeEach(async () => {
    mongo = createFakeMongo();
    views = viewsOver(mongo.connect(), BUCKETS);
  });

  const worker = async (
    partitions: readonly number[],
    which = all,
    over: Views = viewsOver(mongo.connect(), BUCKETS),
    store: EventStore = bench.store,
  ): Promise<Engine> => {
    const looks = { lookEveryMs: 10, rebuildLookMs: 20 };
    const engine = bench.engine(which, { views: over, store: ofShare(store), ...looks });
    await engine.hold(parts(...partitions));
    await engine.start();
    return engine;
  };
  /** The checkpoints of the collection that serves. */
  const placesOf = async (name: string): Promise<readonly string[]> =>
    (await views.checkpoints())[(await views.live())[name]!] ?? [];
  /** All partitions but this one come to a position. */
  const onlyBehind = (bucket: number, name: string, position: string) =>
    untilTrue(`only ${bucket} is behind`, async () => {
      const places = await placesOf(name);
      return places.every((place, one) => place >= position === (one !== bucket));
    });
  const secondLedgerServes = () =>
    untilTrue('it serves', async () => (await views.live()).ledger === 'ledger_v4_2');
  const shown = async (projection: Projection, ids: Iterable<string>) => {
    const kept = await views.getMany((await views.live())[projection.name]!, [...ids]);
    return bytesOf(new Map(kept.map((one) => [one.id, one])));
  };
  const allAsExpected = async (which = all) => {
    const events = await bench.events();
    for (const projection of which) {
      const expected = foldAll(projection, events);
      const found = await shown(projection, expected.keys());
      expect(found, projection.name).to.deep.equal(bytesOf(expected));
    }
  };
  /** Until the partitions of the serving collections have seen the position, as readers wait for it. */
  const reached = (position: string, which = all, held = parts(0, 1, 2, 3)) =>
    untilTrue('all partitions are there', async () => {
      const all = await Promise.all(which.map(({ name }) => placesOf(name)));
      return all.every(
        (places) => slowestOf(places.filter((_, partition) => held.has(partition))) >= position,
      );
    });

  it('come to what one alone does, each with its own documents', async () => {
    await worker([0, 2]);
    await worker([1]);
    await worker([3]);
    await bench.write(opened(account(1)), opened(account(2)));
    await reached(await bench.write(...sends(account(1), 1, 20), ...sends(account(2), 1, 20)));
    await allAsExpected();
  });

  it('leave documents alone whose partition no worker holds, until one does', async () => {
    const engine = await worker([0, 1, 2]);
    const ids = [1, 2, 3, 4, 5, 6].map(account);
    const position = await bench.write(...ids.map((id) => opened(id)));
    const of = (held: readonly number[]) =>
      ids.filter((id) => held.includes(bucketOfAccount(id) % 4));
    const there = async () => Object.keys(await shown(accounts, ids));
    const own = of([0, 1, 2]);
    await untilTrue('it wrote its own', async () => (await there()).length === own.length);
    expect(await there()).to.have.members(own);
    expect(of([3])).to.not.deep.equal([]);
    expect((await placesOf('accounts'))[3]! < position).to.equal(true);
    expect(engine.running()).to.equal(true);
    await worker([3]);
    await reached(position);
    expect(await there()).to.have.members(ids);
  });

  it('write no more to a partition once they have given it away', async () => {
    const engine = await worker([0, 1, 2, 3], accountsAlone);
    const ids = [1, 2, 3, 4, 5, 6].map(account);
    const before = await bench.write(...ids.slice(0, 3).map((id) => opened(id)));
    await reached(before, accountsAlone);
    await engine.hold(parts(0, 2));
    const after = await bench.write(...ids.slice(3).map((id) => opened(id)));
    await untilTrue('it goes on with its own', async () => {
      const now = await placesOf('accounts');
      return [0, 2].every((partition) => now[partition]! >= after);
    });
    const now = await placesOf('accounts');
    expect([now[1], now[3]]).to.deep.equal([before, before]);
  });

  it('go on with what they have while they catch up with what they get', async () => {
    const ofBucket = async (bucket: number) => (await placesOf('ledger'))[bucket]!;
    let isGated = false;
    const opening = Promise.withResolvers<void>();
    const store = readingAfter(bench.store, () => isGated && opening.promise);
    const engine = await worker([1], all, undefined, store);
    const before = await bench.write(opened(account(1)), opened(account(2)));
    await untilTrue('it has folded its own', async () => (await ofBucket(1)) >= before);
    isGated = true;
    await engine.hold(parts(1, 2));
    const after = await bench.write(...sends(account(1), 1, 6), ...sends(account(2), 1, 6));
    await untilTrue('it goes on with its own', async () => (await ofBucket(1)) >= after);
    expect((await ofBucket(2)) < before).to.equal(true);
    opening.resolve();
    await worker([0, 3]);
    await reached(after);
    await allAsExpected();
  });

  it('lose nothing and do nothing twice while partitions move between them', async () => {
    const [first, second] = [await worker([0, 1, 2, 3]), await worker([])] as const;
    await bench.write(opened(account(1)), opened(account(2)));
    let position = '';
    const halves = [[0, 1], [2], [3, 1, 0], []];
    for (const [round, half] of halves.entries()) {
      const before = bench.write(...sends(account(1), 1 + round * 6, 6));
      const taken = parts(...[0, 1, 2, 3].filter((one) => !half.includes(one)));
      // Whoever gives a partition away stops before the other one begins.
      await second.hold(parts());
      await first.hold(parts(...half));
      await second.hold(taken);
      await before;
      position = await bench.write(...sends(account(2), 1 + round * 6, 6));
    }
    await reached(position);
    await allAsExpected();
    for (const engine of [first, second]) {
      expect((await engine.status()).every(({ state }) => state === 'live')).to.equal(true);
    }
  });

  it('go on with a partition that moves while one of them looks for the end of the log', async () => {
    await bench.write(...sends(account(1), 1, 4));
    const one = await worker([0, 1]);
    let meanwhile: (() => Promise<void>) | undefined;
    const store: EventStore = {
      ...bench.store,
      async end() {
        const end = await bench.store.end();
        const work = meanwhile;
        meanwhile = undefined;
        await work?.();
        return end;
      },
    };
    const other = await worker([2], all, viewsOver(mongo.connect(), BUCKETS), store);
    const before = await views.live();
    const moved = Promise.withResolvers<void>();
    meanwhile = async () => {
      const position = await bench.write(...sends(account(1), 5, 4));
      await untilTrue('the first one has moved its partitions', async () => {
        const { [before.accounts!]: places = [] } = await views.checkpoints();
        return places.slice(0, 2).every((place) => place >= position);
      });
      await one.hold(parts(0));
      moved.resolve(other.hold(parts(1, 2, 3)));
    };
    await other.hold(parts(2, 3));
    await moved.promise;
    await reached(await bench.write(opened(account(2))));
    expect(await views.live()).to.deep.equal(before);
    await allAsExpected();
  });
  it('row 15: halt one partition alone, which the others know and do not wait for', async () => {
    const picky = namesBut((id) => id === account(2));
    const [first, second] = [await worker([0, 1], [picky]), await worker([2, 3], [picky])];
    await bench.write(opened(account(1)));
    const poison = await bench.write(opened(account(2)));
    const last = await bench.write(opened(account(5)), opened(account(3)));

    const elsewhere = { store: bench.store, views, clock: bench.clock };
    await createReader(elsewhere).reached([picky], last);
    const shownBy = await shown(picky, [1, 2, 3, 5].map(account));
    expect(Object.keys(shownBy)).to.have.members([1, 3, 5].map(account));
    await onlyBehind(2, picky.name, last);

    const message = 'AccountOpened cannot be folded: will not count this one';
    const error = { message, position: poison };
    const [[one], [other], [known]] = await Promise.all([
      first.status(),
      second.status(),
      readStatus({ ...elsewhere, projections: [picky] }),
    ]);
    const stream = `account-${account(2)}`;
    const all = [one!, other!, known!];
    expect(all.map(({ state }) => state)).to.deep.equal(Array(3).fill('halted'));
    expect(all.map(({ isHaltedHere }) => isHaltedHere)).to.deep.equal([false, true, false]);
    expect(other!.error).to.deep.equal({ ...error, stream });
    expect(known!.error).to.deep.equal({ ...error, stream: null });

    await second.stop();
    await worker([2, 3], [namesBut(() => false)]);
    await untilTrue('a program that can read it goes on', async () => {
      const [status] = await readStatus({ ...elsewhere, projections: [picky] });
      return status!.state === 'live' && status!.error === null;
    });
    expect(Object.keys(await shown(picky, [account(2)]))).to.deep.equal([account(2)]);
  });

  it('come to the same where two believe that they hold the same partitions', async () => {
    await worker([0, 1, 2]);
    await worker([1, 2, 3]);
    await bench.write(opened(account(1)));
    for (let round = 0; round < 4; round += 1) {
      await reached(await bench.write(...sends(account(1), 1 + round * 6, 6)));
    }
    await allAsExpected();
  });

  it('promote a rebuild once all partitions of it are there, and not before', async () => {
    const one = await worker([0, 1]);
    await worker([2]);
    await bench.write(opened(account(1)));
    await bench.write(...sends(account(1), 1, 12));
    const before = await views.live();
    await one.rebuild('ledger');
    await untilTrue('their parts are built', async () => {
      const built = (await views.checkpoints()).ledger_v4_2;
      return built !== undefined && [0, 1, 2].every((partition) => built[partition] !== '');
    });
    expect(await views.live()).to.deep.equal(before);
    await worker([3]);
    await secondLedgerServes();
    await reached(await bench.write(...sends(account(1), 13, 6)));
    await allAsExpected();
    await untilTrue('the old one is dropped', async () =>
      (await views.collections()).every((left) => left !== before.ledger),
    );
  });

  it('promote a rebuild while nothing is written, though each has passed other events of others', async () => {
    await bench.write(opened(account(1)));
    const head = await bench.write(...sends(account(1), 1, 12));
    const workerAfter = (count: number, partitions: readonly number[]) =>
      worker(partitions, all, undefined, withOthersAfter(bench.store, head, count));
    const one = await workerAfter(9, [0, 1]);
    await workerAfter(5, [2, 3]);
    await reached(head);
    await one.rebuild('ledger');
    await secondLedgerServes();
    await allAsExpected();
  });
  it('do not promote what they have no partition of', async () => {
    const one = await worker([0, 1, 2, 3]);
    await worker([]);
    await bench.write(opened(account(1)));
    await reached(await bench.write(...sends(account(1), 1, 12)));
    await one.hold(parts());
    await one.rebuild('ledger');
    const before = await views.live();
    // Long enough for several looks of each.
    const last = await bench.write(...sends(account(1), 13, 6));
    const third = await worker([0]);
    await untilTrue('its part is built', async () => {
      const built = (await views.checkpoints()).ledger_v4_2 ?? [];
      return (built[0] ?? '') >= last;
    });
    expect(await views.live()).to.deep.equal(before);
    await third.hold(parts(0, 1, 2, 3));
    await secondLedgerServes();
    await reached(last);
    await allAsExpected();
  });

  it('are sent their share alone from their first event', async () => {
    await bench.write(opened(account(1)), opened(account(2)));
    const head = await bench.write(...sends(account(1), 1, 20), ...sends(account(2), 1, 20));
    const shares = new Set<string>();
    const shareOf = (buckets: Iterable<number> = []) => [...buckets].sort().join() || 'all';
    for (const part of [0, 1, 2, 3]) {
      await worker([part], all, undefined, {
        ...bench.store,
        readAll(position, limit, buckets) {
          shares.add(shareOf(buckets));
          return bench.store.readAll(position, limit, buckets);
        },
        follow(position, signal, interest, buckets) {
          shares.add(shareOf(buckets));
          return bench.store.follow(position, signal, interest, buckets);
        },
      });
    }
    await reached(head);
    const wanted = [0, 1, 2, 3].map((part) => shareOf(parts(part)));
    expect([...shares]).to.have.members(wanted);
    await allAsExpected();
  });

  it('read what came before their first share once, from where that is', async () => {
    const one = await worker([0, 1, 2, 3]);
    await reached(await bench.write(opened(account(1))));
    await one.stop();
    const head = await bench.write(...sends(account(1), 1, 20));
    let pages = 0;
    const store = readingAfter(bench.store, (_, limit) => {
      if (limit > 1) pages += 1;
    });
    const next = await worker([], all, undefined, store);
    await next.hold(parts(0, 1, 2, 3));
    await reached(head);
    expect(pages).to.equal(0);
    await allAsExpected();
  });

  it('build nothing from a batch that was read for what they held before', async () => {
    const door = gate();
    let looks = 0;
    const checkpoints = () => {
      looks += 1;
      return views.checkpoints();
    };
    const one = await worker(
      [0, 1, 2],
      accountsAlone,
      { ...views, checkpoints },
      {
        ...bench.store,
        async *follow(position, signal, interest, buckets) {
          for await (const { events, to } of bench.store.follow(position, signal, interest)) {
            const ours = events.filter(({ stream }) => !buckets || isOfBuckets(stream, buckets));
            // As while the charges of its messages are read.
            if (to > position) await door.pass();
            yield { events: ours, to };
          }
        },
      },
    );
    const before = await bench.write(opened(account(4)));
    await reached(before, accountsAlone, parts(0, 1, 2));
    await one.rebuild('accounts');
    const built = async () => (await views.checkpoints())[`accounts_v${accounts.version}_2`] ?? [];
    await untilTrue('it is built here', async () => ((await built())[4] ?? START) >= before);
    door.close();
    const last = await bench.write(opened(account(7)));
    await until('the batch is held', () => door.held() > 0);
    await one.hold(parts(0, 1, 2, 3));
    const seen = looks;
    await until('it has looked for what to build', () => looks > seen + 1);
    // As many reads as what is behind could need.
    for (let reads = 0; reads < 20; reads += 1) await bench.store.readAll(START, 10);
    door.open();
    await untilTrue('it serves', async () => (await views.live()).accounts!.endsWith('_2'));
    await reached(last, accountsAlone);
    await allAsExpected(accountsAlone);
  });

  it('go on with a collection that another one promotes while it is built here', async () => {
    const asked: (() => void)[] = [];
    let isGated = false;
    const store = readingAfter(bench.store, async (position) => {
      if (!isGated || position !== START) return;
      await new Promise<void>((resolve) => void asked.push(resolve));
    });
    const one = await worker([0, 1, 2, 3], all, undefined, store);
    await bench.write(opened(account(1)));
    const head = await bench.write(...sends(account(1), 1, 6));
    await reached(head);
    const before = await views.live();
    isGated = true;
    await one.rebuild('ledger');
    await until('it is being built', () => asked.length === 1);
    await views.promote('ledger', 'ledger_v4_2', before.ledger);
    await until('it is the serving one here', () => asked.length === 2);
    isGated = false;
    asked[0]!();
    await reached(head);
    asked[1]!();
    await reached(await bench.write(...sends(account(1), 7, 6)));
    await allAsExpected();
  });

  it('build anew what was lost while partitions moved', async () => {
    const [one, other] = [await worker([0, 1]), await worker([2, 3])] as const;
    await bench.write(opened(account(1)));
    await reached(await bench.write(...sends(account(1), 1, 12)));
    mongo.tables.clear();
    await one.hold(parts(0));
    await other.hold(parts(1, 2, 3));
    await reached(await bench.write(...sends(account(1), 13, 6)));
    await allAsExpected();
  });

  it('halt the partition alone whose document the views refuse', async () => {
    const bad = account(13);
    const others = [1, 2, 3, 4, 5, 6, 7, 8].map(account);
    const refusing = committingAfter(views, (commits) => {
      for (const { collection, writes } of commits) {
        const refused = writes.find(({ id }) => id === bad);
        if (refused) throw new Unwritable(collection, refused, new Error('too large'));
      }
    });
    const engine = await worker([0, 1, 2, 3], accountsAlone, refusing);
    const last = await bench.write(opened(bad), ...others.map((id) => opened(id)));
    await untilTrue('the others are there', async () => {
      const there = await shown(accounts, others);
      return Object.keys(there).length === others.length;
    });
    const [status] = await engine.status();
    expect(status!.state).to.equal('halted');
    expect(status!.error?.message).to.include('too large');
    await onlyBehind(13, accounts.name, last);
  });
});
