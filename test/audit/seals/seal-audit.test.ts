import { expect } from 'chai';
import { verifyDirectory } from '../../../src/audit/offline.ts';
import type { VerifierKey } from '../../../src/audit/seals/note.ts';
import type { Seal } from '../../../src/audit/seals/read-seals.ts';
import { createSealAfter } from '../../../src/audit/seals/read-seals.ts';
import { PlanPublished } from '../../../src/events/pricing.ts';
import { NO_STREAM } from '../../../src/events/store.ts';
import { systemIds } from '../../../src/shared/system.ts';
import { writeBooks } from '../../support/copy-books.ts';
import { temporaryFolder } from '../../support/folder.ts';
import {
  changeFile,
  closeGaps,
  copyFirst,
  copyOf,
  openSealer,
  rewriteChain,
  sealsIn,
  withStore,
} from '../../support/sealed-books.ts';

const plan = PlanPublished.of({
  planId: 'gold',
  planVersion: 1,
  name: 'Gold',
  billing: 'credits',
  currency: 'USD',
  markup: 200_000,
  creditValue: 10_000,
  refundFailedDeliveries: true,
  disconnectRefundsPerDay: 100,
  freeWritesMbPerDay: 50,
  chargeService: false,
});

const ACCOUNT = `acc_${'1'.padStart(32, '0')}`;

const OF_PLAN = `position = (SELECT position FROM log WHERE stream = 'plan-gold')`;

describe('seals of a log @long', () => {
  const original = temporaryFolder();
  let kept: Seal[];
  let keys: VerifierKey[];
  let folder = original;
  before(async () => {
    await withStore(original.path, async (store) => {
      const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'req_1' };
      const event = { ...plan, id: systemIds.uuid(), version: 3, meta };
      await store.append('plan-gold', NO_STREAM, [event]);
      const sealer = await openSealer(store);
      await writeBooks(store, { accounts: 3, sends: 110 });
      await sealer.seal();
      await writeBooks(store, { accounts: 1, sends: 20, first: 3 });
      await sealer.seal();
      await sealer.seal();
      expect(sealer.broken).to.deep.equal([]);
      keys = [await sealer.key()];
    });
    kept = await sealsIn(original.path);
  });
  beforeEach(() => {
    folder = copyOf(original.path);
  });
  afterEach(() => folder.remove());
  after(() => original.remove());

  const verify = (seals = { kept, keys }) => verifyDirectory(folder.path, { seals });
  const kindsOf = async (seals?: Parameters<typeof verify>[0]) =>
    [...new Set((await verify(seals)).problems.map(({ kind }) => kind))].sort();

  it('hold for the log that they were made of, and cover what came since the last one', async () => {
    const [first, second, third] = kept;
    expect(first).to.include({ number: 1, size: 3 });
    expect(second!.records).to.include({ since: 1 });
    expect(first!.records.size).to.be.above(256);
    expect(third).to.deep.include({ size: 4, root: second!.root, newest: second!.newest });
    expect(third!.records).to.include({ since: 2, size: 0 });
    const { ok, seals, problems } = await verify();
    expect(problems).to.deep.equal([]);
    expect(ok).to.equal(true);
    expect(seals).to.deep.equal({
      count: 3,
      last: { number: 3, at: third!.at },
      signed: true,
    });
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

  it('find a field that was added to a row', async () => {
    const sql = `UPDATE events SET data = replace(data, '"markup":', '"more":1,"markup":') WHERE ${OF_PLAN}`;
    expect(changeFile(folder.path, sql)).to.equal(1);
    expect(await kindsOf()).to.deep.equal(['seal']);
  });

  it('find a chain that was changed and hashed anew, and name its account', async () => {
    rewriteChain(folder.path, ACCOUNT, ({ type, data }) => {
      if (type === 'CreditsGranted') data.amount += 1_000_000;
    });
    const { problems } = await verify({ kept: [], keys: [] });
    expect([...new Set(problems.map(({ kind }) => kind))]).to.deep.equal(['seal']);
    const named = problems.flatMap((problem) => problem.accountId ?? []);
    expect(named).to.deep.equal([ACCOUNT]);
  });

  it('find a tail that was dropped, with its seals', async () => {
    const { seals } = await verify();
    expect(seals).to.include({ count: 3 });
    const sealed = Number(kept[0]!.position);
    changeFile(folder.path, 'DELETE FROM events WHERE position > ?', sealed - 3);
    expect(await kindsOf({ kept: [], keys: [] })).to.deep.equal([]);
    const { problems } = await verify();
    expect(problems.map(({ at }) => at)).to.include.members(['kept seal 1', 'seal 1']);
    expect(problems.every(({ kind }) => kind === 'seal')).to.equal(true);
  });

  it('find a record that was put in between others of a seal', async () => {
    // The last record goes to a place before the first seal.
    changeFile(folder.path, 'UPDATE events SET position = -position');
    const shift = 'UPDATE events SET position = -position + (-position > 5)';
    changeFile(folder.path, shift);
    copyEvent('plan-gold', 'plan-extra', 6);
    expect(await kindsOf({ kept: [], keys: [] })).to.deep.equal(['seal']);
  });

  it('cannot be made by one who has the file and not the key', async () => {
    forge(ACCOUNT);
    await withStore(folder.path, async (store) => {
      await (await openSealer(store, Buffer.alloc(32, 4))).seal();
    });
    expect(await kindsOf({ kept: [], keys: [] })).to.deep.equal([]);
    expect((await verify({ kept: [], keys })).problems.map(({ detail }) => detail)).to.include(
      'no given key has signed it',
    );
    expect(await kindsOf({ kept, keys: [] })).to.deep.equal(['seal']);
  });

  it('can be made anew by one who has the key too; what is kept elsewhere tells', async () => {
    forge(ACCOUNT);
    await withStore(folder.path, async (store) => {
      const sealer = await openSealer(store);
      for (const _ of kept) await sealer.seal();
    });
    expect(await kindsOf({ kept: [], keys })).to.deep.equal([]);
    const { problems } = await verify();
    expect(problems.map(({ detail }) => detail)).to.include(
      'the log has another seal of this number',
    );
  });

  it('show a gap between the kept ones', async () => {
    const { problems } = await verify({ kept: [kept[0]!, kept[2]!], keys });
    expect(problems.map(({ detail }) => detail)).to.deep.equal(['the kept seals lack seal 2']);
  });

  it('are found by their time, with a position of the log that they are in', async () => {
    await withStore(folder.path, async (store) => {
      const sealAfter = createSealAfter(store);
      const [first, second] = kept;
      const { number, at, root, position } = second!;
      expect(await sealAfter(first!.at)).to.include({ number: 1 });
      expect(await sealAfter(second!.at)).to.deep.equal({ number, at, root, position });
      expect(await sealAfter('2027-01-01T00:00:00.000Z')).to.equal(null);
      const next = await (await openSealer(store)).seal();
      expect(await sealAfter(kept[2]!.at)).to.include({ number: 3 });
      expect(next.number).to.equal(4);
    });
  });

  it('hold for a copy of the log, whose positions are others', async () => {
    changeFile(folder.path, 'UPDATE events SET position = -position');
    changeFile(folder.path, 'UPDATE events SET position = -position + 1');
    copyEvent('installation-waybill', 'other-1', 1);
    expect(await kindsOf()).to.deep.equal([]);
    await withStore(folder.path, async (store) => {
      await writeBooks(store, { accounts: 1, sends: 2, first: 7 });
      const next = await (await openSealer(store)).seal();
      expect(next.records.since).to.equal(3);
    });
    expect((await verify()).seals).to.include({ count: 4 });
  });

  /** Changes the chain and removes the seals. */
  const forge = (accountId: string) => {
    rewriteChain(folder.path, accountId, ({ type, data }) => {
      if (type === 'CreditsGranted') data.amount += 1_000_000;
    });
    const last = kept[2]!.position;
    changeFile(folder.path, 'DELETE FROM events WHERE position > ?', Number(last));
    changeFile(
      folder.path,
      `DELETE FROM events WHERE position IN
        (SELECT position FROM log WHERE stream LIKE 'seals-%' OR stream LIKE 'heads-%')`,
    );
    closeGaps(folder.path);
  };

  /** Puts a copy of the first event of a stream into a new stream, at a free position. */
  const copyEvent = (from: string, to: string, position: number) => {
    copyFirst(folder.path, { from, to, position, id: systemIds.uuid() });
  };
});
