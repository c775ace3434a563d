import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { openSqliteArchive } from '../../../src/events/sqlite/archive.ts';
import { openSqliteSource } from '../../../src/events/sqlite/source.ts';
import { openSqliteStore } from '../../../src/events/sqlite/store.ts';
import {
  type EventReader,
  type Meta,
  type NewEvent,
  NO_STREAM,
  START,
} from '../../../src/events/store.ts';
import { created } from '../../contract/store-events.ts';
import { temporaryFolder } from '../../support/folder.ts';

const UUID = '0192f6a4-7c1e-7b52-9d3e-5a1f0c2b8e11';
const at = '2026-11-21T12:00:00.250Z';

const withMeta = (meta: Meta, id = UUID): NewEvent => ({ ...created(), id, meta });

/** Events whose ids and metadata the tables can pack, can pack in part, and cannot pack. */
const events: readonly NewEvent[] = [
  withMeta({ at, requestId: UUID }),
  withMeta({ at, requestId: UUID, accountId: 'acc_1', cause: 'the {"test"}' }),
  withMeta({ at, requestId: 'req_1' }, UUID.toUpperCase()),
  withMeta({ at, requestId: '' }, UUID.replaceAll('-', '')),
  withMeta({ at, requestId: 'with "quotes" and \\' }, '=x'),
  withMeta({ at: '2026-11-21T12:00:00Z', requestId: UUID }, ''),
  withMeta({ at: '2026-02-30T12:00:00.000Z', requestId: UUID }, 'é'),
  withMeta({ at: '', requestId: UUID }, `${UUID}\n`),
  withMeta({ at: '1969-12-31T23:59:59.999Z', requestId: UUID }),
  { ...created(), meta: { requestId: UUID, at } },
];

/** Data whose sealed part the tables can pack, the first two, and cannot pack. */
const withSealed = [
  { a: 1, sealed: '2026-11.xOlFaXQ_-A' },
  { sealed: '0000-01.AA' },
  { a: { sealed: '4999-12.AAAA' } },
  { a: ['"sealed":"2026-11.AAAA"}'], sealed: '2026-10,2026-11.AAAA' },
  { sealed: '2026-11.AAAA', a: 1 },
  { sealed: '2026-13.AAAA' },
  { sealed: '9999-12.AAAA' },
  { sealed: '2026-11.' },
  { sealed: '2026-11.AB' },
  { a: '","sealed":"2026-11.AAAA' },
  { sealed: 0, 'é"sealed': '2026-11.AAAA' },
].map((data) => ({ ...created(), data: data as unknown as NewEvent['data'] }));

const format1 = `
  CREATE TABLE events (
    position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL,
    id TEXT NOT NULL, type TEXT NOT NULL, version INTEGER NOT NULL,
    data TEXT NOT NULL, meta TEXT NOT NULL, UNIQUE (stream, revision)
  ) STRICT;
  CREATE TABLE snapshots (
    stream TEXT PRIMARY KEY, revision INTEGER NOT NULL, version INTEGER NOT NULL, state TEXT NOT NULL
  ) STRICT;
  CREATE TABLE probe (id INTEGER PRIMARY KEY, filler BLOB NOT NULL) STRICT;
  INSERT INTO snapshots VALUES ('organisation-b', 0, 1, '{}');
  PRAGMA journal_mode = WAL;
  PRAGMA user_version = 1`;

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const streamOf = (index: number) => `organisation-${index % 2 === 0 ? 'b' : 'a'}`;

const placeOf = (index: number) => ({
  stream: streamOf(index),
  revision: Math.floor(index / 2),
  position: String(index + 1).padStart(16, '0'),
});

/** A log in the tables of format 1, the events in two streams in turns. */
const writeFormat1 = (directory: string): void => {
  mkdirSync(directory);
  const database = new DatabaseSync(join(directory, 'events.db'));
  database.exec(format1);
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  events.forEach(({ id, type, version, data, meta }, index) => {
    const { stream, revision } = placeOf(index);
    const json = [JSON.stringify(data), JSON.stringify(meta)] as const;
    insert.run(index + 1, stream, revision, id, type, version, ...json);
  });
  database.close();
};

const expected = events.map((event, index) => ({ ...event, ...placeOf(index) }));

const allOf = async (log: Pick<EventReader, 'readAll'>) => (await log.readAll(START, 100)).events;

describe('the tables of the SQLite log', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let directory: string;
  const file = () => join(directory, 'events.db');
  const shown = () => {
    const database = new DatabaseSync(file(), { readOnly: true });
    const rows = database.prepare('SELECT * FROM log ORDER BY position').all();
    database.close();
    return rows.map((row) => ({ ...row }));
  };

  beforeEach(() => {
    folder = temporaryFolder();
    directory = join(folder.path, 'data');
  });
  afterEach(() => folder.remove());

  it('give back every event as it was appended, whatever its id and metadata', async () => {
    const store = await openSqliteStore({ directory });
    for (const [index, event] of events.entries()) {
      const { stream, revision } = placeOf(index);
      await store.append(stream, revision - 1, [event]);
      // The same append again.
      await store.append(stream, revision - 1, [event]);
    }
    expect(await allOf(store)).to.deep.equal(expected);
    await store.close();
    const source = openSqliteSource(directory);
    const texts = source.after(0).map(({ data, meta }) => [data, meta]);
    expect(texts).to.deep.equal(
      events.map(({ data, meta }) => [JSON.stringify(data), JSON.stringify(meta)]),
    );
    source.close();
  });

  it('give back the text of all data, whatever is sealed in it', async () => {
    const store = await openSqliteStore({ directory });
    await store.append('organisation-b', NO_STREAM, withSealed);
    await store.close();
    const source = openSqliteSource(directory);
    const texts = source.after(0).map(({ data }) => data);
    expect(texts).to.deep.equal(withSealed.map(({ data }) => JSON.stringify(data)));
    source.close();
    const packed = shown().flatMap(({ data, sealed }) => (sealed === null ? [] : [data, sealed]));
    const month = (2026 * 12 + 11).toString(16);
    expect(packed.map((one) => (one instanceof Uint8Array ? toHex(one) : one))).to.deep.equal([
      ...['{"a":1}', `${month}c4e94569743ff8`],
      ...['{}', '000100'],
    ]);
  });

  it('show the events as text to a person with the SQLite shell', async () => {
    const store = await openSqliteStore({ directory });
    await store.append('organisation-b', NO_STREAM, events);
    await store.close();
    const rows = shown().map(({ data, meta, ...row }) => ({
      ...row,
      data: JSON.parse(String(data)),
      meta: JSON.parse(String(meta)),
    }));
    expect(rows).to.deep.equal(
      events.map((event, revision) => ({
        ...event,
        stream: 'organisation-b',
        revision,
        position: revision + 1,
        sealed: null,
      })),
    );
  });

  it('name a stream once, and take less than half of the place beside the data', async () => {
    const store = await openSqliteStore({ directory });
    const many = Array.from({ length: 200 }, () => withMeta({ at, requestId: UUID }));
    await store.append('organisation-a', NO_STREAM, many);
    await store.close();
    const text = readFileSync(file(), 'latin1');
    const count = (part: string) => text.split(part).length - 1;
    // In the table and in its index.
    expect(count('organisation-a')).to.equal(2);
    expect(count('OrganisationCreated')).to.equal(2);
    expect(count('2026-11-21T12')).to.equal(0);
    expect(count(UUID)).to.equal(0);
  });

  it('of format 1 are read as they are by what only reads', async () => {
    writeFormat1(directory);
    const before = readFileSync(file());
    const archive = openSqliteArchive(directory);
    expect(await allOf(archive)).to.deep.equal(expected);
    expect(await archive.read('organisation-a', { from: 1, limit: 1 })).to.deep.equal([
      expected[3],
    ]);
    expect(archive.gaps()).to.deep.equal([]);
    archive.close();
    const source = openSqliteSource(directory);
    expect(source.after(0)).to.have.length(events.length);
    expect(source.at('organisation-a', 1)?.position).to.equal(4);
    expect(source.misplaced()).to.deep.equal([]);
    source.close();
    expect(readFileSync(file()).equals(before)).to.equal(true);
  });

  it('of format 1 are upgraded when a service opens them', async () => {
    writeFormat1(directory);
    const store = await openSqliteStore({ directory });
    expect(await allOf(store)).to.deep.equal(expected);
    expect(await store.loadSnapshot('organisation-b')).to.include({ revision: 0 });
    const next = created();
    const { revision, position } = await store.append('organisation-a', 4, [next]);
    expect({ revision, position }).to.deep.equal({ revision: 5, position: '0000000000000011' });
    // An append of before the upgrade is known.
    await store.append('organisation-a', NO_STREAM, [events[1]!]);
    expect(await allOf(store)).to.have.length(events.length + 1);
    await store.close();
    expect(shown().map(({ stream }) => stream)).to.deep.equal([
      ...expected.map(({ stream }) => stream),
      'organisation-a',
    ]);
  });
});
