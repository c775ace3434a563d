import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { START } from '../../../src/events/store.ts';
import { projections } from '../../../src/projections/all.ts';
import { placesOf } from '../../../src/projections/engine/sweep.ts';
import { createListerThread } from '../../../src/projections/sqlite/lister.ts';
import { openSqliteViews } from '../../../src/projections/sqlite/views.ts';
import {
  type Query,
  StaleCheckpoint,
  Unwritable,
  type Views,
  type Write,
} from '../../../src/projections/views.ts';
import { walksOf } from '../../../src/projections/walk.ts';
import { viewsContract } from '../../contract/views.ts';
import { folderInEachTest, folderInSuite } from '../../support/folder.ts';
import { inSuite } from '../../support/in-suite.ts';
import { queryPlans } from '../../support/query-plans.ts';
import { failureOf, messageOf } from '../../support/spec.ts';
import { at } from '../../support/views-parcels.ts';
import type { Json } from '../../support/waybill.ts';

const contractFolder = folderInSuite();
viewsContract('sqlite', () => openSqliteViews({ directory: contractFolder.path }));
const threadFolder = folderInSuite();
viewsContract('sqlite, with a thread that reads lists', () =>
  openSqliteViews({ directory: threadFolder.path, createLister: createListerThread }),
);

const ascending = { field: 'order', direction: 'ascending' } as const;
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe('SQLite views', () => {
  const views = inSuite(() => openSqliteViews({ directory: folder.path }));
  const folder = folderInSuite();
  const elsewhere = folderInEachTest();
  const commitOne = (collection: string, write: Write, from = START, of: Views = views) =>
    of.commit([{ collection, writes: [write], from, to: write.position }]);
  const writeOf = (position: string, document: object, id = 'a') => ({ id, position, document });

  it('keeps its files to its owner', async () => {
    await views.prepare('modes_v1_1', []);
    const files = readdirSync(folder.path);
    expect(files).to.include.members(['views.db', 'views.db-wal']);
    for (const file of files)
      expect(statSync(join(folder.path, file)).mode & 0o777).to.equal(0o600);
  });

  it('has everything again after it was closed', async () => {
    const first = await openSqliteViews({ directory: elsewhere.path });
    await first.prepare('kept_v1_1', [['id']]);
    await commitOne('kept_v1_1', writeOf('2', { id: 'a' }), START, first);
    await first.promote('kept', 'kept_v1_1', undefined);
    await first.close();
    await first.close();
    const second = await openSqliteViews({ directory: elsewhere.path });
    expect((await second.get('kept_v1_1', 'a'))?.document).to.deep.equal({ id: 'a' });
    expect(await second.checkpoint('kept_v1_1')).to.equal('2');
    expect(await second.live()).to.deep.equal({ kept: 'kept_v1_1' });
    await second.close();
  });

  it('lets other work run between the counts of a list', async () => {
    await views.prepare('counted_v1_1', [['id']]);
    let turns = 0;
    const turn = () => {
      turns += 1;
      going = setImmediate(turn);
    };
    let going = setImmediate(turn);
    const query = { where: {}, order: { ...ascending, field: 'id' } };
    await Promise.all(Array.from({ length: 20 }, () => views.count('counted_v1_1', query)));
    clearImmediate(going);
    expect(turns).to.be.at.least(20);
  });

  it('makes a dropped collection anew with other columns', async () => {
    const query = { where: { note: 'x' }, order: { ...ascending, field: 'id' }, limit: 5 };
    const fill = async (filters: readonly string[]) => {
      await views.prepare('again_v1_1', [['id']], filters);
      await commitOne('again_v1_1', writeOf('1', { id: 'a', note: 'x', other: 'y' }));
      expect(idsOf(await views.find('again_v1_1', query))).to.deep.equal(['a']);
    };
    await fill(['note']);
    expect(await views.drop('again_v1_1')).to.equal(true);
    await fill(['other', 'note']);
    await views.drop('again_v1_1');
  });

  it('answers from a collection of an older program, by the indexes that it has', async () => {
    const old = new DatabaseSync(join(elsewhere.path, 'views.db'));
    const field = (name: string) => `json_extract(document, '$.${name}')`;
    old.exec(`
      CREATE TABLE old_v1_1 (id TEXT PRIMARY KEY, position TEXT NOT NULL, document TEXT NOT NULL) STRICT;
      CREATE INDEX old_v1_1__0 ON old_v1_1 (${field('owner')}, ${field('order')} DESC);
    `);
    old.close();
    const opened = await openSqliteViews({ directory: elsewhere.path });
    await opened.prepare('old_v1_1', [['owner', '-order']]);
    const writes = [1, 2, 3, 4].map((order) => {
      const document = { owner: 'ann', kind: order % 2 ? 'odd' : null, order };
      return writeOf(`${order}`, document, `o${order}`);
    });
    await opened.commit([{ collection: 'old_v1_1', writes, from: START, to: '4' }]);
    const order = { field: 'order', direction: 'descending' as const };
    const query = { where: { owner: 'ann', kind: 'odd' }, order, limit: 5 };
    expect(idsOf(await opened.find('old_v1_1', query))).to.deep.equal(['o3', 'o1']);
    const bounds = { rowsMax: 2, charactersMax: 1000 };
    const { rows, next } = await opened.scan('old_v1_1', { ...query, ...bounds });
    expect([idsOf(rows), next]).to.deep.equal([['o3'], 3]);
    await opened.close();
  });

  describe('stores each value once:', () => {
    const words = ['owner'];
    const indexes = [['owner', '-order']];
    const owned = (id: string, owner: string) => ({
      id,
      position: at(7),
      document: { id, owner, order: at(7), note: null },
    });
    const rowsIn = (collection: string): unknown => {
      const file = new DatabaseSync(join(folder.path, 'views.db'), { readOnly: true });
      const rows = file.prepare(`SELECT * FROM ${collection}`).all();
      const word = file.prepare('SELECT number FROM _words WHERE word = ?').get('acc_ann')?.number;
      file.close();
      return { rows: rows.map((row) => ({ ...row })), word };
    };

    it('ids, nulls, words and positions are not in the text', async () => {
      await views.prepare('once_v1_1', indexes, [], words);
      const ann = owned('a', 'acc_ann');
      await commitOne('once_v1_1', ann);
      const { rows, word } = rowsIn('once_v1_1') as { rows: Json[]; word: number };
      const [{ document, ...row }] = rows as [Json];
      expect(row).to.deep.equal({ id: 'a', position: 7, w_owner: word, p_order: 7 });
      expect(JSON.parse(document)).to.have.length(1);
      expect(await views.get('once_v1_1', 'a')).to.deep.equal(ann);
    });
    it('words of a commit that failed are numbered again', async () => {
      await views.prepare('words_v1_1', indexes, [], words);
      const refused = { ...owned('b', 'acc_bob'), document: { id: 'b', owner: 5 } };
      const commit = (writes: readonly Write[]) =>
        views.commit([{ collection: 'words_v1_1', writes, from: START, to: at(7) }]);
      const failure = await failureOf(commit([owned('a', 'acc_eve'), refused]));
      expect(failure).to.be.instanceOf(Unwritable);
      await commit([owned('a', 'acc_eve')]);
      expect(await views.get('words_v1_1', 'a')).to.deep.equal(owned('a', 'acc_eve'));
      const query = { where: { owner: 'acc_eve' }, order: ascending, limit: 5 };
      expect(idsOf(await views.find('words_v1_1', query))).to.deep.equal(['a']);
    });
    it('a word is compared for equality only, and a field without a column not at all', async () => {
      await views.prepare('words_v1_2', [['order']], ['owner'], words);
      const other = (where: Query['where']) =>
        views
          .find('words_v1_2', { where, order: ascending, limit: 5 })
          .then((rows) => rows.length)
          .catch(({ message }) => message);
      expect(await other({ owner: { in: ['acc_eve', 'acc_nobody'] } })).to.equal(0);
      expect(await other({ owner: { gt: 'a' } })).to.contain('equality only');
      expect(await other({ note: 'x' })).to.contain('no index for a question by note');
    });
  });

  it('goes to no index whose columns stay', async () => {
    const file = join(folder.path, 'views.db');
    await views.prepare('touched_v1_1', [['owner', 'order'], ['state']]);
    const document = { owner: 'ann', state: 'new', order: '1' };
    const commit = (change: object, from: string, to: string) =>
      commitOne('touched_v1_1', writeOf(to, { ...document, ...change }), from);
    await commit({}, START, '1');
    const database = new DatabaseSync(file);
    // Would fail for whatever names the column.
    database.exec(`CREATE TRIGGER no_owner BEFORE UPDATE OF f_owner ON touched_v1_1
      BEGIN SELECT RAISE(ABORT, 'the owner stays'); END`);
    await commit({ state: 'old' }, '1', '2');
    expect(await messageOf(commit({ owner: 'bob' }, '2', '3'))).to.contain('the owner stays');
    database.close();
  });

  it('says so when SQLite itself can never take a document', async () => {
    await views.prepare('deep_v1_1', [['id']]);
    const database = new DatabaseSync(join(folder.path, 'views.db'));
    database.exec(`CREATE TRIGGER parsed BEFORE INSERT ON deep_v1_1
      BEGIN SELECT json_extract(new.document, '$.id'); END`);
    database.close();
    let document: object = {};
    for (let level = 0; level < 1_100; level += 1) document = { document };
    const error = await failureOf(commitOne('deep_v1_1', writeOf('1', document)));
    expect(error).to.be.instanceOf(Unwritable);
    expect(error).to.include({ collection: 'deep_v1_1', position: '1' });
    expect(await views.checkpoint('deep_v1_1')).to.equal(START);
  });

  it('applies none of several commits when one of them fails', async () => {
    await views.prepare('left_v1_1', []);
    await views.prepare('right_v1_1', []);
    await commitOne('left_v1_1', writeOf('1', { id: 'a' }));
    const writes = [writeOf('2', { id: 'b' }, 'b')];
    const committing = views.commit([
      { collection: 'left_v1_1', writes, from: '1', to: '2' },
      { collection: 'right_v1_1', writes, from: 'elsewhere', to: '2' },
    ]);
    expect(await failureOf(committing)).to.be.instanceOf(StaleCheckpoint);
    expect(await views.get('left_v1_1', 'b')).to.equal(undefined);
    expect(await views.checkpoint('left_v1_1')).to.equal('1');
  });

  it('is not well when its file is damaged', async () => {
    await (await openSqliteViews({ directory: elsewhere.path })).close();
    const damaged = await openSqliteViews({ directory: elsewhere.path });
    const [file, page] = [join(elsewhere.path, 'views.db'), 4096];
    truncateSync(file, page);
    truncateSync(file, 20 * page);
    const { ok, detail } = await damaged.health();
    expect(ok).to.equal(false);
    expect(detail).to.include(`${file} is damaged`);
    await damaged.close();
  });

  it('refuses more once it is closed, and says that it is not well', async () => {
    const closed = await openSqliteViews({ directory: elsewhere.path });
    await closed.close();
    expect((await closed.health()).ok).to.equal(false);
    expect(await messageOf(closed.prepare('x_v1_1', []))).to.contain('closed');
  });
});

describe('the questions asked of the views', () => {
  let database: DatabaseSync;
  after(() => database.close());
  const folder = folderInSuite();

  before(async () => {
    const views = await openSqliteViews({ directory: folder.path });
    for (const { name, indexes, filters } of projections) {
      await views.prepare(`${name}_v1_1`, indexes, filters);
    }
    await views.close();
    database = new DatabaseSync(join(folder.path, 'views.db'), { readOnly: true });
  });

  const plansOf = (projection: string, query: Query) =>
    queryPlans(database, `${projection}_v1_1`, query);
  const up = (field: string, limit: number) => ({ order: { ...ascending, field }, limit });
  const down = (field: string, limit: number) =>
    ({ order: { field, direction: 'descending' }, limit }) as const;
  const page = down('order', 50);
  const before_ = { lt: '0000000000000009' };
  const a = { accountId: 'a' };
  const beyond = { gt: '' };

  /** What a sweep asks of each projection with personal data. */
  const sweeps = projections.flatMap(({ name, erase }): [string, Query][] => {
    if (!erase) return [];
    const months = { accountId: 'a', through: '2026-10' };
    const places = [...placesOf(erase, { refs: ['r'] }), ...placesOf(erase, months)];
    return places.map((where) => [name, { where, ...up('sealedMonth', 500) }]);
  });
  const searches: [string, Query][] = [
    ['organisations', { where: { order: before_ }, ...page }],
    ['accounts', { where: { order: before_ }, ...page }],
    ['accounts', { where: { organisationId: 'o' }, ...page }],
    ['accounts', { where: { organisationId: 'o', order: before_ }, ...page }],
    ['ledger', { where: a, ...page }],
    ['ledger', { where: { ...a, order: before_ }, ...page }],
    ['ledger', { where: { ...a, order: { gt: '1' } }, ...up('order', 500) }],
    ['ledger', { where: { ...a, type: 'GRANT' }, ...page }],
    ['ledger', { where: { ...a, type: 'GRANT', order: before_ }, ...page }],
    ['ledger', { where: { ...a, chargeId: 'c' }, ...page }],
    ['ledger', { where: { ...a, chargeId: 'c' }, ...up('order', 2) }],
    ['ledger', { where: { ...a, createdAt: { gte: '2026', lt: '2027' } }, ...page }],
    ['reservations', { where: { reservedAt: { gt: '', lt: '2026' } }, ...up('reservedAt', 100) }],
    [
      'reservations',
      { where: { ...a, reservedAt: beyond, amount: { lt: 0 } }, ...up('reservedAt', 1) },
    ],
    ['reservations', { where: { ...a, state: 'refused', order: before_ }, ...page }],
    ['refusals', { where: { ...a, order: before_ }, ...page }],
    ['refunds', { where: { ...a, state: 'disconnected', order: before_ }, ...page }],
    ['refunds', { where: { state: 'disconnected', order: before_ }, ...page }],
    ['messages', { where: { messageRef: 'm', order: beyond }, ...up('order', 20) }],
    ['messages', { where: a, ...page }],
    ['messages', { where: { ...a, order: before_ }, ...page }],
    ['messages', { where: { ...a, phoneNumberId: 'n', contactRef: 'r' }, ...page }],
    ['messages', { where: { ...a, contactRef: 'r' }, ...page }],
    ['messages', { where: { ...a, event: 'e', status: 'sent', order: before_ }, ...page }],
    ['messages', { where: { ...a, event: 'e' }, ...page }],
    ['messages', { where: { ...a, phoneNumberId: 'n' }, ...page }],
    ['messages', { where: { ...a, messageType: 't', createdAt: { lt: '2026' } }, ...page }],
    ['messages', { where: { ...a, status: 'failed', order: before_ }, ...page }],
    ['messages', { where: { ...a, clientReference: 'r' }, ...page }],
    ['conversations', { where: { ...a, order: before_ }, ...page }],
    ['conversations', { where: { ...a, phoneNumberId: 'n' }, ...page }],
    ['bots', { where: { ...a, order: before_ }, ...page }],
    ['numbers', { where: { ...a, linked: true }, ...up('order', 100) }],
    ['numbers', { where: a, ...page }],
    ['numbers', { where: { linked: true }, ...up('order', 100) }],
    ['numbers', { where: { wabaId: 'w' }, ...up('order', 100) }],
    ['keys', { where: a, ...page }],
    ['keys', { where: { prefix: 'p' }, ...up('prefix', 2) }],
    ['administrators', { where: { order: before_ }, ...page }],
    ['administrators', { where: { prefix: 'p' }, ...up('prefix', 2) }],
    ['templates', { where: { wabaId: 'w', name: 'n' }, ...up('language', 100) }],
    ['templates', { where: { wabaId: 'w' }, ...up('name', 1000) }],
    ['templates', { where: { wabaId: 'w' }, ...up('order', 100) }],
    ['botruns', { where: { botId: 'b', order: before_ }, ...page }],
    ['botruns', { where: { lane: 'acc', due: { gt: '' } }, ...up('due', 200) }],
    ['botruns', { where: { lane: { gt: '' } }, ...up('lane', 500) }],
    [
      'botruns',
      {
        where: { ...a, phoneNumberId: 'n', open: true, order: { gt: '', lte: '9' } },
        ...up('order', 64),
      },
    ],
    ['plans', { where: { order: before_ }, ...page }],
    ['ratecards', { where: { order: before_ }, ...page }],
    ['answers', { where: { contactRef: 'r', order: before_ }, ...page }],
    ['deadletters', { where: { order: before_ }, ...page }],
    ['deadletters', { where: { state: 'open', order: before_ }, ...page }],
    ['deadletters', { where: { state: 'open', reason: 'r', order: beyond }, ...up('order', 50) }],
    ['accounts', { where: { retainedSince: { gt: '' } }, ...up('retainedSince', 500) }],
    ['erasures', { where: { state: 'done', order: before_ }, ...page }],
    ['contacts', { where: { contactRef: 'r' }, ...up('contactRef', 20) }],
    ['actions', { where: { ...a, order: before_ }, ...page }],
    ['actions', { where: { requestId: 'r' }, ...down('order', 20) }],
    ['sessions', { where: { holderId: 'h', startedAt: beyond }, ...down('startedAt', 1_000) }],
    ['sessions', { where: { startedAt: { lte: '2026' } }, ...up('startedAt', 1_000) }],
    ['activity', { where: { ...a, hour: { gte: '2026' } }, ...down('hour', 2_000) }],
    ['webhooks', { where: a, ...page }],
    ['webhooks', { where: { order: { gt: '' } }, ...up('order', 100) }],
    ['approvals', { where: { state: 'waiting' }, ...page }],
    ['jobs', { where: a, ...page }],
    ['jobs', { where: { ...a, live: true }, ...up('order', 200) }],
    ['jobs', { where: { lane: { gt: '' } }, ...up('lane', 500) }],
    ['jobs', { where: { keptUntil: { lte: '2026' } }, ...up('keptUntil', 500) }],
    ['messages', { where: { jobId: 'j', status: 'failed' }, ...page }],
    ['notes', { where: { conversationId: 'c' }, ...page }],
    ['people', { where: { organisationId: 'o' }, ...page }],
    ['quickreplies', { where: a, ...page }],
    ['scheduled', { where: a, ...page }],
    ['scheduled', { where: { ...a, state: 'waiting' }, ...page }],
    ['scheduled', { where: { ...a, contactRef: 'r' }, ...page }],
    ['scheduled', { where: { ...a, due: { gt: '' } }, ...up('due', 1) }],
    ['scheduled', { where: { lane: 'l', due: { gt: '' } }, ...up('due', 100) }],
    ['scheduled', { where: { lane: { gt: '' } }, ...up('lane', 100) }],
    ['webhookdeliveries', { where: { endpointId: 'e', order: before_ }, ...page }],
    ['webhookdeliveries', { where: { endpointId: 'e', state: 'failed' }, ...page }],
    ['webhookdeliveries', { where: { endpointId: 'e', due: { gt: '' } }, ...up('due', 100) }],
    ...sweeps,
    ['messages', { where: { ...a, chargeId: 'c' }, ...down('order', 1) }],
    ['chargeclaims', { where: { chargeId: 'c' }, ...up('order', 50) }],
    ['chargeclaims', { where: { reservedAt: { gt: '', lt: '2026' } }, ...up('reservedAt', 50) }],
  ];
  for (const [projection, query] of searches) {
    const order = `${query.order.field} ${query.order.direction}`;
    const where = JSON.stringify(query.where);
    it(`${projection} where ${where} by ${order} is served by an index`, () => {
      const [select, boundary] = plansOf(projection, query);
      expect(select).to.match(/^SEARCH \w+ USING INDEX \w+__\d+ \(.+\)$/);
      expect(boundary).to.match(/^SEARCH \w+ USING COVERING INDEX \w+__\d+ \(.+\)$/);
    });
  }

  it('first pages of everything walk an index and stop', () => {
    for (const name of ['organisations', 'accounts', 'plans', 'ratecards', 'deadletters']) {
      const [select] = plansOf(name, { where: {}, ...page });
      expect(select).to.match(/^SCAN \w+ USING INDEX \w+__\d$/);
    }
  });

  it("walk the given index instead of SQLite's choice", () => {
    const where = { ...a, status: 'sent', event: 'e', phoneNumberId: 'n' };
    const { indexes } = projections.find(({ name }) => name === 'messages')!;
    const walks = walksOf(indexes, { where, ...page });
    expect(walks).to.have.length(3);
    for (const walk of walks) {
      for (const plan of queryPlans(database, 'messages_v1_1', { where, ...page }, walk)) {
        expect(plan).to.contain(`INDEX messages_v1_1__${walk.index} (`);
      }
    }
  });

  it('leave no declared index without a use', () => {
    const all = [
      ...searches,
      ...projections.map(({ name }) => [name, { where: {}, ...page }] as const),
    ];
    const used = new Set(
      all.flatMap(([name, query]) => {
        const { indexes } = projections.find((one) => one.name === name)!;
        const [walk] = walksOf(indexes, query);
        return walk ? `${name} ${indexes[walk.index]}` : [];
      }),
    );
    const declared = projections.flatMap(({ name, indexes }) =>
      indexes.map((index) => `${name} ${index}`),
    );
    expect([...used].sort()).to.deep.equal(declared.sort());
  });
});
