import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteArchive } from '../../src/events/sqlite/archive.ts';
import { runHere } from '../cli/support.ts';
import { refusalHere, runHere as runService, startHere } from '../support/faults/here.ts';
import { folderInEachTest, folderInSuite } from '../support/folder.ts';
import { useRealConnections } from '../support/network.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

const NOWHERE = 'http://127.0.0.1:1';
const REFUSED = /^waybill: The data keys of this log are missing: [^\n]+ Nothing was changed\n$/;

describe('data keys that are missing at the start @long', () => {
  useRealConnections();
  const made = folderInSuite();
  const folder = folderInEachTest();
  let directory: string;
  let copy: string;
  /** Data that a service has written, and a copy of its keys. */
  before(async () => {
    const data = join(made.path, 'data');
    await runService({ directory: data, providerUrl: NOWHERE });
    const args = ['--data', data, '--out', join(made.path, 'log')];
    const keys = ['--keys', join(made.path, 'keys/copy.db')];
    expect((await runHere(['backup', ...args, ...keys])).status).to.equal(0);
  });
  beforeEach(() => {
    directory = join(folder.path, 'data');
    copy = join(folder.path, 'keys/copy.db');
    cpSync(made.path, folder.path, { recursive: true });
  });

  const head = async () => {
    const log = openSqliteArchive(directory);
    const position = await log.head();
    log.close();
    return position;
  };
  const isRefused = async () => {
    const before = await head();
    const line = await refusalHere({ directory, providerUrl: NOWHERE });
    expect(line).to.match(REFUSED).and.include(directory);
    expect(await head()).to.equal(before);
  };
  const starts = (env: Record<string, string> = {}) =>
    runService({ directory, providerUrl: NOWHERE, env });

  it('row 47: end it with one line, as often as it is tried, until a copy is put there', async () => {
    rmSync(join(directory, 'keys.db'));
    await isRefused();
    await isRefused();
    const restored = await runHere(['restore', '--keys', copy, '--data', directory]);
    expect(restored.status, restored.stderr).to.equal(0);
    await starts();
  });

  it('row 47: end it also where the keys are those of another log', async () => {
    const other = join(folder.path, 'other');
    await runService({ directory: other, providerUrl: NOWHERE });
    cpSync(join(other, 'keys.db'), join(directory, 'keys.db'));
    await isRefused();
  });

  it('row 47: end it where they are from before `secret rotate --deep`', async () => {
    const options = { directory, providerUrl: NOWHERE };
    const running = await startHere(options);
    const address = `http://127.0.0.1:${running.server.port}/api/admin/v1/secret/rotations`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const made = await fetch(address, { method: 'POST', headers });
    expect(made.status).to.equal(201);
    const { key } = (await made.json()) as { key: string };
    await running.stop();
    await starts();
    rmSync(join(directory, 'keys.db'));
    await runHere(['restore', '--keys', copy, '--data', directory]);
    expect(await refusalHere(options)).to.include(`older than this log: they lack the key ${key},`);
    await starts({ WAYBILL_KEYS_LOST: 'yes' });
    await starts();
  });

  it('row 47: are replaced by new ones where they are declared lost', async () => {
    renameSync(join(directory, 'keys.db'), join(folder.path, 'lost.db'));
    await starts({ WAYBILL_KEYS_LOST: 'yes' });
    await starts();
    renameSync(join(folder.path, 'lost.db'), join(directory, 'keys.db'));
    await isRefused();
  });
});
