import { expect } from 'chai';
import { NO_STREAM, START } from '../../../src/events/store.ts';
import { created, freshStream, outcomeOf } from '../../contract/store-events.ts';
import { startEventStoreDouble } from '../../support/grpc/eventstore.ts';
import { createKeptLog } from '../../support/grpc/log.ts';
import { startRelay } from '../../support/grpc/relay.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { until, untilTrue } from '../../support/until.ts';
import { ENDLESS, openBench } from './bench.ts';

describe('the log in EventStoreDB: a cluster', () => {
  useRealConnections();
  /** Two members of one log, each behind a network of its own; the first of `order` leads. */
  const openCluster = async () => {
    const log = createKeptLog();
    let order: number[] = [];
    const members = () => order;
    const doubles = await Promise.all([0, 1].map(() => startEventStoreDouble({ log, members })));
    const relays = await Promise.all(doubles.map(({ port }) => startRelay(port)));
    const ports = relays.map(({ port }) => port);
    const lead = (index: number): void => {
      const leader = ports[index] as number;
      order = [leader, ...ports.filter((port) => port !== leader)];
      for (const [i, double] of doubles.entries()) {
        double.leaderPort = i === index ? undefined : leader;
      }
    };
    lead(0);
    // No ping of a client ends what it has left.
    const discovery =
      'tls=false&maxDiscoverAttempts=2&discoveryInterval=20&keepAliveInterval=600000';
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
    const close = async () => {
      for (const relay of relays) await relay.close();
      for (const double of doubles) await double.close();
    };
    return { log, doubles, relays, lead, url: `esdb://${hosts}?${discovery}`, close };
  };

  const bench = inEachTest(() => openBench(ENDLESS));
  let cluster: Awaited<ReturnType<typeof openCluster>>;
  beforeEach(async () => {
    cluster = await openCluster();
  });
  afterEach(() => cluster.close());

  /** A store, and a stream that it has written to where it is led. */
  const openWritten = async () => {
    const store = await bench.open({ url: cluster.url });
    const stream = freshStream();
    await store.append(stream, NO_STREAM, [created()]);
    return { store, stream };
  };
  const appends = () => cluster.doubles.map(({ counts }) => counts.appends);

  it('is written where it is led, also when the lead goes to another', async () => {
    const { store, stream } = await openWritten();
    expect(appends()).to.deep.equal([1, 0]);
    cluster.lead(1);
    const { revision, position } = await store.append(stream, 0, [created()]);
    expect(revision).to.equal(1);
    expect(await store.head()).to.equal(position);
    expect(appends()).to.deep.equal([1, 1]);
  });

  it('ends the stream of appends to a server that no longer leads', async () => {
    const { store, stream } = await openWritten();
    cluster.lead(1);
    // The read finds the new leader.
    expect(await store.read(stream)).to.have.length(1);
    await store.append(stream, 0, [created()]);
    const opened = () => cluster.doubles.map(({ appendStreams }) => appendStreams.size);
    await until('the first has ended', () => opened().join() === '0,1');
    expect(appends()).to.deep.equal([1, 1]);
  });

  it('is read and followed where it is led', async () => {
    const { store } = await openWritten();
    const stop = new AbortController();
    cluster.lead(1);
    expect((await store.readAll(START, 10)).events).to.have.length(1);
    for await (const { events } of store.follow(START, stop.signal)) {
      if (events.length === 0) continue;
      expect(events).to.have.length(1);
      break;
    }
    expect(cluster.doubles[0]?.subscriptions.count()).to.equal(0);
  });

  it('continues after the loss of a member', async () => {
    const { store, stream } = await openWritten();
    await cluster.relays[0]?.down();
    cluster.lead(1);
    await untilTrue('it is written again', async () => {
      const { length } = await store.read(stream).catch(() => []);
      if (length === 0) return false;
      return (await outcomeOf(store.append(stream, length - 1, [created()]))) === undefined;
    });
  });
});
