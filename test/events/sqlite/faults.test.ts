import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { openSqliteStore, type SqliteStore } from '../../../src/events/sqlite/store.ts';
import { NO_STREAM, type Recorded, START, StoreUnavailable } from '../../../src/events/store.ts';
import {
  created,
  createdMany,
  followUntil,
  freshStream,
  idsOf,
  outcomeOf,
  readToEnd,
} from '../../contract/store-events.ts';
import { buildFailingFsync, isInstalled } from '../../support/failing-fsync.ts';
import { folderInEachTest } from '../../support/folder.ts';
import { type Child, startChild } from './child.ts';

/** Opens, reads all and checks what must hold after any crash. */
const checked = async (directory: string): Promise<Recorded[]> => {
  const store = await openSqliteStore({ directory });
  const events = await readToEnd(store, START, 1_000);
  await store.close();
  const positions = events.map(({ position }) => Number(position));
  expect(positions).to.deep.equal(events.map((_, i) => i + 1));
  const ends = new Map<string, number>();
  for (const { stream, revision } of events) {
    expect(revision, stream).to.equal((ends.get(stream) ?? NO_STREAM) + 1);
    ends.set(stream, revision);
  }
  const database = new DatabaseSync(join(directory, 'events.db'), { readOnly: true });
  const verdict = database.prepare('PRAGMA integrity_check').get();
  database.close();
  expect(verdict).to.deep.include({ integrity_check: 'ok' });
  return events;
};

describe('the SQLite event store under faults @alone', () => {
  let store: SqliteStore | undefined;
  const children: Child[] = [];
  const threads: Worker[] = [];
  const start: typeof startChild = (...args) => {
    const child = startChild(...args);
    children.push(child);
    return child;
  };
  const noteThread = (thread: Worker) => threads.push(thread);

  beforeEach(() => {
    process.on('worker', noteThread);
  });
  afterEach(async () => {
    process.off('worker', noteThread);
    threads.length = 0;
    for (const child of children.splice(0)) child.process.kill('SIGKILL');
    await store?.close();
    store = undefined;
  });
  const folder = folderInEachTest();

  it('lets one process in at a time', async () => {
    store = await openSqliteStore({ directory: folder.path });
    const refused = await start(folder.path, 'open').ended();
    expect(refused.code).to.equal(1);
    expect(refused.errors).to.match(/^the event log in .+ is already in use.*\n$/);
    expect(await outcomeOf(openSqliteStore({ directory: folder.path }))).to.match(/already in use/);
    const stillHeld = await start(folder.path, 'open').ended();
    expect(stillHeld.code).to.equal(1);
    await store.close();
    expect(await start(folder.path, 'open').ended()).to.deep.equal({ code: 0, errors: '' });
  });

  it('has every acknowledged event after kill -9, twice over', async () => {
    let acknowledged = 0;
    for (let round = 1; round <= 2; round += 1) {
      const child = start(folder.path, 'append');
      await child.written(100 * round);
      child.process.kill('SIGKILL');
      await child.ended();
      const events = await checked(folder.path);
      const byId = new Map(events.map((event) => [event.id, event]));
      for (const line of child.lines()) {
        const told = JSON.parse(line) as { id: string };
        expect(byId.get(told.id)).to.include(told);
      }
      acknowledged += child.lines().length;
      expect(events.length).to.be.at.least(acknowledged);
    }
  });

  it('starts a crashed writing thread again and settles what it had not answered', async () => {
    store = await openSqliteStore({ directory: folder.path });
    const stream = freshStream();
    const events = createdMany(600);
    const following = followUntil(store, START, new Set(idsOf(events)));
    const appends = events.map((event, i) => store!.append(stream, i - 1, [event]));
    await appends[0];
    await threads[0]?.terminate();
    appends.push(...createdMany(3).map((event, i) => store!.append(stream, 599 + i, [event])));
    const revisions = (await Promise.all(appends)).map(({ revision }) => revision);
    expect(revisions).to.deep.equal(Array.from({ length: 603 }, (_, i) => i));
    expect(idsOf((await following).events)).to.deep.equal(idsOf(events));
    expect(store.stats()).to.deep.equal({ queuedEvents: 0 });
    expect(threads).to.have.length(2);
    expect(await store.health()).to.deep.equal({ ok: true });
    await store.close();
    expect(await checked(folder.path)).to.have.length(603);
  });

  it('bears any number of crashes as long as it can write in between', async () => {
    store = await openSqliteStore({ directory: folder.path });
    const stream = freshStream();
    for (let crash = 1; crash <= 7; crash += 1) {
      await threads.at(-1)?.terminate();
      await store.append(stream, crash - 2, [created()]);
    }
    expect(threads).to.have.length(8);
  });

  it('gives up on a writing thread that crashes again and again', async () => {
    const fatals: StoreUnavailable[] = [];
    const onFatal = (error: StoreUnavailable) => fatals.push(error);
    store = await openSqliteStore({ directory: folder.path, onFatal });
    const stream = freshStream();
    await store.append(stream, NO_STREAM, [created()]);
    const kill = (thread: Worker) => thread.once('online', () => thread.terminate());
    process.on('worker', kill);
    threads[0]?.terminate();
    const error = await outcomeOf(store.append(stream, 0, createdMany(2)));
    process.off('worker', kill);
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(fatals).to.deep.equal([error]);
    expect(await outcomeOf(store.append(stream, 0, [created()]))).to.equal(error);
    expect((await store.health()).ok).to.equal(false);
    expect(threads.length).to.be.below(10);
    expect(await store.read(stream)).to.have.length.within(1, 3);
  });

  it('refuses appends while the disk is full, reads on, and recovers', async function () {
    if (!isInstalled('prlimit')) this.skip();
    const under = ['prlimit', '--fsize=1000000:unlimited'];
    const child = start(folder.path, 'fill', { under });
    await child.written(1);
    const full = JSON.parse(child.lines()[0]!);
    expect(full).to.include({ error: 'StoreUnavailable', ok: false });
    expect(full.read).to.be.above(10);
    expect(full.detail).to.match(/cannot be written/);
    spawnSync('prlimit', ['--pid', String(child.process.pid), '--fsize=unlimited']);
    child.say();
    expect(await child.ended()).to.deep.equal({ code: 0, errors: '' });
    const after = JSON.parse(child.lines()[1]!);
    expect(after).to.deep.equal({ healthy: true, read: full.read + 1 });
    expect(await checked(folder.path)).to.have.length(full.read + 1);
  });

  it('stops for good when syncing fails', async function () {
    const library = buildFailingFsync(folder.path) ?? this.skip();
    const switchFile = join(folder.path, 'fsync-fails');
    const directory = join(folder.path, 'data');
    const env = { LD_PRELOAD: library, FSYNC_FAILS_IF: switchFile };
    const child = start(directory, 'sync', { env });
    await child.written(1);
    writeFileSync(switchFile, '');
    child.say();
    await child.written(2);
    rmSync(switchFile);
    child.say();
    expect(await child.ended()).to.deep.equal({ code: 0, errors: '' });
    expect(child.lines().map((line) => JSON.parse(line))).to.deep.equal([
      {},
      { failed: 'StoreUnavailable' },
      { later: 'StoreUnavailable', fatals: 1, ok: false, read: 1 },
    ]);
    expect((await checked(directory)).length).to.be.within(1, 2);
  });
});
