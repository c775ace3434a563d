import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type EventStore, NO_STREAM, START, StoreUnavailable } from '../../../src/events/store.ts';
import { created, followUntil, freshStream, outcomeOf } from '../../contract/store-events.ts';
import { folderInEachTest } from '../../support/folder.ts';
import { makeCertificate } from '../../support/grpc/certificate.ts';
import { type EventStoreDouble, startEventStoreDouble } from '../../support/grpc/eventstore.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { ENDLESS, openBench } from './bench.ts';

describe('the log in EventStoreDB: credentials', () => {
  useRealConnections();
  const bench = inEachTest(() => openBench(ENDLESS));
  const folder = folderInEachTest();
  let double: EventStoreDouble;
  beforeEach(async () => {
    const tls = makeCertificate();
    writeFileSync(join(folder.path, 'ca.pem'), tls.certificate);
    double = await startEventStoreDouble({ tls });
    double.credentials = 'waybill:p@ss';
  });
  afterEach(() => double.close());

  const open = (user: string, authority = join(folder.path, 'ca.pem')) => {
    const url = `esdb://${user}@localhost:${double.port}?tlsCAFile=${encodeURIComponent(authority)}`;
    return bench.open({ url });
  };
  const appendOne = (store: EventStore) => store.append(freshStream(), NO_STREAM, [created()]);

  it('are sent with every call, over TLS', async () => {
    const store = await open('waybill:p%40ss');
    await appendOne(store);
    const [event] = (await store.readAll(START, 10)).events;
    const found = await followUntil(store, START, new Set([String(event?.id)]));
    expect(found.events).to.deep.equal([event]);
    expect(await store.health()).to.deep.equal({ ok: true });
  });

  it('are named nowhere when they are refused, and taken once they are right', async () => {
    const store = await open('waybill:wr0ng');
    const errors = [
      await outcomeOf(appendOne(store)),
      await outcomeOf(store.head()),
      await outcomeOf(store.loadSnapshot('account-1')),
      await outcomeOf(store.saveSnapshot('account-1', { revision: 0, version: 1, state: 0 })),
      await outcomeOf(followUntil(store, START, new Set(['none']))),
    ];
    for (const error of errors) expect(error).to.be.instanceOf(StoreUnavailable);
    const { ok, detail } = await store.health();
    expect(ok).to.equal(false);
    for (const text of [...errors.map((error) => (error as Error).message), detail]) {
      expect(text).to.match(/refuses our credentials/);
      expect(text).not.to.match(/wr0ng|waybill/);
    }
    double.credentials = 'waybill:wr0ng';
    await appendOne(store);
  });

  it('go to no server whose certificate is not trusted', async () => {
    writeFileSync(join(folder.path, 'other.pem'), makeCertificate().certificate);
    const store = await open('waybill:p%40ss', join(folder.path, 'other.pem'));
    expect((await store.health()).ok).to.equal(false);
    expect(await outcomeOf(store.head())).to.be.instanceOf(StoreUnavailable);
  });
});
