import { expect } from 'chai';
import { AppendTooLarge } from '../../../src/events/store.ts';
import { freshStream, outcomeOf } from '../../contract/store-events.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { ENDLESS, openBench } from './bench.ts';

describe('the log in EventStoreDB: snapshots', () => {
  useRealConnections();
  const bench = inEachTest(() => openBench(ENDLESS));

  it('makes the server keep only the newest one', async () => {
    const stream = freshStream();
    for (const revision of [1, 2, 3]) {
      await bench.store.saveSnapshot(stream, { revision, version: 1, state: { revision } });
    }
    const metadata = bench.double.log.stream(`$$snapshot-${stream}`);
    const texts = metadata.map(({ data }) => Buffer.from(data).toString());
    expect(texts.map((text) => JSON.parse(text))).to.deep.equal([{ $maxCount: 1 }]);
    expect(await bench.store.loadSnapshot(stream)).to.include({ revision: 3 });
  });

  it('keeps the newest of several that are saved at once by several', async () => {
    const stream = freshStream();
    const other = await bench.open();
    const saved = [1, 9, 3, 7].map((revision, i) => {
      const store = i % 2 === 0 ? bench.store : other;
      return store.saveSnapshot(stream, { revision, version: 1, state: null });
    });
    await Promise.all(saved);
    expect(await other.loadSnapshot(stream)).to.include({ revision: 9 });
  });

  it('refuses one that is too large', async () => {
    const state = 'x'.repeat(1_100_000);
    const saving = bench.store.saveSnapshot(freshStream(), { revision: 1, version: 1, state });
    expect(await outcomeOf(saving)).to.be.instanceOf(AppendTooLarge);
  });
});
