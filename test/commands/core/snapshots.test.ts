import { expect } from 'chai';
import type { Decider } from '../../../src/commands/core/decider.ts';
import { createFolding } from '../../../src/commands/core/folding.ts';
import {
  type BadSnapshot,
  contentOf,
  createSnapshots,
  type Found,
} from '../../../src/commands/core/snapshots.ts';
import { NO_STREAM, type Recorded, type Snapshot } from '../../../src/events/store.ts';
import { until } from '../../support/until.ts';

const EVERY = 4;
const stream = 'counter-1';

/** Counts its events and remembers their ids. */
const counterOf = (version: number): Decider<unknown, unknown> => ({
  category: 'counter',
  initial: { ids: [] },
  evolve: (state, fact) => ({
    ids: [...(state as { ids: string[] }).ids, (fact as unknown as Recorded).id],
  }),
  decide: () => [],
  snapshot: { version, every: EVERY },
});

const eventAt = (revision: number): Recorded => ({
  id: `e${revision}`,
  // Every second one is a link of the chain.
  type: revision % 2 === 0 ? 'CreditsGranted' : 'LimitsSet',
  version: 1,
  stream,
  revision,
  position: `${revision}`,
  meta: { at: '', requestId: 'r' },
  data: revision % 2 === 0 ? { hash: `h${revision}` } : {},
});

/** The hash of the newest link. */
const chainAt = (revision: number) => `h${revision - (revision % 2)}`;

/** A log of so many events, and what is kept beside it. */
const openLog = (length: number) => {
  const events = Array.from({ length }, (_, revision) => eventAt(revision));
  const log = { kept: undefined as Snapshot | undefined, replaced: 0, reads: 0 };
  const store = {
    read: async (_: string, { from = 0, limit = 1000 } = {}) => {
      log.reads += 1;
      return events.slice(from, from + limit);
    },
    loadSnapshot: async () => log.kept,
    saveSnapshot: async (_: string, snapshot: Snapshot, { replace = false } = {}) => {
      if (replace) log.replaced += 1;
      if (replace || snapshot.revision >= (log.kept?.revision ?? NO_STREAM)) log.kept = snapshot;
    },
  };
  const snapshots = createSnapshots(store, (text) => `sealed(${text})`);
  const load = async (version = 1, page = 100) => {
    const bad: BadSnapshot[] = [];
    const failed: unknown[] = [];
    const folding = createFolding({
      store,
      snapshots,
      page,
      onBad: (one) => bad.push(one),
      onSnapshotFailed: (of, error) => failed.push([of, (error as Error).message]),
    });
    const folded = await folding.load(counterOf(version), stream);
    return { ...folded, bad, failed, folding };
  };
  const idsTo = (revision: number) => ({
    ids: events.slice(0, revision + 1).map(({ id }) => id),
  });
  /** Keeps an honest one of this revision. */
  const keep = (revision: number, version = 1) =>
    snapshots.save(counterOf(version), stream, {
      state: idsTo(revision),
      revision,
      chain: chainAt(revision),
      last: eventAt(revision),
    });
  return { log, store, snapshots, load, idsTo, keep };
};

const faultOf = (found: Found) => (found.kind === 'bad' ? found.fault : found.kind);

describe('a snapshot', () => {
  it('is sealed with its stream, revision, version, state, event and chain', async () => {
    const { log, snapshots, keep } = openLog(5);
    await keep(2);
    const { state } = log.kept as { state: { seal: string } & Record<string, unknown> };
    expect(state.seal).to.equal(
      'sealed({"chain":"h2","event":"e2","revision":2,"state":{"ids":["e0","e1","e2"]},' +
        '"stream":"counter-1","version":1})',
    );
    expect((await snapshots.find(counterOf(1), stream)).kind).to.equal('state');
    const elsewhere = await snapshots.find(counterOf(1), 'counter-2');
    expect(faultOf(elsewhere)).to.equal('forged');
    log.kept = { ...log.kept!, version: 2 };
    expect(faultOf(await snapshots.find(counterOf(2), stream))).to.equal('forged');
    expect(faultOf(await snapshots.find(counterOf(1), stream))).to.equal('other-version');
  });
  it('is damaged where any part of it is missing or of another kind', async () => {
    const { log, snapshots, keep } = openLog(5);
    await keep(2);
    const { kept } = log;
    const whole = kept!.state as Record<string, unknown>;
    const faultWith = async (change: Partial<Snapshot>) => {
      log.kept = { ...kept!, ...change };
      return faultOf(await snapshots.find(counterOf(1), stream));
    };
    for (const part of ['state', 'event', 'chain', 'seal']) {
      const { [part]: _, ...rest } = whole;
      const strange = part === 'state' ? [rest] : [rest, { ...whole, [part]: 7 }];
      for (const state of strange) {
        expect(await faultWith({ state }), part).to.equal('damaged');
        expect(contentOf(log.kept!)).to.equal(undefined);
      }
    }
    for (const state of [undefined, null, 'text', 7, []]) {
      expect(await faultWith({ state })).to.equal('damaged');
    }
    for (const revision of [-1, 1.5, Number.NaN, 2 ** 53]) {
      expect(await faultWith({ revision })).to.equal('damaged');
    }
    expect(await faultWith({ state: { ...whole, chain: 'h0' } })).to.equal('forged');
  });
  it('is not looked for where a decider keeps none', async () => {
    const { log, snapshots, keep } = openLog(5);
    await keep(2);
    const before = log.kept;
    expect(await snapshots.find({}, stream)).to.deep.equal({ kind: 'none' });
    const taken = { state: 1, revision: 4, chain: chainAt(4), last: eventAt(4) };
    await snapshots.save({}, stream, taken);
    expect(log.kept).to.equal(before);
  });
  it('is of the event that stands there: its revision, its id and its link', async () => {
    const { snapshots, keep } = openLog(5);
    await keep(2);
    const found = await snapshots.find(counterOf(1), stream);
    if (found.kind !== 'state') throw new Error(found.kind);
    expect(found.isAt(eventAt(2))).to.equal(true);
    expect(found.isAt(undefined)).to.equal(false);
    for (const change of [{ id: 'x' }, { revision: 3 }, { data: { hash: 'x' } }, { data: {} }]) {
      expect(found.isAt({ ...eventAt(2), ...change }), JSON.stringify(change)).to.equal(false);
    }
  });
});

describe('a state that is loaded', () => {
  it('is the same with a snapshot of any revision and pages of any size', async () => {
    for (let length = 1; length <= 9; length += 1) {
      for (let revision = 0; revision < length; revision += 1) {
        for (const page of [1, 2, 3, 100]) {
          const { load, keep, idsTo } = openLog(length);
          await keep(revision);
          const { state, revision: at, bad } = await load(1, page);
          expect([state, at, bad]).to.deep.equal([idsTo(length - 1), length - 1, []]);
        }
      }
    }
  });
  it('is kept when so many events were read for it as a snapshot would spare', async () => {
    for (const [length, from, isKept] of [
      [EVERY - 1, NO_STREAM, false],
      [EVERY, NO_STREAM, true],
      [2 + EVERY, 2, false],
      [3 + EVERY, 2, true],
      [9 + EVERY, 2, true],
    ] as const) {
      for (const page of [1, 2, 3, 100]) {
        const { log, load, keep, snapshots } = openLog(length);
        if (from !== NO_STREAM) await keep(from);
        const before = log.kept;
        await load(1, page);
        await new Promise(setImmediate);
        expect(log.kept !== before, `${length} ${from} ${page}`).to.equal(isKept);
        if (!isKept) continue;
        expect(log.kept?.revision).to.equal(length - 1);
        const found = await snapshots.find(counterOf(1), stream);
        expect(found.kind === 'state' && found.isAt(eventAt(length - 1))).to.equal(true);
      }
    }
  });
  it('replaces a bad snapshot at once, and reports it', async () => {
    const { log, load, keep, idsTo } = openLog(3);
    await keep(1);
    log.kept = { ...log.kept!, revision: 1_000_000 };
    const { state, bad } = await load();
    expect(state).to.deep.equal(idsTo(2));
    expect(bad).to.deep.equal([{ stream, revision: 1_000_000, fault: 'forged' }]);
    expect([log.kept.revision, log.replaced]).to.deep.equal([2, 1]);
    expect((await load()).bad).to.deep.equal([]);
  });
  it('is folded anew where the log holds other events than the snapshot was taken of', async () => {
    const { log, load, keep, snapshots, idsTo } = openLog(3);
    const taken = { state: { ids: ['e0', 'other'] }, revision: 1, chain: chainAt(1) };
    const last = { ...eventAt(1), id: 'other' };
    await snapshots.save(counterOf(1), stream, { ...taken, last });
    const { state, bad } = await load();
    expect(state).to.deep.equal(idsTo(2));
    expect(bad).to.deep.equal([{ stream, revision: 1, fault: 'other-events' }]);
    expect(log.replaced).to.equal(1);
    await keep(1);
    expect((await load()).bad).to.deep.equal([]);
  });
  it('does not replace one of another program before that would spare as much', async () => {
    const { log, load, keep, idsTo } = openLog(EVERY - 1);
    await keep(1, 2);
    log.kept = { ...log.kept!, state: { balance: 7 } };
    const before = log.kept;
    const { state, bad } = await load();
    expect({ state, bad }).to.deep.equal({ state: idsTo(EVERY - 2), bad: [] });
    expect(log.kept).to.equal(before);
  });
  it('leaves a bad snapshot of a stream without events, and reports it', async () => {
    const { log, load } = openLog(0);
    log.kept = { revision: 3, version: 1, state: 'x' };
    const { state, revision, bad } = await load();
    expect({ state, revision }).to.deep.equal({ state: { ids: [] }, revision: NO_STREAM });
    expect(bad).to.deep.equal([{ stream, revision: 3, fault: 'damaged' }]);
  });
  it('is there although it cannot be kept', async () => {
    const { store, load, idsTo } = openLog(EVERY);
    store.saveSnapshot = async () => Promise.reject(new Error('disk'));
    const { state, failed } = await load();
    expect(state).to.deep.equal(idsTo(EVERY - 1));
    await until('it was told', () => failed.length > 0);
    expect(failed).to.deep.equal([[stream, 'disk']]);
  });
});
