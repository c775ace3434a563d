import { expect } from 'chai';
import { type EventStore, NO_STREAM, StoreUnavailable } from '../../src/events/store.ts';
import { useRealConnections } from '../support/network.ts';
import { appendContract, contentContract, repeatContract } from './store-append.ts';
import { appendInTurn, created, createdMany, freshStream, outcomeOf } from './store-events.ts';
import { followContract, orderContract } from './store-follow.ts';

export interface OpenedStore {
  store: EventStore;
  /** Another handle on the same log; where only one can be open, the first is closed for it. */
  reopen?: () => Promise<EventStore>;
}

/** What every store promises. None of them gets an option: if one needs it, the port is wrong. */
export const eventStoreContract = (name: string, open: () => Promise<OpenedStore>): void => {
  describe(`EventStore: ${name}`, () => {
    useRealConnections();
    let opened: OpenedStore;
    let store: EventStore;

    before(async () => {
      opened = await open();
      store = opened.store;
    });
    after(() => store.close());

    const current = () => store;
    appendContract(current);
    repeatContract(current);
    contentContract(current);
    readContract(current);
    orderContract(current);
    followContract(current);
    snapshotContract(current);

    it('treats an append from before its reopening as repeated', async function () {
      if (!opened.reopen) this.skip();
      const stream = freshStream();
      const events = createdMany(2);
      const first = await store.append(stream, NO_STREAM, events);
      store = await opened.reopen();
      expect(await store.append(stream, NO_STREAM, events)).to.deep.equal(first);
      expect(await store.read(stream)).to.have.length(2);
    });

    it('is healthy while it is open, and refuses everything once it is closed', async () => {
      const other = (await open()).store;
      expect(await other.health()).to.deep.equal({ ok: true });
      const { signal } = new AbortController();
      const following = other.follow(await other.head(), signal)[Symbol.asyncIterator]();
      await following.next();
      const next = outcomeOf(following.next());
      await other.close();
      await other.close();
      expect(await next, 'a follower').to.be.instanceOf(StoreUnavailable);
      expect((await other.health()).ok).to.equal(false);
      const append = other.append(freshStream(), NO_STREAM, [created()]);
      expect(await outcomeOf(append)).to.be.instanceOf(StoreUnavailable);
      expect(await outcomeOf(other.read(freshStream()))).to.be.instanceOf(StoreUnavailable);
    });
  });
};

const readContract = (store: () => EventStore): void => {
  it('reads nothing from a stream that is not there', async () => {
    expect(await store().read(freshStream())).to.deep.equal([]);
    expect(await store().read(freshStream(), { direction: 'backwards' })).to.deep.equal([]);
  });

  it('reads forwards and backwards, from a revision, up to a limit', async () => {
    const stream = freshStream();
    await store().append(stream, NO_STREAM, createdMany(6));
    const revisions = async (options: Parameters<EventStore['read']>[1]) =>
      (await store().read(stream, options)).map(({ revision }) => revision);
    expect(await revisions({})).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(await revisions({ from: 4 })).to.deep.equal([4, 5]);
    expect(await revisions({ from: 1, limit: 2 })).to.deep.equal([1, 2]);
    expect(await revisions({ from: 6 })).to.deep.equal([]);
    expect(await revisions({ direction: 'backwards' })).to.deep.equal([5, 4, 3, 2, 1, 0]);
    expect(await revisions({ direction: 'backwards', limit: 1 })).to.deep.equal([5]);
    expect(await revisions({ direction: 'backwards', from: 3, limit: 2 })).to.deep.equal([3, 2]);
    expect(await revisions({ direction: 'backwards', from: 0 })).to.deep.equal([0]);
  });

  it('reads 1,000 events at most', async () => {
    const stream = freshStream();
    await store().append(stream, NO_STREAM, createdMany(1_005));
    expect(await store().read(stream)).to.have.length(1_000);
    expect(await store().read(stream, { limit: 2_000 })).to.have.length(1_000);
    expect(await store().read(stream, { from: 1_000 })).to.have.length(5);
  });

  it('does not mix up streams whose names begin alike', async () => {
    const stream = freshStream();
    await store().append(stream, NO_STREAM, [created()]);
    expect(await store().read(stream.slice(0, -1))).to.deep.equal([]);
    expect(await store().read(`${stream}0`)).to.deep.equal([]);
  });
};

const snapshotContract = (store: () => EventStore): void => {
  it('has no snapshot of a stream that none was made of', async () => {
    expect(await store().loadSnapshot(freshStream())).to.equal(undefined);
  });

  it('keeps the newest snapshot of a stream', async () => {
    const stream = freshStream();
    await appendInTurn(store(), stream, createdMany(3));
    await store().saveSnapshot(stream, { revision: 0, version: 1, state: { balance: 1 } });
    const newest = { revision: 2, version: 2, state: { balance: 3, name: 'é', open: [1, null] } };
    await store().saveSnapshot(stream, newest);
    expect(await store().loadSnapshot(stream)).to.deep.equal(newest);
    expect(await store().read(stream)).to.have.length(3);
  });

  it('keeps a newer snapshot, unless the older one is to replace it', async () => {
    const stream = freshStream();
    await appendInTurn(store(), stream, createdMany(3));
    const newer = { revision: 2, version: 1, state: { balance: 3 } };
    const older = { revision: 1, version: 2, state: { balance: 2 } };
    await store().saveSnapshot(stream, older, { replace: true });
    await store().saveSnapshot(stream, newer);
    await store().saveSnapshot(stream, older);
    expect(await store().loadSnapshot(stream)).to.deep.equal(newer);
    const same = { ...newer, version: 2 };
    await store().saveSnapshot(stream, same);
    expect(await store().loadSnapshot(stream)).to.deep.equal(same);
    await store().saveSnapshot(stream, older, { replace: true });
    expect(await store().loadSnapshot(stream)).to.deep.equal(older);
  });
};
