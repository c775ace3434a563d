import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { answered } from '../support/answered.ts';
import { expectCopied, keptOf, openCopyBench, rowsOf } from '../support/copy-bench.ts';
import { chooseSeed, seeded } from '../support/faults/random.ts';
import { startEventStoreDouble } from '../support/grpc/eventstore.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { until } from '../support/until.ts';
import { program, runHere, waybill } from './support.ts';

describe('waybill log copy @long', () => {
  useRealConnections();
  const bench = inSuite(() => openCopyBench({ accounts: 4, sends: 20 }));
  let directory: string;
  let url: string;
  beforeEach(() => {
    directory = bench.directory();
    url = bench.double.url;
  });
  afterEach(() => bench.renew());

  const copy = (...args: string[]) => runHere(['log', 'copy', '--from', directory, ...args]);

  it('reports in two lines that the copy is whole and sound', async () => {
    const events = rowsOf(directory).length;
    expect(await copy('--to', url)).to.deep.equal({
      status: 0,
      stdout: `Copied ${events} events. Each was compared.\n`,
      stderr: '4 accounts, 96 movements: all in order. The read models were not compared.\n',
    });
    const again = await copy('--to', url);
    expect(again.stdout).to.equal(
      `Copied ${events} events, ${events} of them by an earlier run. Each was compared.\n`,
    );
    const [here, there] = await Promise.all([
      runHere(`ledger verify --json --data ${directory}`),
      runHere(`ledger verify --json --eventstore ${url}`),
    ]);
    expect(there).to.deep.equal(here);
    expect(JSON.parse(here.stdout)).to.deep.include({ ok: true, movements: 96 });
    const statements = 'statement --all --month 2026-11 --format json';
    const fromServer = await runHere(`${statements} --eventstore ${url}`);
    expect(fromServer.stdout.trimEnd().split('\n'), fromServer.stderr).to.have.length(4);
    expect(await runHere(`${statements} --data ${directory}`)).to.deep.equal(fromServer);
  });

  it('prints one line of JSON, and takes the destination from the environment', async () => {
    const env = { EVENTSTORE_URL: url };
    const { stdout, ...ended } = await runHere(`log copy --from ${directory} --json`, { env });
    expect(ended).to.deep.equal({ status: 0, stderr: '' });
    const told = JSON.parse(stdout);
    const events = rowsOf(directory).length;
    expect(told).to.deep.include({ ok: true, events, copied: events, present: 0 });
    expect(told.destination).to.deep.equal(told.source);
  });

  it('goes on after a kill at any moment @series', async () => {
    const seed = chooseSeed();
    const chance = seeded(seed);
    bench.double.delayMs = 1;
    const args = [program, 'log', 'copy', '--from', directory, '--to', url];
    const enough = 1 + Math.floor(chance() * 60);
    const child = spawn(process.execPath, args, { stdio: 'ignore', env: {} });
    const ended = once(child, 'exit');
    // What is left may be less than that: then it comes to its end, and the next finds it all there.
    const isOver = () => bench.double.counts.appends >= enough || child.exitCode !== null;
    await until(`copying, seed ${seed}`, isOver);
    child.kill('SIGKILL');
    await ended;
    const present = keptOf(bench.double).length;
    expect(present, `seed ${seed}`).to.be.within(1, rowsOf(directory).length);
    const { stdout, stderr } = await answered(0, waybill(args.slice(1)), `seed ${seed}`);
    expect(stderr, `seed ${seed}`).to.include('4 accounts, 96 movements: all in order');
    expect(stdout).to.include(`${present} of them by an earlier run`);
    expectCopied(directory, bench.double);
  });

  it('ends with status 1 when it must not copy, and with 2 without a destination', async () => {
    const store = await openSqliteStore({ directory });
    const inUse = await answered(1, copy('--to', url));
    expect(inUse.stderr).to.equal(
      `error: the event log in ${directory} is already in use; only one process may open it: stop the service, or copy a backup\n`,
    );
    await store.close();
    const nowhere = await answered(2, copy());
    expect(nowhere.stderr).to.include('--to').and.include('EVENTSTORE_URL');
    const { port, close } = await startEventStoreDouble();
    await close();
    const away = await answered(1, copy('--to', `esdb://127.0.0.1:${port}?tls=false`));
    expect(away.stderr).to.match(
      /^error: the event log cannot be read: .*\nThe same command again goes on where this one ended.\n$/,
    );
    const strange = await answered(1, copy('--to', 'http://localhost'));
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
        await answered(0, copy('--to', server));
      } else {
        expect(stderr).to.match(/^error: the destination holds \S+ at revision \d+ of \S+, which/);
        expect(status).to.equal(1);
      }
    });
  }
});
