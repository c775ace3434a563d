import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { openConnection } from '../../../src/events/eventstoredb/connection.ts';
import { createHead } from '../../../src/events/eventstoredb/head.ts';
import { probe, readAll } from '../../../src/events/eventstoredb/read.ts';
import {
  type EventStore,
  NO_STREAM,
  START,
  StoreUnavailable,
  UNREADABLE,
} from '../../../src/events/store.ts';
import {
  created,
  createdMany,
  freshStream,
  freshStreamIn,
  idsOf,
  outcomeOf,
  readToEnd,
} from '../../contract/store-events.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { until } from '../../support/until.ts';
import { ENDLESS, openBench } from './bench.ts';

/** Within it a request reaches the server on a busy machine too. */
const HEARD_MS = 1_500;

describe('the log in EventStoreDB: reading', () => {
  useRealConnections();
  let store: EventStore;
  const bench = inEachTest(() => openBench(ENDLESS));
  beforeEach(() => {
    store = bench.store;
  });

  const append = async (...names: string[]) => {
    const events = names.map((name) => created(name));
    await store.append(freshStream(), NO_STREAM, events);
    return events;
  };
  /** The position of one more event. */
  const appendOne = async () =>
    (await store.append(freshStream(), NO_STREAM, [created()])).position;
  const connect = () => openConnection({ url: bench.double.url, timeoutMs: ENDLESS.timeoutMs });

  it('is sent the events of some buckets alone, by subscriptions that end with the page', async () => {
    const streams = [0, 3, 0].map(freshStreamIn);
    for (const stream of streams) await store.append(stream, NO_STREAM, createdMany(600));
    const sent = bench.double.subscriptions.sent();
    const read = await readToEnd(store, START, 500, new Set([0]));
    expect(read).to.have.length(1_200);
    expect(read.some(({ stream }) => stream === streams[1])).to.equal(false);
    // An event may be sent once more, where a page begins with it.
    expect(bench.double.subscriptions.sent() - sent).to.be.within(1_200, 2_400);
    await until('none is left', () => bench.double.subscriptions.count() === 0);
  });

  it('hands out what has come of a page that is slow to come', async () => {
    const written = [...(await append('a', 'b', 'c')), ...(await append('d'))];
    const impatient = await bench.open({ timeoutMs: HEARD_MS });
    bench.double.faults.reads.push({ only: 2 });
    const page = await impatient.readAll(START, 10);
    expect(idsOf(page.events)).to.deep.equal(idsOf(written.slice(0, 2)));
    const { events } = await impatient.readAll(page.to, 10);
    expect(idsOf(events)).to.deep.equal(idsOf(written.slice(2)));
  });

  it('tells that a page of some buckets is out of reach', async () => {
    const impatient = await bench.open({ timeoutMs: 50 });
    bench.double.faults.subscriptions.push('unconfirmed', 'timeout');
    for (const _ of [0, 1]) {
      const error = await outcomeOf(impatient.readAll(START, 10, new Set([0])));
      expect(error).to.be.instanceOf(StoreUnavailable);
    }
  });

  it('skips events of others, in pages of any size', async () => {
    const first = await append('a', 'b');
    bench.intersperse('snapshot-account-1', 70);
    const second = await append('c');
    bench.intersperse('$scavenges', 70);
    const all = idsOf([...first, ...second]);
    for (const limit of [1, 2, 3, 100]) {
      expect(idsOf(await readToEnd(store, START, limit))).to.deep.equal(all);
    }
  });

  it('skips a bounded number of events of others, and returns how far it read', async () => {
    bench.intersperse('$stats', 1_500);
    const events = await append('a');
    const connection = await connect();
    const one = await readAll(connection, START, 10, 2);
    expect(one.events).to.deep.equal([]);
    expect(one.to > START).to.equal(true);
    const two = await readAll(connection, one.to, 10, 2);
    expect(idsOf(two.events)).to.deep.equal(idsOf(events));
    await connection.close();
  });

  it('hands out what others have written as unreadable', async () => {
    const [data, metadata] = [Buffer.from('{'), Buffer.from('[1]')];
    const json = { contentType: 'application/json' };
    const strange = [
      { ...json, data, metadata: Buffer.from('{"at":"x"}') },
      { contentType: 'application/octet-stream', data: Buffer.from([0, 255]), metadata },
      { ...json, data: Buffer.from('{}'), metadata: new Uint8Array() },
      { ...json, data: Buffer.from('null'), metadata },
    ];
    const proposed = strange.map((one) => ({ ...one, id: randomUUID(), type: 'AccountOpened' }));
    bench.double.log.append('account-1', NO_STREAM, proposed);
    const read = await store.read('account-1');
    expect(read.map(({ type }) => type)).to.deep.equal(strange.map(() => UNREADABLE));
    const raw = read.map(({ data }) => (data as { raw: unknown }).raw);
    expect(raw).to.deep.equal(['{', 'AP8=', {}, null]);
  });

  it('reads again over another connection when one is lost on the way', async () => {
    const [event] = await append('a');
    bench.double.faults.reads.push({ answer: 'unavailable' });
    expect(idsOf((await store.readAll(START, 10)).events)).to.deep.equal([event?.id]);
    bench.relay.cut();
    expect(idsOf((await store.readAll(START, 10)).events)).to.deep.equal([event?.id]);
  });

  it('takes a sign of life of a server that does not lead', async () => {
    bench.double.leaderPort = bench.relay.port;
    const connection = await connect();
    await probe(connection, ENDLESS.timeoutMs);
    expect(connection.heardAt()).to.be.above(0);
    await connection.close();
  });

  it('cancels an unanswered read, on the server too', async () => {
    const { counts, faults } = bench.double;
    const impatient = await bench.open({ timeoutMs: HEARD_MS });
    faults.reads.push({ answer: 'none' });
    expect(await outcomeOf(impatient.read('account-1'))).to.be.instanceOf(StoreUnavailable);
    await until('the server knows', () => counts.readsCancelled === 1);
    expect(await store.read('account-1')).to.deep.equal([]);
  });

  describe('the head', () => {
    it('is START while the log has no event of ours', async () => {
      expect(await store.head()).to.equal(START);
      bench.intersperse('$stats', 20);
      expect(await store.head()).to.equal(START);
      bench.intersperse('$stats', 2_000);
      expect(await store.head()).to.equal(START);
      expect(await appendOne()).to.equal(await store.head());
    });

    it('is the newest event of ours, before any events of others', async () => {
      const position = await appendOne();
      for (const count of [1, 7, 8, 9, 600]) {
        bench.intersperse('snapshot-account-1', count);
        expect(await store.head()).to.equal(position);
        expect(await store.head()).to.equal(position);
      }
      const next = await store.append(freshStream(), NO_STREAM, createdMany(3));
      expect(await store.head()).to.equal(next.position);
    });

    it('looks at each event once', async () => {
      const position = await appendOne();
      bench.intersperse('$stats', 1_500);
      await store.head();
      const { counts } = bench.double;
      const before = counts.reads;
      bench.intersperse('$stats', 5);
      expect(await store.head()).to.equal(position);
      // Of one event, and of the few before it.
      expect(counts.reads - before).to.equal(2);
      expect(await store.head()).to.equal(position);
      expect(counts.reads - before, 'nothing new').to.equal(3);
    });

    it('continues a long search where the last one stopped', async () => {
      const position = await appendOne();
      bench.intersperse('$stats', 3_000);
      const connection = await connect();
      const head = createHead(connection, 3);
      const outcomes: unknown[] = [];
      do outcomes.push(await outcomeOf(head.read()));
      while (outcomes.at(-1) !== undefined && outcomes.length < 10);
      expect(outcomes).to.have.length.within(5, 7);
      expect(outcomes[0]).to.be.instanceOf(StoreUnavailable);
      expect(await head.read()).to.equal(position);
      await connection.close();
    });

    it('is never older than what was written before it was asked', async () => {
      const write = async () => {
        const stream = freshStream();
        for (let i = 0; i < 10; i += 1) {
          const { position } = await store.append(stream, i - 1, [created()]);
          const heads = await Promise.all([store.head(), store.head()]);
          for (const head of heads) expect(head >= position).to.equal(true);
        }
      };
      await Promise.all(Array.from({ length: 10 }, write));
    });

    it('is asked of the server once for all who ask meanwhile', async () => {
      await append('a');
      const { counts } = bench.double;
      const before = counts.reads;
      const heads = await Promise.all(Array.from({ length: 200 }, () => store.head()));
      expect(new Set(heads).size).to.equal(1);
      expect(counts.reads - before).to.equal(2);
    });

    it('notices that the log is another one', async () => {
      await append('a', 'b');
      await store.head();
      bench.double.log.clear();
      expect(await store.head()).to.equal(START);
      expect(await appendOne()).to.equal(await store.head());
    });
  });
});
