import { expect } from 'chai';
import { openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { type CopyBench, openCopyBench, rowsOf } from '../support/copy-bench.ts';
import { useRealConnections } from '../support/network.ts';
import { runHere } from './support.ts';

describe('waybill log copy @long', () => {
  useRealConnections();
  let bench: CopyBench;
  let directory: string;
  let url: string;
  before(async () => {
    bench = await openCopyBench({ accounts: 4, sends: 20 });
  });
  beforeEach(() => {
    directory = bench.directory();
    url = bench.double.url;
  });
  afterEach(() => bench.renew());
  after(() => bench.close());

  const copy = (...args: string[]) => runHere(['log', 'copy', '--from', directory, ...args]);

  it('reports in two lines that the copy is whole and sound', async () => {
    const { status, stdout, stderr } = await copy('--to', url);
    expect(stderr).to.equal(
      '4 accounts, 96 movements: all in order. The read models were not compared.\n',
    );
    const events = rowsOf(directory).length;
    expect(stdout).to.equal(`Copied ${events} events. Each was compared.\n`);
    expect(status).to.equal(0);
    const again = await copy('--to', url);
    expect(again.stdout).to.equal(
      `Copied ${events} events, ${events} of them by an earlier run. Each was compared.\n`,
    );
    const [here, there] = await Promise.all([
      runHere(['ledger', 'verify', '--json', '--data', directory]),
      runHere(['ledger', 'verify', '--json', '--eventstore', url]),
    ]);
    expect(there).to.deep.equal(here);
    expect(JSON.parse(here.stdout)).to.deep.include({ ok: true, movements: 96 });
    const statements = ['statement', '--all', '--month', '2026-11', '--format', 'json'];
    const fromServer = await runHere([...statements, '--eventstore', url]);
    expect(fromServer.stdout.trimEnd().split('\n'), fromServer.stderr).to.have.length(4);
    expect(await runHere([...statements, '--data', directory])).to.deep.equal(fromServer);
  });

  it('prints one line of JSON, and takes the destination from the environment', async () => {
    const args = ['log', 'copy', '--from', directory, '--json'];
    const { status, stdout, stderr } = await runHere(args, { env: { EVENTSTORE_URL: url } });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const told = JSON.parse(stdout);
    const events = rowsOf(directory).length;
    expect(told).to.deep.include({ ok: true, events, copied: events, present: 0 });
    expect(told.destination).to.deep.equal(told.source);
  });

  it('ends with status 1 when it must not copy, and with 2 without a destination', async () => {
    const store = await openSqliteStore({ directory });
    const inUse = await copy('--to', url);
    expect(inUse.status).to.equal(1);
    expect(inUse.stderr).to.equal(
      `error: the event log in ${directory} is already in use; only one process may open it: stop the service, or copy a backup\n`,
    );
    await store.close();
    const nowhere = await copy();
    expect(nowhere.status).to.equal(2);
    expect(nowhere.stderr).to.include('--to').and.include('EVENTSTORE_URL');
    const strange = await copy('--to', 'http://localhost');
    expect(strange.status).to.equal(1);
    expect(strange.stderr).to.include('must look like esdb://');
  });

  const { EVENTSTORE_URL: server } = process.env;
  if (server) {
    it('copies into a real server, unless the server holds other events', async () => {
      const there = await openEventStoreDb({ url: server });
      const isEmpty = (await there.head()) === '';
      await there.close();
      const { status, stdout, stderr } = await copy('--to', server);
      if (isEmpty) {
        expect(stdout, stderr).to.include('Each was compared');
        expect(status).to.equal(0);
        const again = await copy('--to', server);
        expect(again.status, again.stderr).to.equal(0);
      } else {
        expect(stderr).to.match(/^error: the destination holds \S+ at revision \d+ of \S+, which/);
        expect(status).to.equal(1);
      }
    });
  }
});
