import { join } from 'node:path';
import { expect } from 'chai';
import { START } from '../../../src/events/store.ts';
import { createListerThread, type Lister } from '../../../src/projections/sqlite/lister.ts';
import { openSqliteViews } from '../../../src/projections/sqlite/views.ts';
import { type Scan, ViewsUnavailable } from '../../../src/projections/views.ts';
import { folderInSuite } from '../../support/folder.ts';
import { at } from '../../support/views-parcels.ts';

const ROWS = 8_000;
const collection = 'numbers_v1_1';

describe('the thread that reads lists', () => {
  let lister: Lister;
  after(() => lister.close());
  const folder = folderInSuite();
  before(async () => {
    const views = await openSqliteViews({ directory: folder.path });
    await views.prepare(collection, [['order']], ['other']);
    const writes = Array.from({ length: ROWS }, (_, order) => {
      return { id: `n${order}`, position: '1', document: { order: at(order) } };
    });
    await views.commit([{ collection, writes, from: START, to: '1' }]);
    await views.close();
    lister = createListerThread(join(folder.path, 'views.db'));
  });

  const order = { field: 'order', direction: 'ascending' } as const;
  const scan = (change: Partial<Scan> = {}, signal?: AbortSignal) => {
    const whole = { where: {}, order, limit: 2, rowsMax: ROWS, charactersMax: 1e6, ...change };
    return lister.scan({ collection, scan: whole }, signal);
  };
  /** Looks at every row and finds nothing. */
  const nothing = { where: { other: 1 } };

  it('answers a short list before a long one that was asked for first', async () => {
    await scan();
    const ended: string[] = [];
    await Promise.all([
      scan(nothing).then(() => ended.push('long')),
      scan(nothing).then(() => ended.push('long')),
      scan().then(() => ended.push('short')),
    ]);
    expect(ended).to.deep.equal(['short', 'long', 'long']);
  });
  it('stops a list that was called off', async () => {
    const calling = new AbortController();
    const reason = new Error('no longer wanted');
    const long = scan(nothing, calling.signal).catch((error: unknown) => error);
    calling.abort(reason);
    expect(await long).to.equal(reason);
    expect((await scan()).next).to.equal(at(1));
  });
  it('ends a page early once it has worked long enough on it, but not before a slice', async () => {
    expect(await scan({ ...nothing, workMs: 0 })).to.deep.equal({ rows: [], next: at(199) });
    expect(await scan({ ...nothing, workMs: 60_000 })).to.deep.equal({ rows: [], next: null });
  });
  it('takes a thousand lists at a time, and refuses the next', async () => {
    const all = await Promise.allSettled(Array.from({ length: 1001 }, () => scan()));
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused).to.deep.equal([all[1000]]);
    expect(all[1000]).to.have.property('reason').that.is.instanceOf(ViewsUnavailable);
  });
  it('rejects with the reason, and continues', async () => {
    const missing = await lister
      .scan({
        collection: 'nowhere_v1_1',
        scan: { ...nothing, order, limit: 1, rowsMax: 1, charactersMax: 1 },
      })
      .catch((error: unknown) => error);
    expect(missing).to.be.instanceOf(ViewsUnavailable);
    expect((await scan()).rows).to.have.length(2);
  });
});
