import { expect } from 'chai';
import { provePeriod } from '../../../src/audit/month-proof.ts';
import { verifyDirectory } from '../../../src/audit/offline.ts';
import type { VerifierKey } from '../../../src/audit/seals/note.ts';
import { createProver } from '../../../src/audit/seals/prover.ts';
import { createSealAfter, type Seal } from '../../../src/audit/seals/read-seals.ts';
import type { MadeSeal } from '../../../src/audit/seals/sealer.ts';
import { standardPlan } from '../../../src/commands/pricing/pricing.ts';
import { PlanPublished } from '../../../src/events/pricing.ts';
import {
  type EventStore,
  NO_STREAM,
  type Position,
  StoreUnavailable,
} from '../../../src/events/store.ts';
import { systemIds } from '../../../src/shared/system.ts';
import { writeBooks } from '../../support/copy-books.ts';
import { folderInSuite, temporaryFolder } from '../../support/folder.ts';
import { sealAsBefore } from '../../support/old-seals.ts';
import {
  changeFile,
  closeGaps,
  copyFirst,
  copyOf,
  openSealer,
  rewriteChain,
  SEED,
  sealsIn,
  withStore,
} from '../../support/sealed-books.ts';
import { messageOf } from '../../support/spec.ts';

const plan = PlanPublished.of({ ...standardPlan, planId: 'gold', markup: 200_000 });

const ACCOUNT = `acc_${'1'.padStart(32, '0')}`;

const OF_PLAN = `position = (SELECT position FROM log WHERE stream = 'plan-gold')`;

describe('seals of a log @long', () => {
  const original = folderInSuite();
  const made: MadeSeal[] = [];
  let kept: Seal[];
  let keys: VerifierKey[];
  let folder: ReturnType<typeof copyOf>;
  before(async () => {
    await withStore(original.path, async (store) => {
      const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'req_1' };
      const event = { ...plan, id: systemIds.uuid(), version: 3, meta };
      await store.append('plan-gold', NO_STREAM, [event]);
      const sealer = await openSealer(store);
      await writeBooks(store, { accounts: 3, sends: 110 });
      made.push(await sealer.seal());
      await writeBooks(store, { accounts: 1, sends: 20, first: 3 });
      made.push(await sealer.seal(), await sealer.seal());
      expect(sealer.broken).to.deep.equal([]);
      keys = [await sealer.key()];
    });
    kept = await sealsIn(original.path);
  });
  beforeEach(() => {
    folder = copyOf(original.path);
  });
  afterEach(() => folder.remove());

  /** Of the newest record that a seal covers. */
  const positionOf = (seal: number) => Number(made[seal]!.stored.tree!.position);
  const verify = (seals = { kept, keys }) => verifyDirectory(folder.path, { seals });
  const kindsOf = async (seals?: Parameters<typeof verify>[0]) =>
    [...new Set((await verify(seals)).problems.map(({ kind }) => kind))].sort();
  const detailsOf = async (seals?: Parameters<typeof verify>[0]) =>
    (await verify(seals)).problems.map(({ detail }) => detail);
  const nothing = { kept: [], keys: [] };
  /** Gives more to each grant of a chain, and hashes it anew. */
  const enrich = (path: string) =>
    rewriteChain(path, ACCOUNT, ({ type, data }) => {
      if (type === 'CreditsGranted') data.amount += 1_000_000;
    });

  it('hold for the log that they were made of, and cover what came since the last one', async () => {
    const [first, second, third] = kept;
    expect(first!.size).to.be.above(256);
    expect(second!.size).to.be.above(first!.size);
    expect(third).to.deep.equal(second);
    const { ok, seals, problems } = await verify();
    expect(problems).to.deep.equal([]);
    expect(ok).to.equal(true);
    const last = { number: 3, at: made[2]!.at };
    expect(seals).to.deep.equal({ count: 3, last, signed: true });
    expect((await verifyDirectory(folder.path)).seals).to.deep.include({ count: 3, signed: false });
  });

  it('hold for a log that goes on', async () => {
    await withStore(folder.path, (store) => writeBooks(store, { accounts: 1, sends: 3, first: 9 }));
    expect(await kindsOf()).to.deep.equal([]);
  });

  it('find a row that was changed', async () => {
    const sql = `UPDATE events SET data = replace(data, '"markup":200000', '"markup":100000') WHERE ${OF_PLAN}`;
    expect(changeFile(folder.path, sql)).to.equal(1);
    const { problems } = await verify();
    const [first, place] = problems;
    expect(first).to.include({ kind: 'seal', at: 'seal 1' });
    expect(first!.detail).to.match(/^the log is not what was covered/);
    expect(place!.detail).to.equal(
      'the first difference is within 256 records from plan-gold 0 on',
    );
  });

  it('find a tile that is served otherwise than the records make it', async () => {
    const sql = `UPDATE events SET data = replace(data, '"hashes":"', '"hashes":"AAAA')
      WHERE position = (SELECT position FROM log WHERE stream = 'tiles-0.0')`;
    expect(changeFile(folder.path, sql)).to.equal(1);
    const { problems } = await verify();
    expect(problems.map(({ at, detail }) => `${at}: ${detail}`)).to.deep.equal([
      'seal 3: tile 0/0 of the log of entries is missing, or not what its records make',
    ]);
  });

  it('find a field that was added to a row', async () => {
    const sql = `UPDATE events SET data = replace(data, '"markup":', '"more":1,"markup":') WHERE ${OF_PLAN}`;
    expect(changeFile(folder.path, sql)).to.equal(1);
    expect(await kindsOf()).to.deep.equal(['seal']);
  });

  it('find a chain that was changed and hashed anew, and name its account', async () => {
    enrich(folder.path);
    const { problems } = await verify(nothing);
    expect([...new Set(problems.map(({ kind }) => kind))]).to.deep.equal(['seal']);
    const named = problems.flatMap((problem) => problem.accountId ?? []);
    expect(named).to.deep.equal([ACCOUNT]);
  });

  it('find a tail that was dropped, with its seals', async () => {
    const { seals } = await verify();
    expect(seals).to.include({ count: 3 });
    const sealed = positionOf(0);
    changeFile(folder.path, 'DELETE FROM events WHERE position > ?', sealed - 3);
    expect(await kindsOf(nothing)).to.deep.equal([]);
    const { problems } = await verify();
    const name = `seal of ${kept[0]!.size} entries`;
    expect(problems.map(({ at }) => at)).to.include.members([`kept ${name}`, name]);
    expect(problems.every(({ kind }) => kind === 'seal')).to.equal(true);
  });

  it('find a record that was put in between others of a seal', async () => {
    // The last record goes to a place before the first seal.
    changeFile(folder.path, 'UPDATE events SET position = -position');
    const shift = 'UPDATE events SET position = -position + (-position > 5)';
    changeFile(folder.path, shift);
    copyFirst(folder.path, { from: 'plan-gold', to: 'plan-extra', position: 6 });
    expect(await kindsOf(nothing)).to.deep.equal(['seal']);
  });

  it('cannot be made by one who has the file and not the key', async () => {
    forge();
    await withStore(folder.path, async (store) => {
      await (await openSealer(store, Buffer.alloc(32, 4))).seal();
    });
    expect(await kindsOf(nothing)).to.deep.equal([]);
    expect(await detailsOf({ kept: [], keys })).to.include('no given key has signed it');
    expect(await kindsOf({ kept, keys: [] })).to.deep.equal(['seal']);
  });

  it('can be made anew by one who has the key too; what is kept elsewhere tells', async () => {
    forge();
    await withStore(folder.path, async (store) => {
      const sealer = await openSealer(store);
      for (const _ of kept) await sealer.seal();
    });
    expect(await kindsOf({ kept: [], keys })).to.deep.equal([]);
    expect(await detailsOf()).to.include('the log has another seal of this size');
  });

  it('show an order of the kept ones that is not theirs', async () => {
    const turned = { kept: [kept[1]!, kept[0]!], keys };
    expect(await detailsOf(turned)).to.deep.equal(['the kept seals have a larger one before it']);
  });

  it('are refused by the sealer of a log that is not what the last one covers', async () => {
    // The newest record that the seal covers is gone: the log was rolled back under it.
    changeFile(folder.path, 'DELETE FROM events WHERE position = ?', positionOf(1));
    closeGaps(folder.path);
    const refusal = withStore(folder.path, async (store) => (await openSealer(store)).seal());
    expect(await messageOf(refusal)).to.match(/^The log (lacks entries|is not what) .*seal 3/);
  });

  it('grow with the log, and are the same where one process makes them and another one goes on', async () => {
    const more = copyOf(folder.path);
    await withStore(more.path, async (store) => {
      const sealer = await openSealer(store);
      await writeBooks(store, { accounts: 1, sends: 200, first: 8 });
      await sealer.grow();
      expect((await store.read('tiles-0.1')).length).to.equal(1);
      await writeBooks(store, { accounts: 1, sends: 40, first: 9 });
      await sealer.seal();
      const other = await openSealer(store);
      await writeBooks(store, { accounts: 1, sends: 3, first: 10 });
      await other.seal();
    });
    const report = await verifyDirectory(more.path, { seals: { kept, keys } });
    more.remove();
    expect(report.problems).to.deep.equal([]);
    expect(report.seals).to.include({ count: 5 });
  });

  it('go on where the log could be read to, once it can be read again', async () => {
    await withStore(folder.path, async (store) => {
      const from: Position[] = [];
      const ends: Position[] = [];
      let isAway = false;
      const log: EventStore = {
        ...store,
        async bare(position, ...what) {
          from.push(position);
          if (isAway) throw new StoreUnavailable('away');
          const page = await store.bare(position, ...what);
          ends.push(page.to);
          isAway = ends.length === 2;
          return page;
        },
      };
      const sealer = await openSealer(log);
      await writeBooks(store, { accounts: 1, sends: 700, first: 8 });
      expect(await messageOf(sealer.grow())).to.equal('away');
      isAway = false;
      await sealer.grow();
      expect(from.slice(2, 4)).to.deep.equal([ends[1], ends[1]]);
      await sealer.seal();
    });
    expect(await kindsOf({ kept: [], keys })).to.deep.equal([]);
  });

  it('of the form of before hold by the rule of before, and newer ones go on after them', async () => {
    const older = temporaryFolder();
    const ofLog: VerifierKey[] = [];
    await withStore(older.path, async (store) => {
      const sealer = await openSealer(store);
      ofLog.push(await sealer.key());
      const origin = ofLog[0]!.name;
      await writeBooks(store, { accounts: 2, sends: 20 });
      await sealAsBefore(store, { origin, seed: SEED, at: '2026-11-20T00:00:30.000Z' });
      await writeBooks(store, { accounts: 1, sends: 3, first: 2 });
      await sealer.seal();
    });
    const seals = { kept: await sealsIn(older.path), keys: ofLog };
    const whole = await verifyDirectory(older.path, { seals });
    enrich(older.path);
    const changed = await verifyDirectory(older.path, { seals });
    older.remove();
    expect(whole.problems).to.deep.equal([]);
    expect(whole.seals).to.include({ count: 2 });
    expect(changed.problems[0]!.detail).to.match(
      /^the log .* at 2026-11-20T00:00:30\.000Z, nor do 1 others hold$/,
    );
    expect(changed.problems.map(({ accountId }) => accountId)).to.include(ACCOUNT);
  });

  it('are found by their time, with a position of the log that they are in', async () => {
    await withStore(folder.path, async (store) => {
      const sealAfter = createSealAfter(store);
      const [first, second] = made;
      const { number, at, seal, stored } = second!;
      const { position } = stored.tree!;
      expect(await sealAfter(first!.at)).to.include({ number: 1 });
      expect(await sealAfter(at)).to.deep.equal({ number, at, root: seal.root, position });
      expect(await sealAfter('2027-01-01T00:00:00.000Z')).to.equal(null);
      const next = await (await openSealer(store)).seal();
      expect(await sealAfter(made[2]!.at)).to.include({ number: 3 });
      expect(next.number).to.equal(4);
    });
  });

  it('hold for a copy of the log, whose positions are others', async () => {
    changeFile(folder.path, 'UPDATE events SET position = -position');
    changeFile(folder.path, 'UPDATE events SET position = -position + 1');
    copyFirst(folder.path, { from: 'installation-waybill', to: 'other-1', position: 1 });
    expect(await kindsOf()).to.deep.equal([]);
    await withStore(folder.path, async (store) => {
      await writeBooks(store, { accounts: 1, sends: 2, first: 7 });
      const next = await (await openSealer(store)).seal();
      expect(next.seal.size).to.be.above(kept[2]!.size);
    });
    expect((await verify()).seals).to.include({ count: 4 });
  });

  it('prove a period in a copy of the log as in the log itself', async () => {
    const period = { from: '2026-01-01T00:00:00.000Z', to: made[0]!.at };
    const linesIn = (directory: string) =>
      withStore(directory, async (store) => {
        const deps = { log: store, prover: createProver(store), sealAfter: createSealAfter(store) };
        const lines = await provePeriod(deps, ACCOUNT, period);
        return Array.fromAsync(lines, (line) => line.replaceAll(/"position":"\d+"/g, ''));
      });
    const inTheLog = await linesIn(folder.path);
    expect(inTheLog.length).to.be.above(100);
    changeFile(folder.path, 'UPDATE events SET position = -position');
    changeFile(folder.path, 'UPDATE events SET position = -3 * position');
    expect(await linesIn(folder.path)).to.deep.equal(inTheLog);
  });

  /** Changes the chain and removes the seals. */
  const forge = () => {
    enrich(folder.path);
    changeFile(folder.path, 'DELETE FROM events WHERE position > ?', positionOf(2));
    changeFile(
      folder.path,
      `DELETE FROM events WHERE position IN (SELECT position FROM log
        WHERE stream LIKE 'seals-%' OR stream LIKE 'heads-%' OR stream LIKE 'tiles-%')`,
    );
    closeGaps(folder.path);
  };
});
