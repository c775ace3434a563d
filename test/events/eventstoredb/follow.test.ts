import { expect } from 'chai';
import { formatPosition, parsePosition } from '../../../src/events/eventstoredb/events.ts';
import {
  type EventStore,
  type Interest,
  interestIn,
  type NewEvent,
  NO_STREAM,
  type Position,
  START,
  StoreUnavailable,
} from '../../../src/events/store.ts';
import {
  created,
  createdMany,
  followUntil,
  freshStream,
  freshStreamIn,
  idsOf,
  outcomeOf,
} from '../../contract/store-events.ts';
import type { SubscriptionFault } from '../../support/grpc/faults.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { PATIENCE_MS, until } from '../../support/until.ts';
import { ENDLESS, HASTY, openBench } from './bench.ts';

describe('the log in EventStoreDB: following @long', () => {
  useRealConnections();
  let stop: AbortController;
  beforeEach(() => {
    stop = new AbortController();
  });
  afterEach(() => stop.abort());
  const bench = inEachTest(openBench);

  const subscriptions = () => bench.double.subscriptions;
  const following = () => until('a subscription is open', () => subscriptions().count() === 1);

  /** Follows in the background and gathers all that comes. */
  const gather = (
    position: Position = START,
    store: EventStore = bench.store,
    interest?: Interest,
  ) => {
    const came = { ids: [] as string[], tos: [] as Position[], error: undefined as unknown };
    const run = async () => {
      for await (const { events, to } of store.follow(position, stop.signal, interest)) {
        came.ids.push(...idsOf(events));
        came.tos.push(to);
      }
    };
    const ended = run().catch((error: unknown) => {
      came.error = error;
    });
    return { came, ended };
  };

  const append = (...events: NewEvent[]) => bench.store.append(freshStream(), NO_STREAM, events);
  /** This one has come, and nothing else. */
  const hasCome = async ({ ids }: { ids: string[] }, event: NewEvent) => {
    await until('it has come', () => ids.length > 0);
    expect(ids).to.deep.equal([event.id]);
  };

  for (const refusal of ['unavailable', 'timeout', 'cancelled', 'unknown'] as const) {
    it(`continues after its last event when the server drops it: ${refusal}`, async () => {
      const stream = freshStream();
      const events = createdMany(6);
      // So patient that it would not notice silence within this test.
      const { came } = gather(START, await bench.open(ENDLESS));
      for (const [i, event] of events.entries()) {
        await bench.store.append(stream, i - 1, [event]);
        if (i % 2 === 0) {
          await following();
          subscriptions().drop(refusal);
        }
      }
      await until('all have come', () => came.ids.length >= 6);
      expect(came.ids).to.deep.equal(idsOf(events));
      expect(bench.warnings).not.to.be.empty;
    });
  }

  it('continues after its last event after each lost connection', async () => {
    const { came } = gather();
    const events = createdMany(40);
    const stream = freshStream();
    for (const [i, event] of events.entries()) {
      const appending = bench.store.append(stream, i - 1, [event]);
      if (i % 5 === 0) bench.relay.cut();
      await appending;
    }
    await until('all have come', () => came.ids.length >= 40);
    expect(came.ids).to.deep.equal(idsOf(events));
  });

  it('brings a backlog in few batches, each of what has come by then', async () => {
    const stream = freshStream();
    for (let from = 0; from < 600; from += 100) {
      await bench.store.append(stream, from - 1, createdMany(100));
    }
    const { came } = gather(START, await bench.open(ENDLESS));
    await until('all have come', () => came.ids.length >= 600);
    expect(came.tos.length).to.be.below(150);
  });

  it('notices that a subscription has gone silent', async () => {
    const { came } = gather();
    await following();
    subscriptions().silence();
    const event = created();
    await append(event);
    await hasCome(came, event);
    expect(bench.warnings).to.have.length(1);
  });

  it('leaves a subscription alone that is quiet because there is nothing', async () => {
    await append(created());
    bench.intersperse('$stats', 3);
    const { came } = gather(await bench.store.head());
    const { counts } = bench.double;
    await until('it has been looked after', () => counts.reads > 8);
    expect(came.ids).to.deep.equal([]);
    expect(bench.warnings).to.deep.equal([]);
    expect(subscriptions().count()).to.equal(1);
  });

  it('row 65: keeps a living subscription while the server answers slowly', async () => {
    const { came } = gather();
    await following();
    // Ten times as long as the follower is quiet before it looks.
    bench.double.delayMs = 400;
    const { counts } = bench.double;
    const before = counts.reads;
    await until('it has been looked after', () => counts.reads > before + 2);
    const event = created();
    await append(event);
    await hasCome(came, event);
    expect(bench.warnings).to.deep.equal([]);
    expect(subscriptions().count()).to.equal(1);
  });

  it('row 65: takes what comes while it waits for a slow answer', async () => {
    const { came } = gather();
    await following();
    const { faults } = bench.double;
    faults.reads.push({ answer: 'none' });
    await until('it waits', () => faults.reads.length === 0);
    await append(created());
    await until('it has come', () => came.ids.length === 1);
    expect(bench.warnings).to.deep.equal([]);
  });

  it('goes as far as followers hear of it, though its last events are of others', async () => {
    await append(created());
    const head = await bench.store.head();
    const { came } = gather();
    await following();
    bench.intersperse('$stats', 600);
    await until('it has passed events of others', () => (came.tos.at(-1) ?? START) > head);
    expect(await bench.store.head(), 'its last event of ours').to.equal(head);
    expect((await bench.store.end()) >= came.tos.at(-1)!).to.equal(true);
  });

  for (const fault of ['silent', 'unconfirmed', 'timeout'] as SubscriptionFault[]) {
    it(`tries again when the first subscription is: ${fault}`, async () => {
      bench.double.faults.subscriptions.push(fault);
      const event = created();
      await append(event);
      await hasCome(gather().came, event);
    });
  }

  it('tells its reader that the log is out of reach', async () => {
    await append(created());
    const { came, ended } = gather(START, await bench.open({ outageMs: 100 }));
    await until('it follows', () => came.ids.length === 1);
    await bench.relay.down();
    await ended;
    expect(came.error).to.be.instanceOf(StoreUnavailable);
    await bench.relay.up();
    const event = created();
    await append(event);
    await hasCome(gather(came.tos.at(-1)).came, event);
  });

  it('tells its reader also when the connection is open but dead', async () => {
    await append(created());
    const { came, ended } = gather(START, await bench.open({ ...HASTY, outageMs: 100 }));
    await until('it follows', () => came.ids.length === 1);
    bench.double.delayMs = 60_000;
    subscriptions().silence();
    await ended;
    expect(came.error).to.be.instanceOf(StoreUnavailable);
  });

  it('hands on how far the log holds nothing of ours, and nothing else of it', async () => {
    const { came } = gather();
    await following();
    bench.intersperse('snapshot-account-1', 300);
    bench.intersperse('$scavenges', 300);
    bench.intersperse('organisation-1', 1, '$streamDeleted');
    await until('a checkpoint has come', () => came.tos.length >= 2);
    const event = created();
    await append(event);
    await hasCome(came, event);
    expect(came.tos).to.deep.equal([...came.tos].sort());
  });

  describe('with an interest', () => {
    const interest = interestIn(['OrganisationCreated']);
    const others = (count: number) =>
      Array.from({ length: count }, () => ({ ...created(), type: 'NeverDefined' }));

    it('is sent no events of other types', async () => {
      const event = created();
      await append(...others(5), event, ...others(5));
      const { came } = gather(START, bench.store, interest);
      await until('it has come', () => came.ids.length === 1);
      await append(...others(5));
      await append(created());
      await until('the next has come', () => came.ids.length === 2);
      expect(subscriptions().sent()).to.equal(2);
    });

    it('is sent the share of its buckets alone, where its types are most of the log', async () => {
      const buckets = new Set([3]);
      const sentBy = async (type: string): Promise<number> => {
        const before = subscriptions().sent();
        const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(PATIENCE_MS)]);
        for await (const batch of bench.store.follow(START, signal, interestIn([type]), buckets)) {
          if (batch.events.length > 0) break;
        }
        return subscriptions().sent() - before;
      };
      const one = (type: string): NewEvent => ({ ...created(), type });
      for (const bucket of [0, 0, 0, 3]) {
        const events = [one('MessageSent'), one('ChargeReserved'), one('ChargeReserved')];
        await bench.store.append(freshStreamIn(bucket), NO_STREAM, events);
      }
      expect(await sentBy('MessageSent')).to.equal(3);
      expect(await sentBy('ChargeReserved')).to.equal(8);
    });

    it('passes over events of other types, while its subscription is quiet', async () => {
      const { came } = gather(START, bench.store, interest);
      await following();
      const { position } = await append(...others(20));
      await until('they are passed', () => came.tos.at(-1) === position);
      // So many that a checkpoint comes, which may be of passed ones.
      for (let round = 0; round < 4; round += 1) {
        const last = await append(...others(100));
        await until('those are passed', () => came.tos.at(-1)! >= last.position);
      }
      expect(came.tos).to.deep.equal([...came.tos].sort());
      const event = created();
      await append(event);
      await hasCome(came, event);
      expect(bench.warnings).to.deep.equal([]);
    });

    it('keeps back no event of interest that cannot be read', async () => {
      const { came } = gather(START, bench.store, interest);
      await following();
      subscriptions().silence();
      const odd = { ...created(), version: 999 };
      await append(odd);
      await hasCome(came, odd);
    });
  });

  it('gives a reader that is slow all of it, in batches that are not too large', async () => {
    bench.intersperse('organisation-1', 3_000);
    let count = 0;
    let largest = 0;
    for await (const { events } of bench.store.follow(START, stop.signal)) {
      count += events.length;
      largest = Math.max(largest, events.length);
      if (count === 1_000) subscriptions().drop('timeout');
      if (count >= 3_000) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(count).to.equal(3_000);
    expect(largest).to.be.within(2, 500);
  });

  it('leaves nothing open on the server, however it ends', async () => {
    await append(created());
    const { ended } = gather();
    await following();
    stop.abort();
    await ended;
    await until('none is open', () => subscriptions().count() === 0);

    const open = new AbortController();
    for await (const _ of bench.store.follow(START, open.signal)) break;
    const failing = async () => {
      for await (const _ of bench.store.follow(START, open.signal)) throw new Error('the reader');
    };
    expect(await outcomeOf(failing())).to.be.instanceOf(Error);
    await until('none is open', () => subscriptions().count() === 0);
  });

  it('ends at once when aborted, whatever it waits for', async () => {
    // It would wait for an answer, and for a check of its subscription, longer than a test may take.
    const store = await bench.open(ENDLESS);
    await store.append(freshStream(), NO_STREAM, [created()]);
    for (const position of [START, await store.head()]) {
      const aborted = new AbortController();
      bench.double.delayMs = ENDLESS.timeoutMs;
      setTimeout(() => aborted.abort(), 20);
      for await (const _ of store.follow(position, aborted.signal)) break;
      bench.double.delayMs = 0;
    }
  });

  it('refuses a position that is not one, or that is past the end of this log', async () => {
    await append(created());
    const { commit, prepare } = parsePosition(await bench.store.head());
    const later = formatPosition({ commit: commit + 9, prepare: prepare + 9 });
    for (const position of ['0000000000000001', later]) {
      const error = await outcomeOf(followUntil(bench.store, position, new Set(['none'])));
      expect(error).to.be.instanceOf(Error).and.not.instanceOf(StoreUnavailable);
      expect((error as Error).message).to.match(/not a position|past the end/);
    }
  });
});
