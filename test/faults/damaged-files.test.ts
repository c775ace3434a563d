import { closeSync, cpSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { verifyDirectory } from '../../src/audit/offline.ts';
import { accountDecider } from '../../src/commands/account/account.ts';
import { createWriter } from '../../src/commands/core/execute.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { systemIds } from '../../src/shared/system.ts';
import { fixedClock } from '../support/ambient.ts';
import { killChildren, spawnChild } from '../support/faults/child.ts';
import { refusalHere, startHere } from '../support/faults/here.ts';
import { temporaryFolder } from '../support/folder.ts';
import { useRealConnections } from '../support/network.ts';
import { NOW } from '../support/samples.ts';
import { untilTrue } from '../support/until.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

const NOWHERE = 'http://127.0.0.1:1';
const PAGE = 4096;
const accountId = 'acc_0192f6a47c1e7b529d3e5a1f0c2b8e11';
const VIEWS_REMEDY =
  'stop the service, delete views.db, views.db-wal and views.db-shm, and start it again';
const KEYS_REMEDY = 'put the latest copy back (waybill restore --keys <file> --data <folder>)';
const LOG_REMEDY = 'stop the service and restore a backup';

describe('files that are damaged @long', () => {
  useRealConnections();
  let folder: ReturnType<typeof temporaryFolder>;
  /** The same files, before any damage. */
  let whole: ReturnType<typeof temporaryFolder>;
  const pathOf = (name: string) => join(folder.path, name);
  const options = () => ({ directory: folder.path, providerUrl: NOWHERE });

  const statusOfLedger = async (port: number) => {
    const url = `http://127.0.0.1:${port}/api/admin/v1/accounts/${accountId}/ledger?limit=100`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
    await response.arrayBuffer();
    return response.status;
  };

  /** A log with an account of many movements, and the read models of it, in whole files. */
  before(async () => {
    folder = temporaryFolder();
    whole = temporaryFolder();
    const store = await openSqliteStore({ directory: folder.path });
    const writer = createWriter({ store, clock: fixedClock(), ids: systemIds });
    const decider = accountDecider(accountId);
    const terms = { planId: 'standard', billing: 'credits' as const, currency: 'USD' };
    const open = { type: 'Open' as const, accountId, organisationId: 'o', name: 'A', terms };
    await writer.execute(decider, accountId, open, { requestId: 'r' });
    const grant = { type: 'GrantCredits' as const, at: NOW, amount: 1, reason: 'x'.repeat(200) };
    const grants = Array.from({ length: 600 }, () =>
      writer.execute(decider, accountId, { ...grant, by: null }, { requestId: 'r' }),
    );
    await Promise.all(grants);
    await store.close();
    await fill();
    cpSync(folder.path, whole.path, { recursive: true });
  });
  afterEach(async () => {
    await killChildren();
    rmSync(folder.path, { recursive: true });
    cpSync(whole.path, folder.path, { recursive: true });
  });
  after(() => {
    folder.remove();
    whole.remove();
  });

  /** Fills the read models, and ends with whole files. */
  const fill = async () => {
    const running = await startHere(options());
    const { port } = running.server;
    await untilTrue('the ledger is shown', async () => (await statusOfLedger(port)) === 200);
    await running.stop();
    for (const name of ['views.db', 'events.db']) {
      const database = new DatabaseSync(pathOf(name));
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    }
  };
  const scribble = (name: string, at: number, length: number) => {
    const file = openSync(pathOf(name), 'r+');
    writeSync(file, Buffer.alloc(length, 0xa5), 0, length, at);
    closeSync(file);
  };
  /** All pages but the first few, in which the tables are named. */
  const scribbleOverPages = (name: string) =>
    scribble(name, PAGE, statSync(pathOf(name)).size - PAGE);
  const forgetViews = () => {
    for (const name of readdirSync(folder.path)) {
      if (name.startsWith('views.db')) rmSync(pathOf(name));
    }
  };

  it('views.db at its header: the start is refused with one line that names the file and what to do, which cures it', async () => {
    scribble('views.db', 0, 100);
    const line = await refusalHere(options());
    expect(line.trimEnd()).not.to.include('\n');
    expect(line)
      .to.include(`${pathOf('views.db')} is damaged`)
      .and.to.include(VIEWS_REMEDY);
    forgetViews();
    await fill();
  });

  it('views.db in its middle: whoever meets it says so in the log @series', async () => {
    scribbleOverPages('views.db');
    const child = spawnChild(options());
    await untilTrue('it is said', async () => child.output().includes(VIEWS_REMEDY));
    expect(child.output()).to.include(`${pathOf('views.db')} is damaged`);
    child.child.kill('SIGKILL');
    await child.ended;
  });

  describe('keys.db', () => {
    it('in its middle, then at its header: the start is refused with one line that says what to do', async () => {
      for (const harm of [() => scribbleOverPages('keys.db'), () => scribble('keys.db', 0, 100)]) {
        harm();
        expect(await refusalHere(options()))
          .to.include(`${pathOf('keys.db')} is damaged`)
          .and.to.include(KEYS_REMEDY);
      }
    });
  });

  describe('events.db', () => {
    it('in its middle, then at its header: the file is named, and that a backup is needed', async () => {
      scribbleOverPages('events.db');
      const child = spawnChild(options());
      await untilTrue('it is said', async () => child.output().includes(LOG_REMEDY));
      expect(child.output()).to.include(`${pathOf('events.db')} is damaged`);
      child.child.kill('SIGKILL');
      await child.ended;
      const error = await verifyDirectory(folder.path).catch((thrown: Error) => thrown);
      expect((error as Error).message).to.include(LOG_REMEDY);

      scribble('events.db', 0, 100);
      expect(await refusalHere(options()))
        .to.include(`${pathOf('events.db')} is damaged`)
        .and.to.include(LOG_REMEDY);
    });
  });
});
