import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { lastBackupOf } from '../../src/audit/backups/mark.ts';
import { answered } from '../support/answered.ts';
import { startBucket } from '../support/bucket.ts';
import { startHere } from '../support/faults/here.ts';
import { folderInSuite } from '../support/folder.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { NOW } from '../support/samples.ts';
import { untilTrue } from '../support/until.ts';
import { ADMIN_TOKEN, type Json } from '../support/waybill.ts';
import { runHere } from './support.ts';

const HOUR_MS = 3_600_000;
const SETTINGS = { WAYBILL_SECRET: '07'.repeat(32), WAYBILL_ADMIN_TOKEN: ADMIN_TOKEN };

describe('waybill backup --to, and restore from there @long', () => {
  useRealConnections();
  const folder = folderInSuite();
  const at = (name: string) => join(folder.path, name);
  const data = at('data');
  const bucket = inSuite(startBucket);
  const environment = { ...process.env };

  /** The service on the data, with these settings. */
  const start = async (env: Record<string, string> = {}) => {
    const providerUrl = 'http://127.0.0.1:1';
    const { server, stop } = await startHere({ directory: data, providerUrl, env });
    const admin = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/admin/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Json };
    };
    return { admin, stop };
  };
  before(async () => {
    const service = await start();
    expect((await service.admin('POST', 'organisations', { name: 'Shop' })).status).to.equal(201);
    await service.stop();
    Object.assign(process.env, bucket.env);
  });
  after(() => {
    process.env = environment;
  });

  const backUp = (to: readonly string[], hours = 0, how = {}) =>
    runHere(['backup', '--data', data, ...to], { now: NOW + hours * HOUR_MS, ...how });
  const check = (from: readonly string[], env = SETTINGS) =>
    runHere(['restore', '--check', ...from], { env });
  const times = (place: string, of: string) => readdirSync(join(place, of)).sort();

  it('keeps so many, the keys apart from the log, and starts on the newest', async () => {
    const to = ['--to', at('backups'), '--keep', '2'];
    const first = await backUp(to);
    expect(first.stdout, first.stderr).to.match(
      /^Backup \S+Z in \S+backups: \d+ events, \d+ data keys?\n$/,
    );
    // What one left that was killed while it copied a file.
    const killed = at('backups/log/2026-01-01T00-00-00Z');
    mkdirSync(killed);
    writeFileSync(join(killed, 'events.db.partial'), 'half');
    for (const hours of [6, 12]) await answered(0, backUp(to, hours));
    const kept = times(at('backups'), 'log');
    expect(kept).to.have.length(2);
    expect(kept).to.not.include(/Backup (\S+)/.exec(first.stdout)![1]);
    expect(times(at('backups'), 'keys')).to.deep.equal(kept);
    const newest = kept.at(-1)!;
    const files = ['events.db', 'manifest.json'];
    expect(readdirSync(at(`backups/log/${newest}`))).to.have.members(files);
    expect(readdirSync(at(`backups/keys/${newest}`))).to.deep.equal(['keys.db']);
    expect(readdirSync(data)).to.not.include('backup.partial');
    expect(await lastBackupOf(data)).to.equal(NOW + 12 * HOUR_MS);

    const sound = await check(['--from', at('backups')]);
    expect(sound.stdout, sound.stderr).to.match(
      new RegExp(`^Backup ${newest} is sound: .* a service starts on it \\(\\d+ read models\\)\n$`),
    );
    const other = { ...SETTINGS, WAYBILL_SECRET: '08'.repeat(32) };
    const refused = await answered(1, check(['--from', at('backups')], other));
    expect(refused.stderr).to.include('WAYBILL_SECRET is not the secret');

    const events = at(`backups/log/${newest}/events.db`);
    const bytes = readFileSync(events);
    bytes.fill(7, 4096, 8192);
    writeFileSync(events, bytes);
    const damaged = await answered(1, check(['--from', at('backups')]));
    expect(damaged.stderr).to.match(/is damaged: the log is not the one that was copied/);
    const earlier = ['--from', at('backups'), '--backup', kept[0]!, '--data', at('restored')];
    const restored = await runHere(['restore', ...earlier]);
    expect(restored.stdout, restored.stderr).to.match(/^Restored \d+ events, \d+ data keys? to /);
  });

  it('goes to buckets and comes from them, log and keys each to its own', async () => {
    const places = ['s3://shop-log/waybill', 's3://shop-keys'] as const;
    const to = ['--to', places[0], '--keys-to', places[1], '--keep', '1'];
    for (const hours of [0, 6]) await answered(0, backUp(to, hours));
    const names = [...bucket.objects.keys()].map((name) => name.replace(/\/[\dT-]+Z\//, '/…/'));
    expect(names).to.have.members([
      'shop-log/waybill/log/…/events.db',
      'shop-log/waybill/log/…/manifest.json',
      'shop-keys/keys/…/keys.db',
    ]);
    const from = ['--from', places[0], '--keys-from', places[1]];
    const sound = await check(from);
    expect(sound.stdout, sound.stderr).to.match(/ is sound: /);
    const restored = await runHere(['restore', ...from, '--data', at('from-bucket')]);
    expect(restored.stdout, restored.stderr).to.match(/^Restored \d+ events, \d+ data keys? to /);

    // One that broke off is no backup, and the next one takes it away.
    bucket.broken.push({ method: 'POST', key: /manifest/ });
    const broken = await answered(1, backUp(to, 12));
    expect(broken.stderr).to.include('broken on purpose');
    bucket.broken.length = 0;
    expect((await check(from)).stdout).to.equal(sound.stdout);
    await answered(0, backUp(to, 18));
    expect(bucket.objects.size).to.equal(3);
    const none = await check(['--from', 's3://elsewhere']);
    expect(none.stderr).to.include('there is no finished backup there');
  });

  it('is what a service makes by its settings, on its schedule and on request', async () => {
    const to = at('of-the-service');
    const env = { WAYBILL_BACKUP_TO: to, WAYBILL_BACKUP_EVERY: '6h', WAYBILL_BACKUP_KEEP: '1' };
    const service = await start(env);
    const call = (method: string) => service.admin(method, 'backups');
    try {
      let first: Json;
      await untilTrue('the first one is made', async () => {
        [first] = (await call('GET')).body.backups;
        return first !== undefined;
      });
      // Its name has seconds.
      let made: Json;
      await untilTrue('another one is made', async () => {
        const { status, body } = await call('POST');
        made = body;
        return status === 201 && made.name !== first.name;
      });
      expect(made).to.include.keys('takenAt', 'position', 'sha256');
      expect([made.format, made.events > 0, made.keys > 0]).to.deep.equal([1, true, true]);
      const { keys: _, ...listed } = made;
      expect((await call('GET')).body).to.deep.equal({ backups: [listed] });
      expect(times(to, 'keys')).to.deep.equal([made.name]);
    } finally {
      await service.stop();
    }
    expect((await check(['--from', to])).stdout).to.match(/ is sound: /);
  });

  it('goes on with --every until it is interrupted, and says what failed', async () => {
    const interrupt = new AbortController();
    const every = ['--to', at('again'), '--every', '6h'];
    const watch = (printed: string) => {
      if (printed.includes('Backup ')) interrupt.abort();
    };
    const { stdout } = await answered(0, backUp(every, 0, { interrupt: interrupt.signal, watch }));
    expect(stdout).to.match(/^Backup \S+Z in [^\n]+\n$/);
    for (const wrong of [
      ['--to', at('x'), '--every', '6'],
      ['--to', at('x'), '--out', at('y')],
      ['--out', at('y'), '--keep', '3'],
      [],
    ]) {
      expect((await backUp(wrong)).status, wrong.join(' ')).to.equal(2);
    }
    expect((await runHere(`backup --to ${at('x')}`)).stderr).to.include('Add --data');
    const env = { EVENTSTORE_URL: 'esdb://host:2113' };
    const onServers = await runHere(`backup --to ${at('x')}`, { env });
    expect(onServers.stderr).to.match(/manual of EventStoreDB .* mongodump/);
  });
});
