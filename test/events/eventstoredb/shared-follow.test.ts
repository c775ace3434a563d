import { expect } from 'chai';
import { NONE } from '../../../src/events/bucket.ts';
import { formatPosition } from '../../../src/events/eventstoredb/events.ts';
import type { Head } from '../../../src/events/eventstoredb/head.ts';
import type { LivenessMonitor } from '../../../src/events/eventstoredb/liveness-monitor.ts';
import {
  createReading,
  createSharedFollow,
} from '../../../src/events/eventstoredb/shared-follow.ts';
import {
  type Interest,
  interestIn,
  NO_STREAM,
  type Position,
  type Recorded,
  START,
  StoreUnavailable,
} from '../../../src/events/store.ts';
import { createdMany, freshStream, idsOf } from '../../contract/store-events.ts';
import { useRealConnections } from '../../support/network.ts';
import { until } from '../../support/until.ts';
import { type Bench, ENDLESS, openBench, QUIET_MS } from './bench.ts';

const ORGANISATIONS = interestIn(['OrganisationCreated']);
const at = (commit: number) => formatPosition({ commit, prepare: 0 });

describe('what one subscription brings for several followers', () => {
  it('is waited for by one that is ahead while the leader gets on, and not where that stands still', () => {
    let now = 0;
    const reading = createReading(at(0), undefined, () => now);
    const events = Array.from({ length: 600 }, (_, index) => ({
      type: 'OrganisationCreated',
      revision: index,
      position: at(index + 1),
    })) as Recorded[];
    expect(reading.covers(at(700)), 'before the server has answered').to.equal(false);
    reading.push({ events, to: at(600) });
    expect(reading.isAhead()).to.equal(true);
    now += 1_000;
    expect(reading.covers(at(700))).to.equal(true);
    now += 1;
    expect(reading.covers(at(700))).to.equal(false);
    expect(reading.covers(at(600)), 'at its end').to.equal(true);
    reading.lead(at(1));
    expect(reading.isAhead()).to.equal(true);
    expect(reading.covers(at(700))).to.equal(true);
    expect(reading.covers(at(600 + 4 * 1024 * 1024)), 'far behind it').to.equal(false);
  });
});

describe('followers of a share whose leader', () => {
  const share = new Set([0, NONE]);
  const event = { type: 'OrganisationCreated', revision: 0, position: at(1) } as Recorded;
  let stop: AbortController;
  beforeEach(() => {
    stop = new AbortController();
  });
  afterEach(() => stop.abort());

  /** A log with one event, which leaders are not sent unless it is said. */
  const open = (isLed = false) => {
    const opened: ('leader' | 'follower')[] = [];
    const endOf = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
      });
    const follow = createSharedFollow({
      async *alone(position, signal, interest) {
        opened.push(interest ? 'follower' : 'leader');
        yield { events: [], to: position };
        if ((interest || isLed) && position < at(1)) yield { events: [event], to: at(1) };
        await endOf(signal);
      },
      head: { readWithin: () => endOf(stop.signal) } as unknown as Head,
      liveness: { whileHeard: (work) => work(stop.signal) } as LivenessMonitor,
      quietMs: ENDLESS.quietMs,
    });
    /** Follows until it is told to end, and takes so long for each batch. */
    const lead = (work: Promise<void> = Promise.resolve()) => {
      const ending = new AbortController();
      const signal = AbortSignal.any([stop.signal, ending.signal]);
      let isUp = false;
      const run = async () => {
        for await (const _ of follow(START, signal, undefined, share)) {
          isUp = true;
          await work;
        }
      };
      return { isUp: () => isUp, end: () => ending.abort(), ended: run() };
    };
    const came: Recorded[] = [];
    const join = async () => {
      for await (const { events } of follow(START, stop.signal, ORGANISATIONS, share)) {
        came.push(...events);
      }
    };
    return { opened, lead, join, came };
  };

  it('comes and goes without an event follow by themselves', async () => {
    const { lead, join, came, opened } = open();
    const following = join();
    while (came.length === 0) {
      const leader = lead();
      await until('it is up', leader.isUp);
      leader.end();
      await leader.ended;
    }
    expect(came).to.deep.equal([event]);
    expect(opened).to.include('follower');
    stop.abort();
    await following;
  });

  it('ends while it is at work wait for the next one', async () => {
    const { lead, join, came, opened } = open(true);
    const { promise: work, resolve: isDone } = Promise.withResolvers<void>();
    const first = lead(work);
    const following = join();
    await until('both follow', () => first.isUp() && came.length === 1);
    first.end();
    await new Promise(setImmediate);
    isDone();
    await first.ended;
    const next = lead();
    await until('it is up', next.isUp);
    expect(opened).to.deep.equal(['leader', 'leader']);
    stop.abort();
    await Promise.all([following, next.ended]);
  });
});

describe('the log in EventStoreDB: one subscription for several followers @long', () => {
  useRealConnections();
  let bench: Bench;
  let stop: AbortController;
  let stream: string;
  let revision: number;
  beforeEach(async () => {
    // A follower that hears nothing for a while leaves what it shares.
    bench = await openBench(ENDLESS);
    stream = freshStream();
    revision = NO_STREAM;
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await bench.close();
  });

  const subscriptions = () => bench.double.subscriptions.count();

  /** Appends so many events, between as many of another type. */
  const append = async (count: number): Promise<string[]> => {
    const events = createdMany(count);
    for (const event of events) {
      bench.intersperse('organisation-other', 1);
      await bench.store.append(stream, revision, [event]);
      revision += 1;
    }
    return idsOf(events);
  };

  /** Follows in the background; with a gate, takes no batch before the gate opens. */
  const follow = (
    position: Position,
    interest?: Interest,
    { gate, buckets }: { gate?: Promise<void> | undefined; buckets?: ReadonlySet<number> } = {},
  ) => {
    const came = { ids: [] as string[], all: 0, to: START, error: undefined as unknown };
    const ending = new AbortController();
    const signal = AbortSignal.any([stop.signal, ending.signal]);
    const run = async () => {
      const batches = bench.store.follow(position, signal, interest, buckets);
      for await (const { events, to } of batches) {
        const ours = events.filter(({ stream: from }) => from === stream);
        came.ids.push(...idsOf(ours));
        came.all += events.length;
        came.to = to;
        if (events.length > 0) await gate;
      }
    };
    const ended = run().catch((error: unknown) => {
      came.error = error;
    });
    return { came, ended, end: () => ending.abort() };
  };

  /** A follower of all events, and others with an interest that share its subscription. */
  const sharing = async (gate?: Promise<void>) => {
    const first = await append(1);
    const leader = follow(START, undefined, { gate });
    await until('the leader follows', () => leader.came.all > 0);
    const others = [0, 1, 2].map(() => follow(START, ORGANISATIONS));
    await until('all follow', () => others.every(({ came }) => came.ids.length === 1));
    // At a leader that stands still they may have left again.
    if (!gate) await until('they share', () => subscriptions() === 1);
    return { first, leader, others };
  };

  /** Each gets these events of ours, and no others. */
  const haveAll = async (followers: ReturnType<typeof follow>[], ids: readonly string[]) => {
    const isDone = () => followers.every(({ came }) => came.ids.length >= ids.length);
    await until('all have come', isDone);
    for (const { came } of followers) expect(came.ids).to.deep.equal(ids);
  };

  it('gives each what it asked for, once and in order, from one subscription', async () => {
    const { first, leader, others } = await sharing();
    const ids = [...first, ...(await append(50))];
    await haveAll([leader, ...others], ids);
    for (const { came } of others) expect(came.all).to.equal(ids.length);
    expect(leader.came.all).to.equal(2 * ids.length);
    expect(subscriptions()).to.equal(1);
  });

  it('goes on by subscriptions of their own when the leader ends, and shares the next one', async () => {
    const { first, leader, others } = await sharing();
    leader.end();
    await leader.ended;
    const alone = await append(20);
    await until('all have come', () => others.every(({ came }) => came.ids.length >= 21));
    expect(subscriptions()).to.equal(3);
    follow(others[0]!.came.to);
    await until('the next leader follows', () => subscriptions() === 4);
    const ids = [...first, ...alone, ...(await append(20))];
    await haveAll(others, ids);
    await until('they share', () => subscriptions() === 1);
  });

  it('lets followers of a share wait for a leader that comes, and for the next one', async () => {
    const share = new Set([0, NONE]);
    const ids = await append(1);
    const others = [0, 1, 2].map(() => follow(START, ORGANISATIONS, { buckets: share }));
    for (const _ of [1, 2]) {
      const leader = follow(others[0]!.came.to, undefined, { buckets: share });
      ids.push(...(await append(3)));
      await haveAll(others, ids);
      expect(bench.double.subscriptions.sent(), 'each event once').to.equal(2 * ids.length);
      leader.end();
      await until('it has ended', () => subscriptions() === 0);
    }
  });

  it('lets a follower of a share begin alone where no leader comes', async () => {
    const store = await bench.open({ quietMs: QUIET_MS });
    const [id] = await append(1);
    for await (const { events } of store.follow(START, stop.signal, ORGANISATIONS, new Set([0]))) {
      if (idsOf(events).includes(id!)) break;
    }
  });

  it('has one leader, also when two followers of everything were opened before either began', async () => {
    const ids = await append(1);
    const opened = [0, 1].map(() => bench.store.follow(START, stop.signal));
    const came = opened.map(() => [] as string[]);
    const reading = opened.map(async (batches, index) => {
      for await (const { events } of batches) {
        came[index]!.push(...idsOf(events.filter((event) => event.stream === stream)));
      }
    });
    await until('both have begun', () => came.every(({ length }) => length === 1));
    ids.push(...(await append(5)));
    await until('both have all', () => came.every(({ length }) => length === ids.length));
    await until('they share', () => subscriptions() === 1);
    for (const one of came) expect(one).to.deep.equal(ids);
    stop.abort();
    await Promise.all(reading);
  });

  it('does not wait for a leader that stands still', async () => {
    await bench.close();
    bench = await openBench({ ...ENDLESS, quietMs: 100 });
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { first, leader, others } = await sharing(gate);
    bench.intersperse('organisation-other', 2_000);
    const ids = [...first, ...(await append(10))];
    await haveAll(others, ids);
    expect(leader.came.ids.length).to.be.lessThan(ids.length);
    open();
    await haveAll([leader], ids);
  });

  it('loses nothing for a follower that is slower than what is kept', async () => {
    const { leader } = await sharing();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const slow = follow(START, ORGANISATIONS, { gate });
    await until('it has begun', () => slow.came.ids.length > 0);
    const ids = await append(5);
    bench.intersperse('organisation-other', 4_000);
    ids.push(...(await append(5)));
    await until('the leader has all', () => leader.came.ids.length >= 11);
    open();
    await until('it has all', () => slow.came.ids.length >= 11);
    expect(slow.came.ids.slice(1)).to.deep.equal(ids);
  });

  it('hands on what it cannot read by its stored type', async () => {
    const { others } = await sharing();
    const [odd] = createdMany(1);
    await bench.store.append(freshStream(), NO_STREAM, [{ ...odd!, version: 999 }]);
    await until('it has come', () => others.every(({ came }) => came.all === 2));
    expect(subscriptions()).to.equal(1);
  });

  it('continues for all when the server drops the subscription', async () => {
    const { first, leader, others } = await sharing();
    bench.double.subscriptions.drop('timeout');
    const ids = [...first, ...(await append(10))];
    await haveAll([leader, ...others], ids);
    expect(subscriptions()).to.equal(1);
  });

  it('tells all that the log is out of reach', async () => {
    await bench.close();
    bench = await openBench({ ...ENDLESS, outageMs: 100 });
    const { leader, others } = await sharing();
    await bench.relay.down();
    const all = [leader, ...others];
    await until('all have ended', () => all.every(({ came }) => came.error !== undefined));
    for (const { came } of all) expect(came.error).to.be.instanceOf(StoreUnavailable);
  });
});
