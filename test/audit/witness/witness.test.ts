import { writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { verifyDirectory } from '../../../src/audit/offline.ts';
import { openWitnessAlone } from '../../../src/audit/offline-witness.ts';
import { sealsOf } from '../../../src/audit/seals/given-seals.ts';
import { base64, leafHash } from '../../../src/audit/seals/merkle.ts';
import {
  createCosigner,
  createSigner,
  parseVerifierKey,
  signersOf,
} from '../../../src/audit/seals/note.ts';
import { checkpointText } from '../../../src/audit/seals/read-seals.ts';
import { createGrowingTree, createTreeReader } from '../../../src/audit/seals/tree.ts';
import { createCosigning } from '../../../src/audit/witness/cosigning.ts';
import { parsePolicy } from '../../../src/audit/witness/policy.ts';
import { openWitness, serveWitness } from '../../../src/audit/witness/server.ts';
import {
  addCheckpointText,
  originHash,
  parseAddCheckpoint,
} from '../../../src/audit/witness/witness.ts';
import type { Outbound } from '../../../src/commands/core/outbound.ts';
import { fixedClock } from '../../support/ambient.ts';
import { writeBooks } from '../../support/copy-books.ts';
import { folderInEachTest, folderInSuite } from '../../support/folder.ts';
import { useRealConnections } from '../../support/network.ts';
import { copyOf, openSealer, SEED, sealsIn, withStore } from '../../support/sealed-books.ts';

const ORIGIN = 'waybill/0192f6a4-7c1e-7b52-9d3e-5a1f0c2b8e12';
const log = createSigner(ORIGIN, SEED);
const clock = fixedClock();

/** A log of these entries: its checkpoint, and proofs that it has grown. */
const logOf = (entries: readonly string[], signer = log) => {
  const tree = createGrowingTree();
  for (const entry of entries) tree.add(leafHash(entry));
  const open = tree.open();
  const { consistency } = createTreeReader(async (level) => open[level] ?? []);
  const checkpoint = { origin: ORIGIN, size: tree.size(), root: base64(tree.root()) };
  return {
    note: signer.sign(checkpointText(checkpoint)),
    size: tree.size(),
    from: (old: number) => consistency(old, tree.size()),
  };
};

/** What the log asks, if it believes that the witness knows so many entries. */
const asks = async (of: ReturnType<typeof logOf>, old: number) =>
  addCheckpointText({ old, proof: await of.from(old), note: of.note });

const three = ['a', 'b', 'c'];
const five = [...three, 'd', 'e'];

describe('a witness', () => {
  const folder = folderInEachTest();
  const open = () =>
    openWitness({ folder: folder.path, logs: [parseVerifierKey(log.verifierKey)], clock });

  it('signs what goes on, and knows it after a restart', async () => {
    const first = open();
    const key = parseVerifierKey(first.verifierKey);
    const small = logOf(three);
    const added = first.add(await asks(small, 0));
    expect(added.status).to.equal(200);
    expect(signersOf(small.note + added.body, [key])).to.deep.equal([key]);
    const again = open();
    expect(again.verifierKey).to.equal(first.verifierKey);
    const large = logOf(five);
    const grown = again.add(await asks(large, 3));
    expect(grown.status, grown.body).to.equal(200);
    const note = again.checkpoint(originHash(ORIGIN))!;
    expect(note).to.equal(large.note + grown.body);
    expect(signersOf(note, [key, parseVerifierKey(log.verifierKey)])).to.have.length(2);
    // The same once more is signed once more.
    expect(again.add(await asks(large, 5)).status).to.equal(200);
  });

  it('is alone in its folder', () => {
    const alone = (name?: string) =>
      openWitnessAlone({ folder: folder.path, name, logs: [], clock });
    const first = alone();
    expect(alone).to.throw(
      `the witness in ${folder.path} is already in use; only one process may open it`,
    );
    first.close();
    expect(() => alone('other')).to.throw('has the name');
    alone().close();
  });

  it('refuses a log that was rolled back', async () => {
    const witness = open();
    expect(witness.add(await asks(logOf(five), 0)).status).to.equal(200);
    const back = logOf(three);
    expect(witness.add(await asks(back, 0))).to.deep.include({ status: 409, body: '5\n' });
    const text = addCheckpointText({ old: 5, proof: [], note: back.note });
    expect(witness.add(text).status).to.equal(400);
    // And one that has grown again otherwise.
    const other = logOf([...three, 'x', 'y', 'z']);
    expect(witness.add(await asks(other, 5)).status).to.equal(422);
    expect(witness.add(await asks(logOf([...five, 'f']), 5)).status).to.equal(200);
  });

  it('refuses a log that shows others another history', async () => {
    const witness = open();
    expect(witness.add(await asks(logOf(five), 0)).status).to.equal(200);
    const split = logOf([...three, 'd', 'forged']);
    const found = witness.add(await asks(split, 5));
    const body = 'this log has another root at this size than before\n';
    expect(found).to.deep.equal({ status: 422, body });
  });

  it('refuses what it does not know, what is not signed, and what is no request', async () => {
    const witness = open();
    const small = logOf(three);
    const unsigned = logOf(three, createSigner(ORIGIN, Buffer.alloc(32, 8)));
    const request = await asks(small, 0);
    const wrong = small.note.replace(/(— \S+ \S{20})./, (_, before) => `${before}!`);
    const lines = Array(64).fill(leafHash(''));
    const answers: readonly [what: string, text: string, status: number][] = [
      ['another log', request.replaceAll('waybill/', 'other/'), 404],
      ['another key', await asks(unsigned, 0), 403],
      ['another text under the signature', request.replace('\n3\n', '\n4\n'), 403],
      ['a proof from nothing', addCheckpointText({ ...small, old: 0, proof: [leafHash('')] }), 422],
      ['nothing', '', 400],
      ['a damaged note', addCheckpointText({ old: 0, proof: [], note: wrong }), 400],
      ['a size with zeros', request.replace('old 0', 'old 00'), 400],
      ['64 lines', addCheckpointText({ ...small, old: 0, proof: lines }), 400],
    ];
    for (const [what, text, status] of answers) {
      expect(witness.add(text).status, what).to.equal(status);
    }
    expect(witness.checkpoint(originHash(ORIGIN))).to.equal(undefined);
    expect(parseAddCheckpoint(request)).to.deep.equal({ old: 0, proof: [], note: small.note });
  });

  it('does not begin anew where what it knew is damaged', async () => {
    open().add(await asks(logOf(five), 0));
    writeFileSync(`${folder.path}/${originHash(ORIGIN)}.json`, '{"size":');
    expect(open).to.throw(/is damaged: get it from a backup$/);
  });
});

describe('a policy of witnesses', () => {
  const keys = Array.from({ length: 6 }, (_, index) =>
    createCosigner(`w${index}.example`, Buffer.alloc(32, index + 20)),
  );
  // The example of C2SP tlog-policy.
  const text = [
    `log ${log.verifierKey}`,
    '',
    ...keys.slice(0, 3).map((key, index) => `witness X${index + 1} ${key.verifierKey}`),
    'group X-witnesses 2 X1 X2 X3',
    ...keys
      .slice(3)
      .map((key, index) => `  witness\tY${index + 1} ${key.verifierKey} https://y.example/`),
    'group Y-witnesses any Y1 Y2 Y3',
    '# both',
    'group X-and-Y all X-witnesses Y-witnesses',
    'quorum X-and-Y',
    '',
  ].join('\n');
  const { note } = logOf(three);
  const signedBy = (...which: number[]) =>
    note +
    which
      .map((index) => keys[index]!.cosign(note.slice(0, note.indexOf('\n\n') + 1), 1_700_000_000))
      .join('');

  it('says which of them are enough', () => {
    const policy = parsePolicy(text);
    expect(policy.logs.map(({ key }) => key.name)).to.deep.equal([ORIGIN]);
    expect(policy.witnesses[3]).to.include({ name: 'Y1', url: 'https://y.example/' });
    expect(policy.isMetBy(signedBy(0, 2, 4))).to.equal(true);
    expect(policy.isMetBy(signedBy(0, 1, 2))).to.equal(false);
    expect(policy.isMetBy(signedBy(0, 4, 5))).to.equal(false);
    // A wrong signature of one of them spoils the note.
    const [, line = ''] = signedBy(1).split('\n\n')[1]!.split('\n');
    const wrong = keys[1]!.cosign('another\n', 1_700_000_000);
    expect(line).to.not.equal(wrong.trim());
    expect(policy.isMetBy(signedBy(0, 2, 4) + wrong)).to.equal(false);
    expect(parsePolicy('quorum none\n').isMetBy(note)).to.equal(true);
  });

  it('is refused with the number of the line that is wrong', () => {
    const bad: readonly [line: string, reason: RegExp][] = [
      ['quorum none', /there is one quorum/],
      [`witness X9 ${keys[0]!.verifierKey}`, /the key stands there twice/],
      [`witness X1 ${createCosigner('n', SEED).verifierKey}`, /the name X1 is taken/],
      [`witness N ${log.verifierKey}`, /a witness has a key for cosignatures/],
      [`log ${keys[0]!.verifierKey}`, /a log has a key for notes/],
      ['group G any Z', /Z is not defined above/],
      ['group G any X1', /X1 is a member already/],
      ['group G 3 X-and-Y', /write all, any, or how many/],
      ['anything', /write log, witness, group or quorum/],
      ['# \u0007', /control characters/],
    ];
    for (const [line, reason] of bad) {
      const lines = text.split('\n').length;
      expect(() => parsePolicy(text + line), line).to.throw(
        new RegExp(`^line ${lines} of the policy: .*${reason.source}`),
      );
    }
    expect(() => parsePolicy('# nothing\n')).to.throw(/the quorum is missing/);
    // With the log's own, a note has 16 signatures at most.
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        const { verifierKey } = createCosigner(`w${index}`, Buffer.alloc(32, index));
        return `witness w${index} ${verifierKey} https://w${index}.example/\n`;
      }).join('');
    expect(parsePolicy(`${many(15)}quorum none\n`).witnesses).to.have.length(15);
    expect(() => parsePolicy(`${many(16)}quorum none\n`)).to.throw(
      /^line 16 of the policy: a note has room for 15 witnesses/,
    );
  });
});

/** Calls that no guard refuses. */
const outbound: Pick<Outbound, 'request'> = {
  async request({ url, method, headers, body }) {
    const answer = await fetch(url, { method, headers, body });
    return { kind: 'answered', status: answer.status, body: await answer.text(), latencyMs: 1 };
  },
};

describe('seals that witnesses sign', () => {
  useRealConnections();
  const folder = folderInSuite();
  const ofWitness = folderInSuite();
  let server: Server | undefined;
  let url = '';
  let witnessKey = '';
  const start = async (logKey: string) => {
    const about = { name: 'witness.example/w1', logs: [parseVerifierKey(logKey)], clock };
    const witness = openWitness({ folder: ofWitness.path, ...about });
    witnessKey = witness.verifierKey;
    server = serveWitness(witness);
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  after(() => server?.close());

  const policyText = (logKey: string) =>
    `log ${logKey}\nwitness w ${witnessKey} ${url}/\nquorum w\n`;
  /** Seals with the witness; returns why it did not sign. */
  const sealIn = async (path: string, sends: number, first: number): Promise<readonly string[]> => {
    let failures: readonly string[] = [];
    await withStore(path, async (store) => {
      const known = await openSealer(store);
      const logKey = await known.verifierKey();
      if (!server) await start(logKey);
      const { cosign } = createCosigning(parsePolicy(policyText(logKey)).witnesses, outbound);
      const sealer = await openSealer(store, SEED, async (offered) => {
        const found = await cosign(offered);
        failures = found.failures;
        return found.lines;
      });
      if (sends > 0) await writeBooks(store, { accounts: 1, sends, first });
      await sealer.seal();
    });
    return failures;
  };

  const notesIn = async (path: string) =>
    (await sealsIn(path)).map(({ note }) => `${note}\n`).join('');

  it('are refused by the witness once the log was rolled back or split, and found by verify', async () => {
    expect(await sealIn(folder.path, 6, 0)).to.deep.equal([]);
    const before = copyOf(folder.path);
    expect(await sealIn(folder.path, 5, 1)).to.deep.equal([]);
    const kept = await notesIn(folder.path);
    const key = await withStore(folder.path, async (store) =>
      (await openSealer(store)).verifierKey(),
    );
    const given = sealsOf({ seals: kept, policy: policyText(key) });
    const sound = await verifyDirectory(folder.path, { seals: given });
    expect(sound.problems).to.deep.equal([]);
    expect(sound.seals).to.deep.include({ count: 2, signed: true, witnessed: true });

    // The log of before, once as it was, and once with another history since.
    const [rolled] = await sealIn(before.path, 0, 0);
    expect(rolled).to.match(/^w: it has seen \d+ entries, and the log has \d+ now$/);
    const [split] = await sealIn(before.path, 9, 2);
    expect(split).to.match(/^w: the answer was 422: the proof does not show that this log goes on/);
    const detailsBy = async (seals: ReturnType<typeof sealsOf>) =>
      (await verifyDirectory(before.path, { seals })).problems.map(({ detail }) => detail);
    expect(await detailsBy(given)).to.include('the log has no such seal');
    // A seal without the witness is not enough for the policy.
    const own = sealsOf({ seals: await notesIn(before.path), policy: policyText(key) });
    const tooFew = 'too few of the witnesses of the policy have signed it';
    expect(await detailsBy(own)).to.include(tooFew);
    before.remove();
  });
});
