import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { type KeyRecord, KeysUnavailable } from '../../../src/keys/key-store.ts';
import { openSqliteKeyReader, openSqliteKeys } from '../../../src/keys/sqlite/keys.ts';
import { openForWriting } from '../../../src/keys/sqlite/schema.ts';
import { freshSubject, wrapFor } from '../../contract/key-store.ts';
import { outcomeOf } from '../../contract/store-events.ts';
import { type Child, startChild } from '../../events/sqlite/child.ts';
import { buildFailingFsync } from '../../support/failing-fsync.ts';
import { temporaryFolder } from '../../support/folder.ts';

const ENDS = ['', '-wal', '-shm'];
const MONTHS = ['2026-09', '2026-10', '2026-11'];
const script = new URL('./writer-child.ts', import.meta.url);

type Line = Partial<Record<'made' | 'destroyed', { ref: string; wrapped: string }>>;

describe('the data keys in SQLite @long', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let directory: string;
  let store: Awaited<ReturnType<typeof openSqliteKeys>>;
  const children: Child[] = [];
  const closing: (() => void)[] = [];
  const file = () => join(directory, 'keys.db');

  const open = async (onFatal?: (error: Error) => void) => {
    store = await openSqliteKeys({ directory, ...(onFatal && { onFatal }) });
    return store;
  };
  const make = async (id: string, month = '2026-11') =>
    (await store.ensure([freshSubject('account', id)], month, wrapFor(month)))[0]!.key;
  /** How many of these keys can be found in the files, byte for byte. */
  const countIn = (keys: readonly Pick<KeyRecord, 'wrapped'>[]): number => {
    const files = ENDS.map((end) => file() + end).filter((path) => existsSync(path));
    const bytes = Buffer.concat(files.map((path) => readFileSync(path)));
    // A part is enough to be found: a deleted row may be overwritten at its ends alone.
    return keys.filter(({ wrapped }) => bytes.includes(Buffer.from(wrapped).subarray(17, 49)))
      .length;
  };

  beforeEach(() => {
    folder = temporaryFolder();
    directory = join(folder.path, 'data');
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) close();
    for (const child of children.splice(0)) child.process.kill('SIGKILL');
    await store?.close();
    folder.remove();
  });

  it('keeps its files to itself and leaves one file behind when closed', async () => {
    await open();
    await make('1');
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(directory)).to.equal('700');
    for (const end of ENDS) expect(mode(file() + end), end).to.equal('600');
    await store.close();
    expect(ENDS.filter((end) => existsSync(file() + end))).to.deep.equal(['']);
    chmodSync(file(), 0o644);
    await open();
    expect(mode(file())).to.equal('600');
  });

  it('writes durably, and overwrites what it deletes', async () => {
    await open();
    await store.close();
    const database = openForWriting(file());
    const pragma = (name: string) =>
      Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    const found = ['journal_mode', 'synchronous', 'secure_delete'].map(pragma);
    database.close();
    expect(found).to.deep.equal(['wal', 2, 1]);
  });

  it('has no byte of a destroyed key in its files once it is clean', async () => {
    await open();
    const keys: KeyRecord[] = [];
    for (const month of MONTHS) {
      const ids = Array.from({ length: 700 }, (_, id) => String(id));
      keys.push(...(await Promise.all(ids.map((id) => make(id, month)))));
    }
    expect(countIn(keys)).to.equal(keys.length);
    const erased = new Set(keys.filter((_, at) => at % 7 === 0).map(({ ref }) => ref));
    await store.destroySubjects([...erased]);
    await store.destroyMonths('account', '2026-09');
    await store.clean();
    const isGone = ({ ref, month }: KeyRecord) => erased.has(ref) || month === '2026-09';
    expect(countIn(keys.filter(isGone))).to.equal(0);
    const kept = keys.filter((key) => !isGone(key));
    expect(kept).to.have.length(2 * 600);
    expect(countIn(kept)).to.equal(kept.length);
    expect(await store.keys(kept.slice(0, 1_000))).to.have.length(1_000);
  });

  it('tells when a reader keeps it from cleaning, and cleans afterwards', async () => {
    await open();
    const key = await make('1');
    const reader = new DatabaseSync(file(), { readOnly: true });
    closing.push(() => reader.isOpen && reader.close());
    reader.exec('BEGIN; SELECT count(*) FROM keys;');
    await store.destroySubjects([key.ref]);
    const error = await outcomeOf(store.clean());
    expect(error).to.be.instanceOf(KeysUnavailable);
    expect((error as Error).message).to.include('cannot be cleaned');
    expect(countIn([key])).to.equal(1);
    reader.close();
    await store.clean();
    expect(countIn([key])).to.equal(0);
  });

  it('writes while it cleans a large file, and cleans once for calls that wait together', async () => {
    await open();
    const filler = new DatabaseSync(file());
    filler.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(64000000))');
    filler.close();
    const order: string[] = [];
    const note = (what: string) => () => void order.push(what);
    await Promise.all([
      store.clean().then(note('cleaned')),
      store.clean().then(note('cleaned')),
      make('1')
        .then(() => make('2'))
        .then(note('written')),
    ]);
    expect(order).to.deep.equal(['written', 'cleaned', 'cleaned']);
  });

  it('shows a write to readers in other threads as soon as it has resolved', async () => {
    await open();
    const reader = openSqliteKeyReader(directory);
    closing.push(() => void reader.close());
    for (let id = 0; id < 50; id += 1) {
      const key = await make(String(id));
      expect(await reader.keys([key])).to.have.length(1);
      await store.destroySubjects([key.ref]);
      expect(await reader.keys([key])).to.have.length(0);
    }
    await reader.close();
    expect(await outcomeOf(reader.keys([]))).to.be.instanceOf(KeysUnavailable);
  });

  it('refuses a damaged file with its name and what to do, and a newer one', async () => {
    await open();
    for (let id = 0; id < 200; id += 1) await make(String(id));
    await store.close();
    const bytes = readFileSync(file());
    writeFileSync(file(), Buffer.concat([Buffer.alloc(4096, 'x'), bytes.subarray(4096)]));
    const damaged = (await outcomeOf(open())) as Error;
    expect(damaged.message).to.match(/keys\.db is damaged .*waybill restore --keys/);
    writeFileSync(file(), bytes);
    const database = new DatabaseSync(file());
    database.exec('PRAGMA user_version = 9');
    database.close();
    expect(((await outcomeOf(open())) as Error).message).to.include('is of format 9');
  });

  it('rejects what a crashed thread leaves undone, and starts it again', async () => {
    await open();
    const threads: Worker[] = [];
    const note = (thread: Worker) => threads.push(thread);
    process.on('worker', note);
    closing.push(() => process.off('worker', note));
    const kept = await make('kept');
    for (let crash = 0; crash < 3; crash += 1) {
      const waiting = Array.from({ length: 20 }, (_, id) => outcomeOf(make(`${crash}.${id}`)));
      store.crash();
      for (const outcome of await Promise.all(waiting)) {
        if (outcome !== undefined) expect(outcome).to.be.instanceOf(KeysUnavailable);
      }
      expect(await make('kept')).to.deep.equal(kept);
      await make(`after ${crash}`);
    }
    expect(threads).to.have.length(3);
    expect(await store.health()).to.deep.equal({ ok: true });
  });

  it('has every acknowledged write after kill -9, twice over', async () => {
    const made = new Map<string, string>();
    const destroyed: string[] = [];
    for (let round = 1; round <= 2; round += 1) {
      const child = startChild(directory, 'write', { script });
      children.push(child);
      await child.written(75 * round);
      child.process.kill('SIGKILL');
      await child.ended();
      for (const line of child.lines().map((text) => JSON.parse(text) as Line)) {
        const known = line.made ?? line.destroyed;
        if (known) made.set(known.ref, known.wrapped);
        if (line.destroyed) destroyed.push(line.destroyed.ref);
      }
      await open();
      for (const [ref, wrapped] of made) {
        const [found] = await store.keys([{ ref, month: '2026-11' }]);
        const expected = destroyed.includes(ref) ? undefined : wrapped;
        expect(found && Buffer.from(found.wrapped).toString('hex')).to.equal(expected);
      }
      expect(await store.subjectsOf(destroyed)).to.deep.equal([]);
      await store.clean();
      const gone = destroyed.map((ref) => ({ wrapped: Buffer.from(made.get(ref)!, 'hex') }));
      expect(gone).to.not.have.length(0);
      expect(countIn(gone)).to.equal(0);
      await store.close();
    }
  });

  it('row 76: is unhealthy as long as the disk is too full for new keys, and then recovers', async function () {
    if (spawnSync('prlimit', ['--version']).status !== 0) this.skip();
    const under = ['prlimit', '--fsize=200000:unlimited'];
    const child = startChild(directory, 'fill', { under, script });
    children.push(child);
    await child.written(20);
    spawnSync('prlimit', ['--pid', String(child.process.pid), '--fsize=unlimited']);
    child.say();
    expect(await child.ended()).to.deep.equal({ code: 0, errors: '' });
    const lines = child.lines().map((line) => JSON.parse(line));
    expect(lines.pop()).to.deep.equal({ ok: true, later: { isRefused: false, ok: true } });
    expect(lines).to.deep.equal(Array(20).fill({ contradicts: false }));
  });

  it('stops for good when syncing fails', async function () {
    const library = buildFailingFsync(folder.path) ?? this.skip();
    const switchFile = join(folder.path, 'fsync-fails');
    const env = { LD_PRELOAD: library, FSYNC_FAILS_IF: switchFile };
    const child = startChild(directory, 'sync', { env, script });
    children.push(child);
    await child.written(1);
    writeFileSync(switchFile, '');
    child.say();
    await child.written(2);
    rmSync(switchFile);
    child.say();
    expect(await child.ended()).to.deep.equal({ code: 0, errors: '' });
    const [, failed, later] = child.lines().map((line) => JSON.parse(line));
    expect(failed).to.deep.equal({ failed: true });
    expect(later).to.deep.equal({ later: true, fatals: 1, ok: false, read: -1 });
  });
});
