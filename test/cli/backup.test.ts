import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { openSqliteKeys } from '../../src/keys/sqlite/keys.ts';
import { answered } from '../support/answered.ts';
import { type BooksPlan, writeBooks } from '../support/copy-books.ts';
import { folderInSuite } from '../support/folder.ts';
import { runHere } from './support.ts';

const PLAN: BooksPlan = { accounts: 1, sends: 3 };
const MONTHS = ['2026-10', '2026-11'];
const subject = { hash: 'h', ref: 'r', accountId: 'acc_1' };
const wrapped = Uint8Array.of(1, 2, 3);

describe('waybill backup and restore', () => {
  let keys: Awaited<ReturnType<typeof openSqliteKeys>>;
  after(() => keys.close());
  const folder = folderInSuite();
  const at = (name: string) => join(folder.path, name);
  const data = at('data');
  before(async () => {
    const store = await openSqliteStore({ directory: data });
    await writeBooks(store, PLAN);
    await store.close();
    keys = await openSqliteKeys({ directory: data });
    for (const month of MONTHS) await keys.ensure([subject], month, () => wrapped);
  });

  const keysIn = async (directory: string) => {
    const opened = await openSqliteKeys({ directory });
    const found = await opened.keys(MONTHS.map((month) => ({ ref: 'r', month })));
    await opened.close();
    return found.map(({ month, wrapped: bytes }) => [month, [...bytes]]);
  };
  const ALL = MONTHS.map((month) => [month, [1, 2, 3]]);
  const refusal = async (line: string) => (await answered(1, runHere(line))).stderr;

  it('copies the keys of a running service into a file of their own', async () => {
    const [log, file] = [at('log-1'), at('vault/keys.db')];
    const line = `backup --data ${data} --out ${log} --keys ${file}`;
    const { stdout } = await answered(0, runHere(line));
    expect(stdout).to.match(/^Copied \d+ events to \S+log-1, 2 data keys to \S+vault\/keys.db\n$/);
    expect(readdirSync(log)).to.have.members(['events.db', 'manifest.json']);
    expect(readdirSync(at('vault'))).to.deep.equal(['keys.db']);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const restored = await runHere(`restore --from ${log} --keys ${file} --data ${at('new')}`);
    expect(restored.stdout).to.match(/^Restored \d+ events, 2 data keys to /);
    expect(await keysIn(at('new'))).to.deep.equal(ALL);
  });

  it('says in one line that a backup without keys cannot be read', async () => {
    const { stderr } = await answered(0, runHere(`backup --data ${data} --out ${at('log-2')}`));
    expect(stderr).to.match(/^Without the data keys: nobody can read .* --keys <file>/);
    const restored = await runHere(`restore --from ${at('log-2')} --data ${at('new-2')}`);
    expect(restored.stderr).to.include(`waybill restore --keys <file> --data ${at('new-2')}\n`);
    const asJson = await runHere(`backup --data ${data} --out ${at('log-3')} --json`);
    expect(JSON.parse(asJson.stdout).keys).to.equal(null);
  });

  it('puts keys alone into a directory that has none', async () => {
    mkdirSync(at('new-3'));
    // As a start without keys leaves it.
    await (await openSqliteKeys({ directory: at('new-3') })).close();
    const restore = `restore --keys ${at('vault/keys.db')} --data`;
    const line = `${restore} ${at('new-3')}`;
    const { stdout, stderr } = await runHere(line);
    expect(stdout, stderr).to.match(/^Restored 2 data keys to /);
    expect(await keysIn(at('new-3'))).to.deep.equal(ALL);
    expect(await refusal(line)).to.match(/keys.db exists: stop the service, and move it away/);
    expect(await refusal(`${restore} ${data}`)).to.match(/keys.db-wal exists/);
    await answered(2, runHere(`restore --data ${at('new-3')}`));
  });

  it('writes no keys beside the log, over a file, or from nowhere, and then copies nothing', async () => {
    const out = at('log-4');
    const backup = (file: string, from = data) =>
      refusal(`backup --data ${from} --out ${out} --keys ${file}`);
    for (const file of [join(out, 'keys.db'), join(out, 'a/keys.db'), join(data, 'copy.db')]) {
      expect(await backup(file)).to.match(/keep the keys apart from the log/);
    }
    expect(await backup(at('vault/keys.db'))).to.match(/vault\/keys.db exists/);
    expect(await backup(at('other.db'), at('new-2'))).to.match(/there are no data keys in/);
    expect(existsSync(out)).to.equal(false);
  });

  it('refuses a damaged or a foreign file of keys, and then restores nothing', async () => {
    const bytes = readFileSync(at('vault/keys.db'));
    bytes.fill(7, 4096, 8192);
    writeFileSync(at('damaged.db'), bytes);
    writeFileSync(at('none.db'), 'no database');
    for (const file of ['damaged.db', 'none.db', 'log-1/events.db', 'nowhere.db']) {
      const restore = `restore --from ${at('log-1')} --data ${at('new-4')}`;
      expect(await refusal(`${restore} --keys ${at(file)}`)).to.include(file);
      expect(existsSync(at('new-4')), file).to.equal(false);
    }
  });
});
