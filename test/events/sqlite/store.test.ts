import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { openForWriting } from '../../../src/events/sqlite/schema.ts';
import {
  openSqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
} from '../../../src/events/sqlite/store.ts';
import {
  interestIn,
  LOG_FORMAT,
  NO_STREAM,
  START,
  StoreUnavailable,
  UNREADABLE,
  WrongRevision,
} from '../../../src/events/store.ts';
import {
  created,
  createdMany,
  followUntil,
  freshStream,
  idsOf,
  outcomeOf,
  readToEnd,
} from '../../contract/store-events.ts';
import { folderInEachTest } from '../../support/folder.ts';
import { PATIENCE_MS } from '../../support/until.ts';

describe('the SQLite event store @long', () => {
  let store: SqliteStore | undefined;

  const open = async (options: Partial<SqliteStoreOptions> = {}): Promise<SqliteStore> => {
    store = await openSqliteStore({ directory: join(folder.path, 'data'), ...options });
    return store;
  };
  const file = () => join(folder.path, 'data', 'events.db');

  afterEach(async () => {
    await store?.close();
    store = undefined;
  });
  const folder = folderInEachTest();

  it('keeps its files to itself and leaves one file behind when closed', async () => {
    const log = await open();
    await log.append(freshStream(), NO_STREAM, [created()]);
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(join(folder.path, 'data'))).to.equal('700');
    for (const end of ['.db', '.db-wal', '.db-shm', '.lock']) {
      expect(mode(file().replace('.db', end)), end).to.equal('600');
    }
    await log.close();
    expect(existsSync(`${file()}-wal`)).to.equal(false);
    chmodSync(file(), 0o644);
    await open();
    expect(mode(file())).to.equal('600');
  });

  it('writes ahead and syncs every commit, or does not start', async () => {
    const log = await open();
    const other = new DatabaseSync(file(), { readOnly: true });
    expect(other.prepare('PRAGMA journal_mode').get()).to.deep.include({ journal_mode: 'wal' });
    other.close();
    await log.close();
    const writing = openForWriting(file());
    expect(writing.prepare('PRAGMA synchronous').get()).to.deep.include({ synchronous: 2 });
    writing.close();
    expect(() => openForWriting(':memory:')).to.throw(/cannot be written durably/);
  });

  it('refuses a file of another format in one line, and unlocks the directory', async () => {
    await (await open()).close();
    const setFormat = (format: number) => {
      const database = new DatabaseSync(file());
      database.exec(`PRAGMA user_version = ${format}`);
      database.close();
    };
    setFormat(99);
    const error = (await outcomeOf(open())) as Error;
    expect(error.message)
      .to.match(/format 99/)
      .and.not.include('\n');
    setFormat(LOG_FORMAT);
    expect(await (await open()).health()).to.deep.equal({ ok: true });
  });

  it('counts positions without gaps, whatever was refused in between', async () => {
    const log = await open();
    expect(await log.head()).to.equal(START);
    const stream = freshStream();
    const odd = { ...created(), version: 1.5 };
    const appends = [
      log.append(stream, NO_STREAM, createdMany(2)),
      log.append(stream, NO_STREAM, createdMany(2)),
      log.append(freshStream(), NO_STREAM, [odd]),
      log.append(stream, 1, createdMany(2)),
      log.append(freshStream(), NO_STREAM, [created()]),
    ];
    const [first, stale, wrong, ...rest] = await Promise.all(appends.map(outcomeOf));
    expect(stale).to.be.instanceOf(WrongRevision);
    expect(wrong).to.be.instanceOf(Error).and.not.instanceOf(StoreUnavailable);
    expect([first, ...rest]).to.deep.equal(Array(3).fill(undefined));
    const { events } = await log.readAll(START, 10);
    const positions = [1, 2, 3, 4, 5].map((n) => `000000000000000${n}`);
    expect(events.map(({ position }) => position)).to.deep.equal(positions);
  });

  it('takes 2,000 appends of one turn in the order in which they came', async () => {
    const log = await open();
    const streams = Array.from({ length: 50 }, freshStream);
    const appends = Array.from({ length: 2_000 }, (_, i) =>
      log.append(streams[i % 50]!, Math.floor(i / 50) - 1, [created()]),
    );
    expect(log.stats().queuedEvents).to.equal(2_000);
    const positions = (await Promise.all(appends)).map(({ position }) => Number(position));
    expect(positions).to.deep.equal(Array.from({ length: 2_000 }, (_, i) => i + 1));
    expect(log.stats()).to.deep.equal({ queuedEvents: 0 });
  });

  it('row 18: refuses appends beyond its queue, and accepts again when there is room', async () => {
    const log = await open({ queuedEventsMax: 10, queuedBytesMax: 100_000 });
    const append = (name: string) =>
      outcomeOf(log.append(freshStream(), NO_STREAM, [created(name)]));
    const crowd = (count: number, name: string) =>
      Promise.all(Array.from({ length: count }, () => append(name)));
    const many = await crowd(12, 'x');
    expect(many.slice(0, 10).every((error) => error === undefined)).to.equal(true);
    for (const error of many.slice(10)) {
      expect(error).to.be.instanceOf(StoreUnavailable);
      expect((error as StoreUnavailable).retryAfterSeconds).to.be.at.least(1);
    }
    const large = await crowd(3, 'x'.repeat(40_000));
    const isRefused = large.map((error) => error instanceof StoreUnavailable);
    expect(isRefused).to.deep.equal([false, false, true]);
    expect(await crowd(1, 'x')).to.deep.equal([undefined]);
  });

  it('writes what waits before it closes', async () => {
    const log = await open();
    const stream = freshStream();
    const appends = Array.from({ length: 100 }, (_, i) => log.append(stream, i - 1, [created()]));
    const closing = log.close();
    expect(await outcomeOf(log.append(stream, 99, [created()]))).to.be.instanceOf(StoreUnavailable);
    await Promise.all([...appends, closing]);
    expect(await (await open()).read(stream)).to.have.length(100);
  });

  it('catches up a follower that is behind the live buffer', async () => {
    const log = await open();
    const batches = Array.from({ length: 12 }, () => createdMany(1_000));
    const seen: string[] = [];
    const stream = freshStream();
    await log.append(stream, NO_STREAM, batches[0]!);
    for await (const { events, to } of log.follow(START, AbortSignal.timeout(PATIENCE_MS))) {
      if (seen.length === 0) {
        for (const [i, batch] of batches.slice(1).entries()) {
          await log.append(stream, (i + 1) * 1_000 - 1, batch);
        }
      }
      seen.push(...idsOf(events));
      expect(events.length).to.be.within(1, 1_000);
      if (to === (await log.head())) break;
    }
    expect(seen).to.deep.equal(batches.flatMap(idsOf));
  });

  it('spares a follower events of types it did not ask for, from memory and from the file', async () => {
    let log = await open();
    await log.append(freshStream(), NO_STREAM, createdMany(300));
    for (let round = 0; round < 2; round += 1) {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const others = log.follow(START, signal, interestIn(['AccountOpened']));
      const { value } = await others[Symbol.asyncIterator]().next();
      expect(value).to.deep.equal({ events: [], to: await log.head() });
      await log.close();
      log = await open();
    }
  });

  it('hands a follower nothing once it is aborted, also while it catches up', async () => {
    const log = await open();
    await log.append(freshStream(), NO_STREAM, createdMany(900));
    await log.close();
    const stop = new AbortController();
    const next = (await open()).follow(START, stop.signal)[Symbol.asyncIterator]().next();
    stop.abort();
    expect((await next).done).to.equal(true);
  });

  it('refuses a position that is not of this log', async () => {
    const log = await open();
    const beyond = '0000000000000007';
    expect(await outcomeOf(log.readAll(beyond, 1))).to.match(/past the end/);
    expect(await outcomeOf(log.readAll('C:1/P:1', 1))).to.match(/not a position/);
    const following = log.follow(beyond, new AbortController().signal)[Symbol.asyncIterator]();
    expect(await outcomeOf(following.next())).to.match(/past the end/);
  });

  it('hands out an event whose text was damaged as unreadable', async () => {
    const log = await open();
    const stream = freshStream();
    await log.append(stream, NO_STREAM, [created(), created()]);
    await log.close();
    const database = new DatabaseSync(file());
    database.exec(`UPDATE events SET data = '{"cut' WHERE revision = 0`);
    database.close();
    const [damaged, whole] = await (await open()).read(stream);
    expect(damaged).to.include({ type: UNREADABLE, revision: 0 });
    expect(damaged?.data).to.include({ type: 'OrganisationCreated', raw: '{"cut' });
    expect(whole?.type).to.equal('OrganisationCreated');
  });

  it('can be copied whole while it is written', async () => {
    const log = await open();
    const appends = Array.from({ length: 500 }, () =>
      log.append(freshStream(), NO_STREAM, [created()]),
    );
    await appends[0];
    const other = new DatabaseSync(file());
    other.exec(`VACUUM INTO '${join(folder.path, 'events.db')}'`);
    other.close();
    await Promise.all(appends);
    const copy = await openSqliteStore({ directory: folder.path });
    const copied = await readToEnd(copy, START, 1_000);
    await copy.close();
    expect(copied.length).to.be.within(1, 500);
    const wanted = new Set(idsOf(copied));
    const { events } = await followUntil(log, START, wanted);
    expect(events).to.deep.equal(copied);
  });
});
