import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { copyLog } from '../../../src/audit/copy-log.ts';
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
import { folderInEachTest } from '../../support/folder.ts';
import { specimenOf, writeOlderLog } from '../../support/older-log.ts';

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
  const folder = folderInEachTest();
  let directory: string;
  const file = () => join(directory, 'events.db');
  const shown = () => {
    const database = new DatabaseSync(file(), { readOnly: true });
    const rows = database.prepare('SELECT * FROM log ORDER BY position').all();
    database.close();
    return rows.map((row) => ({ ...row }));
  };

  beforeEach(() => {
    directory = join(folder.path, 'data');
  });

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
    const written = events.map(({ data, meta }) => [JSON.stringify(data), JSON.stringify(meta)]);
    expect(texts).to.deep.equal(written);
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
    const inHex = packed.map((one) => (one instanceof Uint8Array ? toHex(one) : one));
    expect(inHex).to.deep.equal(['{"a":1}', `${month}c4e94569743ff8`, '{}', '000100']);
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
    const beside = { stream: 'organisation-b', sealed: null, hash: null };
    const wanted = events.map((event, revision) => {
      return { ...event, ...beside, revision, position: revision + 1 };
    });
    expect(rows).to.deep.equal(wanted);
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
    const second = await archive.read('organisation-a', { from: 1, limit: 1 });
    expect(second).to.deep.equal([expected[3]]);
    expect(archive.gaps()).to.deep.equal([]);
    archive.close();
    const source = openSqliteSource(directory);
    expect(source.after(0)).to.have.length(events.length);
    expect(source.at('organisation-a', 1)?.position).to.equal(4);
    expect(source.misplaced()).to.deep.equal([]);
    source.close();
    expect(readFileSync(file()).equals(before)).to.equal(true);
  });

  it('row 80: of an older format are refused by a service with one line, and not changed', async () => {
    writeFormat1(directory);
    const before = readFileSync(file());
    const refusal = await openSqliteStore({ directory }).catch((error: Error) => error.message);
    expect(refusal).to.include(`${file()} is of format 1, and this program's is 3`);
    expect(refusal).to.include('waybill log copy --from').and.not.include('\n');
    expect(readFileSync(file()).equals(before)).to.equal(true);
  });

  describe('of format 2, whose streams do not name their account', () => {
    const account = 'acc_0192f6a47c1e7b529d3e5a1f0c2b8e11';
    const [ref, other] = ['q3Zt8cPz0mW1xY5uK7aBdg', 'x3Zt8cPz0mW1xY5uK7aBdg'];
    const claimed = specimenOf(`message-${other}`, 'InboundIdClaimed', 4);
    const deferred = specimenOf('webhook-wh_1', 'WebhookDeferred', 1);
    const older = [
      specimenOf('installation-waybill', 'InstallationFounded', 1),
      specimenOf(`account-${account}`, 'AccountOpened', 1),
      // Of the account that the number was linked to when it came, and then the record.
      { ...specimenOf(`message-${ref}`, 'StatusUpdated', 4), accountId: 'acc_2' },
      specimenOf(`message-${ref}`, 'MessageSent', 7),
      { ...claimed, data: { ...claimed.data, accountId: 'acc_2' } },
      specimenOf('media-55', 'MediaUploaded', 1),
      ...[
        { stream: `message-${ref}`, orderKey: `message-${ref}` },
        { stream: 'account-x', orderKey: 'ref_1' },
      ].map((own) => ({ ...deferred, data: { ...deferred.data, ...own } })),
      specimenOf('conversation-10.919812345678', 'MessageReceived', 1),
      specimenOf('plan-standard', 'PlanPublished', 1),
    ];
    const accountOfFixture = (index: number) =>
      (older[index]!.data as { accountId: string }).accountId;
    const names = [
      'installation-waybill',
      `account-${account}`,
      `message-${account}.${ref}`,
      `message-${account}.${ref}`,
      `message-acc_2.${other}`,
      `media-${accountOfFixture(5)}.55`,
      `webhook-${accountOfFixture(6)}.wh_1`,
      `webhook-${accountOfFixture(6)}.wh_1`,
      `conversation-${accountOfFixture(8)}.10.919812345678`,
      'plan-standard',
    ];

    it('are read in the names of today, also in what names a stream', async () => {
      writeOlderLog(directory, older);
      const archive = openSqliteArchive(directory);
      const read = await allOf(archive);
      expect(read.map(({ stream }) => stream)).to.deep.equal(names);
      expect(read.map(({ type }) => type)).to.deep.equal(older.map(({ type }) => type));
      expect(await archive.read(names[2]!)).to.deep.equal(read.slice(2, 4));
      expect(read[3]!.data).to.include({ accountId: account, messageRef: ref });
      expect(read[6]!.data).to.include({ stream: names[2]!, orderKey: names[2]! });
      expect(read[7]!.data).to.include({ stream: 'account-x', orderKey: 'ref_1' });
      expect(read[0]!.data).to.include({ format: 3 });
      archive.close();
    });

    it('come whole into a new directory by a copy, which a service then opens', async () => {
      // Without the record, whose charge is not there.
      const sound = older.filter(({ type }) => type !== 'MessageSent');
      writeOlderLog(directory, sound);
      const to = join(folder.path, 'new');
      const outcome = await copyLog(directory, to, () => undefined);
      expect(outcome).to.deep.include({ ok: true, format: 2, copied: sound.length, snapshots: 0 });
      const archive = openSqliteArchive(directory);
      const store = await openSqliteStore({ directory: to });
      expect(await allOf(store)).to.deep.equal(await allOf(archive));
      const again = await store.append('plan-standard', 0, [created()]);
      expect(again.position).to.equal('0000000000000010');
      await store.close();
      archive.close();
    });
  });
});
