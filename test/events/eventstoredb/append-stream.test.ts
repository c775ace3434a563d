import { expect } from 'chai';
import { NO_STREAM, WrongRevision } from '../../../src/events/store.ts';
import { pause } from '../../../src/shared/timing.ts';
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
import { ENDLESS, openBench } from './bench.ts';

describe('the log in EventStoreDB: the stream that appends share', () => {
  useRealConnections();
  const bench = inEachTest(() => openBench(ENDLESS));

  const append = (store = bench.store) => store.append(freshStream(), NO_STREAM, [created()]);
  const script = (...faults: AppendFault[]) => bench.double.faults.appends.push(...faults);
  const counts = () => bench.double.counts;
  const endStreams = () => {
    for (const end of bench.double.appendStreams) end();
  };

  /** So long that a test which waits for it fails. */
  const endless = { timeoutMs: 600_000, silenceMs: 600_000 };

  /** The result of the work, while this is done again and again. */
  const among = async <T>(again: () => Promise<unknown>, work: Promise<T>): Promise<T> => {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    while (!isOver) await Promise.race([over, again().then(() => pause(10))]);
    return over;
  };

  it('ignores late answers', async () => {
    const store = await bench.open({ timeoutMs: 1_500 });
    const { promise: after, resolve: answer } = Promise.withResolvers<void>();
    script({ after }, { after, answer: 'timeout' });
    const late = [append(store), append(store)];
    await among(() => append(store), Promise.all(late));
    answer();
    // One more append may have gone out since.
    const isOver = () => counts().appendsOver === counts().appends;
    await until('the late answers have come', isOver);
    const { reads } = counts();
    await append(store);
    expect(counts(), 'answered without a look').to.include({ reads, appendStreams: 1 });
  });

  it('settles each append in flight when it breaks, stored or not', async () => {
    const store = await bench.open(endless);
    const streams = Array.from({ length: 30 }, freshStream);
    // The last one ends the stream for all.
    script(...streams.map((_, i) => ({ keep: i % 2 === 0, answer: 'none' as const })), {
      answer: 'unavailable',
      delayMs: 50,
    });
    const events = streams.map(() => createdMany(2));
    const appends = streams.map((stream, i) => store.append(stream, NO_STREAM, events[i]!));
    await Promise.all([...appends, append(store)]);
    for (const [i, stream] of streams.entries()) {
      expect(idsOf(await bench.store.read(stream))).to.deep.equal(idsOf(events[i]!));
    }
    expect(counts().appends, 'sendings of all').to.equal(31 + 15);
  });

  it('continues over another stream after the server ended it without an error', async () => {
    const store = await bench.open(endless);
    await append(store);
    endStreams();
    await append(store);
    script({ keep: true, answer: 'none' });
    const waiting = append(store);
    await until('it has arrived', () => counts().appends === 3);
    endStreams();
    await waiting;
    expect(counts()).to.include({ appends: 3, appendStreams: 2 });
  });

  it('answers each of interleaved appends with its own outcome', async () => {
    const taken = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const stream = freshStream();
        await bench.store.append(stream, NO_STREAM, [created()]);
        return stream;
      }),
    );
    // Answers come in the reverse order.
    script(...Array.from({ length: 40 }, (_, i) => ({ delayMs: 100 - 2 * i })));
    const outcomes = taken.flatMap((stream) => [
      outcomeOf(bench.store.append(stream, NO_STREAM, [created()])),
      bench.store.append(stream, 0, createdMany(2)),
    ]);
    for (const [i, outcome] of (await Promise.all(outcomes)).entries()) {
      if (i % 2 === 0) {
        expect(outcome).to.be.instanceOf(WrongRevision);
        expect(outcome).to.include({ stream: taken[i / 2], expected: NO_STREAM });
      } else expect(outcome).to.include({ revision: 2 });
    }
    expect(counts().appendStreams).to.equal(1);
  });

  it('is left when it alone is silent', async () => {
    const store = await bench.open({ timeoutMs: 1_500 });
    await append(store);
    const before = counts().appendStreams;
    const connections = bench.relay.connections();
    script(...Array.from({ length: 3 }, () => ({ keep: false, answer: 'none' as const })));
    const read = () => store.read('account-1');
    await among(read, Promise.all([append(store), append(store), append(store)]));
    expect(counts().appendStreams).to.equal(before + 1);
    expect(bench.relay.connections()).to.equal(connections);
  });

  it('delivers what is in flight before the store closes', async () => {
    // No ping of a client that has gone ends the stream in time.
    const url = `esdb://127.0.0.1:${bench.relay.port}?tls=false&keepAliveInterval=600000`;
    const store = await bench.open({ url });
    bench.double.delayMs = 50;
    const appends = Array.from({ length: 10 }, () => append(store));
    await until('all have arrived', () => counts().appends === 10);
    await store.close();
    for (const { revision } of await Promise.all(appends)) expect(revision).to.equal(0);
    await until('its stream has ended', () => bench.double.appendStreams.size === 0);
  });
});
