import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  NO_STREAM,
  StoreUnavailable,
  WrongRevision,
} from '../../../src/events/store.ts';
import {
  created,
  createdMany,
  freshStream,
  idsOf,
  outcomeOf,
} from '../../contract/store-events.ts';
import type { AppendFault } from '../../support/grpc/faults.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { until } from '../../support/until.ts';
import { HASTY, openBench } from './bench.ts';

describe('the log in EventStoreDB: appends', () => {
  useRealConnections();
  const bench = inEachTest(openBench);

  const kept = (stream: string) => bench.double.log.stream(stream);
  const script = (...faults: AppendFault[]) => bench.double.faults.appends.push(...faults);
  const refusalOf = (events: NewEvent[] = [created()], store: EventStore = bench.store) =>
    outcomeOf(store.append(freshStream(), NO_STREAM, events));
  const proposed = () => ({
    id: randomUUID(),
    type: 'Other',
    contentType: 'application/json',
    data: Buffer.from('{}'),
    metadata: Buffer.from('{}'),
  });

  for (const answer of ['none', 'unavailable', 'timeout', 'cancelled', 'unknown'] as const) {
    const open = () => (answer === 'none' ? bench.open(HASTY) : bench.store);

    it(`finds what was kept when the answer is: ${answer}`, async () => {
      const stream = freshStream();
      script({ keep: true, answer });
      const events = createdMany(2);
      const store = await open();
      const appended = await store.append(stream, NO_STREAM, events);
      const read = await bench.store.read(stream);
      expect(idsOf(read)).to.deep.equal(idsOf(events));
      expect(appended).to.deep.equal({ revision: 1, position: read[1]?.position });
      expect(bench.double.counts.appends).to.equal(1);
    });

    it(`sends again what was not kept when the answer is: ${answer}`, async () => {
      const stream = freshStream();
      script({ keep: false, answer });
      const store = await open();
      const { revision } = await store.append(stream, NO_STREAM, createdMany(2));
      expect(revision).to.equal(1);
      expect(kept(stream)).to.have.length(2);
      expect(bench.double.counts.appends).to.equal(2);
    });
  }

  it('does an append once whose first sending arrives after the second', async () => {
    const stream = freshStream();
    script({ delayMs: 1_800 });
    const store = await bench.open(HASTY);
    const appended = await store.append(stream, NO_STREAM, createdMany(2));
    expect(bench.double.counts.appends).to.equal(2);
    await until('the first has arrived', () => bench.double.counts.appendsOver === 2);
    expect(kept(stream)).to.have.length(2);
    const read = await bench.store.read(stream);
    expect(read[1]).to.include(appended);
  });

  it('loses to a rival that took its revisions while its own outcome was unknown', async () => {
    const stream = freshStream();
    script({ keep: false, answer: 'unavailable', delayMs: 50 });
    const outcome = outcomeOf(bench.store.append(stream, NO_STREAM, [created()]));
    bench.double.log.append(stream, -1, [proposed()]);
    expect(await outcome).to.be.instanceOf(WrongRevision);
    expect(kept(stream)).to.have.length(1);
  });

  it('gives up in bounded time on a log that keeps nothing', async () => {
    script(...Array.from({ length: 9 }, () => ({ keep: false, answer: 'timeout' as const })));
    expect(await refusalOf()).to.be.instanceOf(StoreUnavailable);
    expect(bench.double.counts.appends).to.equal(3);
  });

  it('gives up when it cannot be seen what became of it, and can be asked again', async () => {
    const stream = freshStream();
    const events = createdMany(2);
    script({ answer: 'unavailable' });
    const { reads } = bench.double.faults;
    reads.push(...Array.from({ length: 400 }, () => ({ answer: 'unavailable' as const })));
    const hasty = await bench.open(HASTY);
    const error = await outcomeOf(hasty.append(stream, NO_STREAM, events));
    expect(error).to.be.instanceOf(StoreUnavailable);
    reads.length = 0;
    const { revision } = await bench.store.append(stream, NO_STREAM, events);
    expect(revision).to.equal(1);
    expect(kept(stream)).to.have.length(2);
  });

  it('recognises its own events after an answer of another revision', async () => {
    const stream = freshStream();
    script({ answer: 'wrong' });
    const { revision } = await bench.store.append(stream, NO_STREAM, createdMany(2));
    expect(revision).to.equal(1);
  });

  it('looks up the position when the answer has none', async () => {
    const stream = freshStream();
    script({ answer: 'no-position' });
    const { position } = await bench.store.append(stream, NO_STREAM, createdMany(3));
    expect(position).to.equal((await bench.store.read(stream)).at(-1)?.position);
  });

  it('sends no append that is too large, and translates the same error of the server', async () => {
    const half = 'x'.repeat(530_000);
    expect(await refusalOf([created(half), created(half)])).to.be.instanceOf(AppendTooLarge);
    expect(bench.double.counts.appends).to.equal(0);
    script({ keep: false, answer: 'too-large' });
    expect(await refusalOf()).to.be.instanceOf(AppendTooLarge);
    expect(bench.double.counts.appends).to.equal(1);
  });

  it('says that it was refused, without another try', async () => {
    script({ keep: false, answer: 'denied' });
    const error = await refusalOf();
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect((error as Error).message).to.match(/refuses our credentials/);
    expect(bench.double.counts.appends).to.equal(1);
  });

  it('refuses events that the server could not keep as they are', async () => {
    const error = await refusalOf([{ ...created(), id: 'not a UUID' }]);
    expect((error as Error).message).to.match(/is not a UUID/);
    expect(bench.double.counts.appends).to.equal(0);
  });
});

describe('the log in EventStoreDB: appends that are too many', () => {
  useRealConnections();
  const bench = inEachTest(openBench);

  it('runs a bounded number of appends and queues a bounded number', async () => {
    const store = await bench.open({ appendsInFlightMax: 2, appendsWaitingMax: 3 });
    bench.double.delayMs = 30;
    const appends = Array.from({ length: 8 }, () =>
      outcomeOf(store.append(freshStream(), NO_STREAM, [created()])),
    );
    expect(store.stats()).to.include({ appendsInFlight: 2, appendsWaiting: 3 });
    const errors = (await Promise.all(appends)).filter((error) => error !== undefined);
    expect(errors).to.have.length(3);
    for (const error of errors) expect(error).to.be.instanceOf(StoreUnavailable);
    expect(bench.double.log.all()).to.have.length(5);
    expect(store.stats()).to.include({ appendsInFlight: 0, appendsWaiting: 0 });
  });

  it('does not begin an append that has waited too long', async () => {
    const store = await bench.open({ appendsInFlightMax: 1, timeoutMs: 400, settleMs: 30_000 });
    // The first is under way until its time is over and it was sent again.
    bench.double.faults.appends.push({ keep: false, answer: 'none' });
    const first = store.append(freshStream(), NO_STREAM, [created()]);
    const late = freshStream();
    const second = outcomeOf(store.append(late, NO_STREAM, [created()]));
    await first;
    expect(await second).to.be.instanceOf(StoreUnavailable);
    expect(bench.double.log.stream(late)).to.deep.equal([]);
    expect(bench.double.counts.appends).to.equal(2);
  });

  it('refuses at once while the log is out of reach, but for one that tries', async () => {
    const store = await bench.open(HASTY);
    const append = () => outcomeOf(store.append(freshStream(), NO_STREAM, [created()]));
    const many = (count: number) => Promise.all(Array.from({ length: count }, append));
    await bench.relay.down();
    for (const error of await many(4)) expect(error).to.be.instanceOf(StoreUnavailable);
    let isTrying = true;
    const trying = append().finally(() => {
      isTrying = false;
    });
    const refused = await many(20);
    expect(isTrying, 'they waited for nothing').to.equal(true);
    for (const error of refused) expect((error as Error).message).to.match(/out of reach/);
    await bench.relay.up();
    expect(await trying).to.equal(undefined);
    expect(await many(20)).to.deep.equal(Array(20).fill(undefined));
  });
});
