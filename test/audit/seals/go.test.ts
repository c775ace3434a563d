import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { base64 } from '../../../src/audit/seals/merkle.ts';
import { createProver } from '../../../src/audit/seals/prover.ts';
import { isCheckpoint, lastSeal } from '../../../src/audit/seals/read-seals.ts';
import { createTiles, openTilesOf } from '../../../src/audit/seals/tiles.ts';
import { writeBooks } from '../../support/copy-books.ts';
import { folderInSuite } from '../../support/folder.ts';
import { openSealer, withStore } from '../../support/sealed-books.ts';

/** Where Debian's golang-golang-x-mod-dev puts it. */
const GOPATH = '/usr/share/gocode';

const isThere = (): boolean =>
  existsSync(join(GOPATH, 'src/golang.org/x/mod/sumdb/tlog')) &&
  spawnSync('go', ['version']).status === 0;

/** Runs where Go and its module are; others' code then says what ours made. */
describe('seals, proofs and growth in the eyes of golang.org/x/mod/sumdb @long', () => {
  const folder = folderInSuite();
  const home = folderInSuite();
  before(function () {
    if (!isThere()) this.skip();
  });

  const check = (input: object) => {
    const program = join(import.meta.dirname, 'go/check.go');
    const env = {
      PATH: process.env.PATH,
      GOPATH,
      GO111MODULE: 'off',
      HOME: home.path,
      GOFLAGS: '',
    };
    const { stdout, stderr } = spawnSync('go', ['run', program], {
      env,
      input: JSON.stringify(input),
      encoding: 'utf8',
      timeout: 120_000,
    });
    return stdout + stderr;
  };

  it('hold, and do not with another entry', async () => {
    await withStore(folder.path, async (store) => {
      const sealer = await openSealer(store);
      await writeBooks(store, { accounts: 2, sends: 30 });
      const old = await sealer.seal();
      await writeBooks(store, { accounts: 1, sends: 250, first: 2 });
      const { seal } = await sealer.seal();
      const { last } = await lastSeal(store);
      if (!isCheckpoint(last)) throw new Error('there is no seal');
      const reader = createTiles(store).reader(openTilesOf(last));
      const growth = await reader.consistency(old.seal.size, seal.size);
      const head = (await createProver(store).head(`acc_${'2'.padStart(32, '0')}`))!.proof;
      const entry = Buffer.from(head.leaf.hash, 'hex');
      const records = [{ Entry: base64(entry), Index: head.index, Path: head.path }];
      const input = {
        Key: await sealer.verifierKey(),
        Note: seal.note,
        OldNote: old.seal.note,
        Growth: growth.map(base64),
        Records: records,
      };
      expect(seal.size).to.be.above(256);
      expect(check(input)).to.equal('ok\n');
      const wrong = { ...records[0], Entry: base64(Buffer.from(entry).fill(1, 0, 1)) };
      expect(check({ ...input, Records: [wrong] })).to.not.match(/^ok/);
      expect(check({ ...input, Growth: [] })).to.not.match(/^ok/);
    });
  }).timeout(180_000);
});
