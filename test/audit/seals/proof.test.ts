import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { proofExample } from '../../../openapi/examples.ts';
import { createSigner, parseVerifierKey, type VerifierKey } from '../../../src/audit/seals/note.ts';
import { type AnyProof, checkHead, checkProof, Proof } from '../../../src/audit/seals/proof.ts';
import { createProver } from '../../../src/audit/seals/prover.ts';
import { checkpointText, parseSeal } from '../../../src/audit/seals/read-seals.ts';
import type { MadeSeal } from '../../../src/audit/seals/sealer.ts';
import { parseTlogProof, tlogProof } from '../../../src/audit/seals/tlog-proof.ts';
import { chargeIdOf } from '../../../src/events/charge-form.ts';
import { openSqliteArchive } from '../../../src/events/sqlite/archive.ts';
import { openSqliteStore } from '../../../src/events/sqlite/store.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { writeBooks } from '../../support/copy-books.ts';
import { folderInSuite } from '../../support/folder.ts';
import { openSealer, rewriteChain, SEED } from '../../support/sealed-books.ts';
import { messageOf } from '../../support/spec.ts';

const accountOf = (index: number) => `acc_${String(index).padStart(32, '0')}`;

/** Of the seal in the example of the reference. */
const proofExampleKey =
  'waybill/01a219c4-7422-72d4-b7d8-070821fca87a+b0128292+Ae1JKMYo0cLG6ukDOJBZlWEpWSc6XGP5NjbBRhSshzfR';

describe('the proof of a charge', () => {
  let store: EventStore;
  let keys: VerifierKey[];
  const seals: MadeSeal[] = [];
  after(() => store.close());
  const folder = folderInSuite();
  before(async () => {
    store = await openSqliteStore({ directory: folder.path });
    const sealer = await openSealer(store);
    // More accounts and records than fit in one tile would take longer; records do.
    await writeBooks(store, { accounts: 5, sends: 120 });
    seals.push(await sealer.seal());
    await writeBooks(store, { accounts: 1, sends: 4, first: 5 });
    seals.push(await sealer.seal());
    await writeBooks(store, { accounts: 1, sends: 2, first: 6 });
    keys = [await sealer.key()];
  });

  /** The id of the account's first charge from a revision on; the others are refunds. */
  const chargeFrom = async (account: number, from: number): Promise<string> => {
    const events = await store.read(`account-${accountOf(account)}`, { from });
    const charge = events.find(({ type }) => type === 'ChargeReserved')!;
    return chargeIdOf(accountOf(account), charge.revision);
  };
  const proofOf = async (account: number, from: number, prover = createProver(store)) =>
    prover.charge(await chargeFrom(account, from));

  it('holds for charges anywhere in the log, by themselves', async () => {
    for (const [account, revision] of [
      [0, 2],
      [2, 60],
      [4, 100],
      [5, 3],
    ] as const) {
      const found = await proofOf(account, revision);
      expect(found?.accountId).to.equal(accountOf(account));
      const proof = Proof.parse(JSON.parse(JSON.stringify(found?.proof)));
      const { problems, seal, charge } = checkProof(proof, keys);
      expect(problems, `${account} ${revision}`).to.deep.equal([]);
      expect(seal!.note).to.equal(seals[account === 5 ? 1 : 0]!.seal.note);
      expect(parseTlogProof(tlogProof(proof))).to.deep.equal(proof);
      const chargeId = await chargeFrom(account, revision);
      expect(charge!.data).to.include({ chargeId, accountId: accountOf(account), amount: -1 });
    }
  });

  it('holds in the example of the reference, and in one of the form of before', () => {
    const text = readFileSync(
      new URL('../../fixtures/proof-of-before.json', import.meta.url),
      'utf8',
    );
    const { key, proof } = JSON.parse(text);
    expect(checkProof(proof, [parseVerifierKey(key)]).problems).to.deep.equal([]);
    expect(checkProof({ ...proof, index: 1 }, []).problems.join()).to.match(/path of the account/);
    const { index } = proof.link;
    const moved = { ...proof, link: { ...proof.link, index: index + 1 } };
    expect(checkProof(moved, []).problems.join()).to.match(/path of the charge/);
    const ours = parseVerifierKey(proofExampleKey);
    expect(checkProof(proofExample, [ours]).problems).to.deep.equal([]);
  });

  it('is the same from the files of a data directory', async () => {
    const archive = openSqliteArchive(folder.path);
    const found = await proofOf(3, 50, createProver(archive));
    archive.close();
    expect(found).to.deep.equal(await proofOf(3, 50));
  });

  it('is not there before the next seal, nor for what is no charge', async () => {
    expect(await proofOf(6, 2)).to.deep.equal({ accountId: accountOf(6), proof: null });
    const prover = createProver(store);
    for (const id of [chargeIdOf(accountOf(0), 0), chargeIdOf(accountOf(0), 5000), 'nothing']) {
      expect(await prover.charge(id), id).to.equal(undefined);
    }
  });

  it('fails with any part of it changed', async () => {
    const { proof } = (await proofOf(1, 23))!;
    const other = (await proofOf(1, 60))!.proof!;
    const sound = proof!;
    const withLink = (more: object) => ({ ...sound, link: { ...sound.link, ...more } });
    const changed: [string, AnyProof, RegExp][] = [
      ['amount', withLink({ data: { ...sound.link.data, amount: -2 } }), /changed/],
      ['link', { ...sound, link: other.link }, /path of the charge/],
      ['revision', withLink({ revision: 4 }), /another account or place/],
      ['index', { ...sound, index: sound.index + 1 }, /path of the charge/],
      ['size', { ...sound, size: sound.size - 1 }, /path of the charge/],
      ['path', { ...sound, path: [...sound.path].reverse() }, /path of the charge/],
      ['note', { ...sound, note: sound.note.replace(/\n\d+\n/, '\n9\n') }, /not signed/],
      ['no seal', { ...sound, note: 'anything' }, /not a seal/],
    ];
    for (const [name, one, reason] of changed) {
      expect(checkProof(one, keys).problems.join(), name).to.match(reason);
    }
    expect(checkProof(sound, keys).problems).to.deep.equal([]);
  });

  it('cannot be signed by another key', async () => {
    const { proof } = (await proofOf(1, 23))!;
    const seal = parseSeal(proof!.note)!;
    const other = createSigner(seal.origin, Buffer.alloc(32, 9));
    expect(createSigner(seal.origin, SEED).sign(checkpointText(seal))).to.equal(seal.note);
    const forged = { ...proof!, note: other.sign(checkpointText(seal)) };
    const problem = 'the seal is not signed by the given key';
    expect(checkProof(forged, keys).problems).to.deep.equal([problem]);
  });

  it('of an account is that of its newest link in the last seal, or in another one', async () => {
    const prover = createProver(store);
    const head = (await prover.head(accountOf(0)))!.proof;
    expect(checkHead(head, keys)).to.deep.include({ problems: [], number: 2, at: seals[1]!.at });
    expect(head.records.map(({ revision }) => revision)).to.deep.equal([0, 2]);
    expect(await prover.head(accountOf(6))).to.equal(undefined);
    const { size } = seals[0]!.seal;
    const earlier = (await prover.head(accountOf(0), size))!.proof;
    expect(checkHead(earlier, keys)).to.deep.include({ problems: [], number: 1 });
    expect(await prover.head(accountOf(0), size + 1)).to.equal(undefined);
    const mixed = { ...head, head: earlier.head };
    expect(checkHead(mixed, keys).problems).to.include(
      'the note of the newest links is of another seal',
    );
    const older = { ...head, leaf: { ...head.leaf, sequence: head.leaf.sequence - 1 } };
    expect(checkHead(older, keys).problems).to.include(
      'the link is not the newest one of the account at that seal',
    );
  });

  it('is refused where the log is not what was sealed', async () => {
    rewriteChain(folder.path, accountOf(4), ({ data }) => {
      data.at = '2026-11-20T00:00:00.000Z';
    });
    expect(await messageOf(proofOf(4, 100))).to.match(/not what its seal 1 covers/);
  });
});
