import { expect } from 'chai';
import { openConnection } from '../../../src/events/eventstoredb/connection.ts';
import type { EventStoreDbStore } from '../../../src/events/eventstoredb/store.ts';
import { NO_STREAM, START, StoreUnavailable } from '../../../src/events/store.ts';
import { created, createdMany, freshStream, outcomeOf } from '../../contract/store-events.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { until, untilTrue } from '../../support/until.ts';
import { ENDLESS, HASTY, openBench } from './bench.ts';

describe('the log in EventStoreDB: outages @long', () => {
  useRealConnections();
  const bench = inEachTest(() => openBench(HASTY));

  const appendOne = (store = bench.store) => store.append(freshStream(), NO_STREAM, [created()]);
  const refusal = (store = bench.store) => outcomeOf(appendOne(store));
  const isBack = (store: EventStoreDbStore) =>
    untilTrue('it is back', async () => (await refusal(store)) === undefined);

  it('opens while the log is down, says so, and works as soon as it is up', async () => {
    await bench.relay.down();
    const store = await bench.open();
    const errors = await Promise.all([
      refusal(store),
      outcomeOf(store.read('account-1')),
      outcomeOf(store.readAll(START, 1)),
      outcomeOf(store.head()),
    ]);
    for (const error of errors) expect(error).to.be.instanceOf(StoreUnavailable);
    const { ok, detail } = await store.health();
    expect(ok).to.equal(false);
    expect(detail).to.include(`127.0.0.1:${bench.relay.port}`);
    await bench.relay.up();
    await isBack(store);
    expect(await store.health()).to.deep.equal({ ok: true });
  });

  it('waits for a log that is slow, within its bounds', async () => {
    bench.double.delayMs = 30;
    const patient = await bench.open(ENDLESS);
    await appendOne(patient);
    expect(await patient.health()).to.deep.equal({ ok: true });
    const hasty = await bench.open({ timeoutMs: 150, settleMs: 100 });
    bench.double.delayMs = 60_000;
    expect(await refusal(hasty)).to.be.instanceOf(StoreUnavailable);
    expect(await outcomeOf(hasty.head())).to.be.instanceOf(StoreUnavailable);
    bench.double.delayMs = 0;
    await isBack(hasty);
  });

  it('settles appends that were under way when the connection broke', async () => {
    bench.double.delayMs = 40;
    const store = await bench.open(ENDLESS);
    const streams = Array.from({ length: 20 }, freshStream);
    const appends = streams.map((stream) => store.append(stream, NO_STREAM, createdMany(2)));
    await until('all have arrived', () => bench.double.counts.appends === 20);
    bench.relay.cut();
    for (const { revision } of await Promise.all(appends)) expect(revision).to.equal(1);
    for (const stream of streams) expect(bench.double.log.stream(stream)).to.have.length(2);
  });

  it('leaves a connection that is open but dead for another one', async () => {
    await appendOne();
    const before = bench.relay.connections();
    bench.relay.freeze();
    await appendOne();
    expect(bench.relay.connections()).to.be.greaterThan(before);
    expect(bench.warnings).to.include('The event log does not answer: connecting anew');
  });

  it('keeps a connection over which others are answered', async () => {
    await appendOne();
    const before = bench.relay.connections();
    bench.double.faults.reads.push({ answer: 'none' });
    let isWaiting = true;
    const waiting = outcomeOf(bench.store.read('account-1')).finally(() => {
      isWaiting = false;
    });
    while (isWaiting) await appendOne();
    expect(await waiting).to.be.instanceOf(StoreUnavailable);
    await appendOne();
    expect(bench.relay.connections()).to.equal(before);
    expect(bench.warnings).to.deep.equal([]);
  });

  it('closes in bounded time without an answer', async () => {
    const store = await bench.open({ timeoutMs: 100, settleMs: 100 });
    // Longer than a test may take.
    bench.double.delayMs = ENDLESS.timeoutMs;
    const append = refusal(store);
    const head = outcomeOf(store.head());
    await store.close();
    expect(await append).to.be.instanceOf(StoreUnavailable);
    expect(await head).to.be.instanceOf(StoreUnavailable);
  });

  it('leaves no connection open at the end, not even that of a client which was never answered', async () => {
    const store = await bench.open({ timeoutMs: 100, settleMs: 100 });
    bench.double.delayMs = ENDLESS.timeoutMs;
    while (bench.warnings.length === 0) await outcomeOf(store.head());
    const asking = outcomeOf(store.head());
    await until('it asks over the new one', () => bench.relay.open() > 1);
    await store.close();
    await asking;
    await until('all have ended', () => bench.relay.open() === 0);
  });

  it('lets no call that goes on after the end connect again', async () => {
    const url = `esdb://127.0.0.1:${bench.relay.port}?tls=false`;
    const connection = await openConnection({ url, timeoutMs: 100 });
    bench.double.delayMs = ENDLESS.timeoutMs;
    let ask = async (): Promise<unknown> => undefined;
    await outcomeOf(
      connection.run((client) => {
        ask = () => outcomeOf(client.getStreamMetadata('any'));
        return ask();
      }),
    );
    // It has not begun when the channel closes.
    const late = ask().then(ask);
    await connection.close();
    await Promise.race([late, until('it connects', () => bench.relay.connections() > 1)]);
    expect(bench.relay.connections()).to.equal(1);
  });

  describe('nothing is heard of it', () => {
    const patient = { timeoutMs: 5_000, settleMs: 3_000, silenceMs: 250 };
    const silent = /nothing was heard/;

    for (const outage of ['down', 'freeze'] as const) {
      it(`refuses what waits, long before its time is over, and at once what comes then: ${outage}`, async () => {
        const store = await bench.open(patient);
        await appendOne(store);
        await bench.relay[outage]();
        bench.double.delayMs = 60_000;
        const waiting = await Promise.all([refusal(store), refusal(store)]);
        for (const error of waiting) {
          expect(error).to.be.instanceOf(StoreUnavailable);
          expect((error as Error).message).to.match(silent);
        }
        const trying = refusal(store);
        expect(((await refusal(store)) as Error).message).to.match(/out of reach/);
        expect(((await trying) as Error).message).to.match(silent);
        bench.double.delayMs = 0;
        if (outage === 'down') await bench.relay.up();
        await isBack(store);
      });
    }

    it('refuses reads likewise', async () => {
      const store = await bench.open(patient);
      bench.double.delayMs = 60_000;
      const error = await outcomeOf(store.read('account-1'));
      expect((error as Error).message).to.match(silent);
    });

    it('sends no more of what it has given up', async () => {
      const store = await bench.open(patient);
      const { appends, reads } = bench.double.faults;
      appends.push({ keep: false, answer: 'unavailable' });
      reads.push(...Array.from({ length: 100 }, () => ({ answer: 'unavailable' as const })));
      expect(((await refusal(store)) as Error).message).to.match(silent);
      reads.length = 0;
      // Over the longest pause between two looks at what became of it.
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(bench.double.counts.appends).to.equal(1);
      expect(bench.double.log.all()).to.deep.equal([]);
    });
  });

  it('is waited for while anything is heard of it, however slow it writes', async () => {
    const store = await bench.open({ timeoutMs: 5_000, settleMs: 3_000, silenceMs: 250 });
    bench.double.faults.appends.push({ delayMs: 1_000 });
    await appendOne(store);
    expect(bench.double.counts.appends).to.equal(1);
  });

  it('is not healthy while it can only be read', async () => {
    const { appends } = bench.double.faults;
    const lost = { keep: false, answer: 'timeout' } as const;
    appends.push(...Array.from({ length: 30 }, () => lost));
    await refusal();
    expect((await bench.store.health()).ok).to.equal(false);
    appends.length = 0;
    expect(await bench.store.health()).to.deep.equal({ ok: true });
    await appendOne();
  });
});
