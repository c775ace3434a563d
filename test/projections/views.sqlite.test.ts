import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { START } from '../../src/events/store.ts';
import { projections } from '../../src/projections/all.ts';
import { selectOf } from '../../src/projections/views.sqlite.query.ts';
import { openSqliteViews } from '../../src/projections/views.sqlite.ts';
import { type Query, Unwritable, type Views } from '../../src/projections/views.ts';
import { temporaryFolder } from '../support/folder.ts';
import { viewsContract } from '../support/views.contract.ts';

const contractFolder = temporaryFolder();
viewsContract('sqlite', () => openSqliteViews({ directory: contractFolder.path }));

describe('SQLite views', () => {
  const folder = temporaryFolder();
  let views: Views;
  const commitOne = (collection: string, id: string, from: string, to: string) =>
    views.commit([{ collection, writes: [{ id, position: to, document: { id } }], from, to }]);

  before(async () => {
    views = await openSqliteViews({ directory: folder.path });
  });
  after(async () => {
    await views.close();
    folder.remove();
    contractFolder.remove();
  });

  it('keeps its files to its owner', async () => {
    await views.prepare('modes_v1_1', []);
    const files = readdirSync(folder.path);
    expect(files).to.include.members(['views.db', 'views.db-wal']);
    for (const file of files)
      expect(statSync(join(folder.path, file)).mode & 0o777).to.equal(0o600);
  });

  it('has everything again after it was closed', async () => {
    const again = temporaryFolder();
    const first = await openSqliteViews({ directory: again.path });
    await first.prepare('kept_v1_1', [['id']]);
    const write = { id: 'a', position: '1', document: { id: 'a' } };
    await first.commit([{ collection: 'kept_v1_1', writes: [write], from: START, to: '2' }]);
    await first.promote('kept', 'kept_v1_1', undefined);
    await first.close();
    await first.close();
    const second = await openSqliteViews({ directory: again.path });
    expect((await second.get('kept_v1_1', 'a'))?.document).to.deep.equal({ id: 'a' });
    expect(await second.checkpoint('kept_v1_1')).to.equal('2');
    expect(await second.live()).to.deep.equal({ kept: 'kept_v1_1' });
    await second.close();
    again.remove();
  });

  it('refuses names that would not be names in SQL', async () => {
    const bad = ['x; DROP TABLE y', 'Upper', '1st', 'a b', "a'", ''];
    const order = { field: 'id', direction: 'ascending' as const };
    for (const name of bad) {
      const tries = [
        () => views.prepare(name, []),
        () => views.prepare('good_v1_1', [[name]]),
        () => views.get(name, 'a'),
        () => views.getMany(name, ['a']),
        () => views.find(name, { where: {}, order, limit: 1 }),
        () => views.find('modes_v1_1', { where: { [name]: 1 }, order, limit: 1 }),
        () => views.find('modes_v1_1', { where: {}, order: { ...order, field: name }, limit: 1 }),
        () => views.commit([{ collection: name, writes: [], from: START, to: '1' }]),
        () => views.promote('x', name, undefined),
        () => views.drop(name),
      ];
      for (const attempt of tries) {
        const error = await attempt().then(
          () => undefined,
          (reason: Error) => reason,
        );
        expect(error?.message, `${name} by ${attempt}`).to.contain('cannot name');
      }
    }
  });

  it('refuses a limit without bounds', () => {
    const query = { where: {}, order: { field: 'id', direction: 'ascending' as const } };
    for (const limit of [0, -1, 1.5, 10_001, Number.POSITIVE_INFINITY, Number.NaN]) {
      expect(() => selectOf('a_v1_1', { ...query, limit })).to.throw(RangeError);
    }
  });

  it('says so when SQLite itself can never take a document', async () => {
    await views.prepare('deep_v1_1', [['id']]);
    let document: object = {};
    for (let level = 0; level < 1_100; level += 1) document = { document };
    const write = { id: 'a', position: '1', document };
    const commit = { collection: 'deep_v1_1', writes: [write], from: START, to: '1' };
    const error = await views.commit([commit]).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(Unwritable);
    expect(error).to.include({ collection: 'deep_v1_1', position: '1' });
    expect(await views.checkpoint('deep_v1_1')).to.equal(START);
  });

  it('takes none of several commits when one of them cannot be taken', async () => {
    await views.prepare('left_v1_1', []);
    await views.prepare('right_v1_1', []);
    await commitOne('left_v1_1', 'a', START, '1');
    const write = (id: string) => ({ id, position: '2', document: { id } });
    const refused = await views
      .commit([
        { collection: 'left_v1_1', writes: [write('b')], from: '1', to: '2' },
        { collection: 'right_v1_1', writes: [write('c')], from: 'elsewhere', to: '2' },
      ])
      .catch(() => 'refused');
    expect(refused).to.equal('refused');
    expect(await views.get('left_v1_1', 'b')).to.equal(undefined);
    expect(await views.checkpoint('left_v1_1')).to.equal('1');
  });

  it('refuses more once it is closed, and says that it is not well', async () => {
    const elsewhere = temporaryFolder();
    const closed = await openSqliteViews({ directory: elsewhere.path });
    await closed.close();
    expect((await closed.health()).ok).to.equal(false);
    expect(await closed.prepare('x_v1_1', []).catch((error: Error) => error.message)).to.contain(
      'closed',
    );
    elsewhere.remove();
  });
});

describe('the questions asked of the views', () => {
  const folder = temporaryFolder();
  let database: DatabaseSync;

  before(async () => {
    const views = await openSqliteViews({ directory: folder.path });
    for (const { name, indexes } of projections) await views.prepare(`${name}_v1_1`, indexes);
    await views.close();
    database = new DatabaseSync(join(folder.path, 'views.db'), { readOnly: true });
  });
  after(() => {
    database.close();
    folder.remove();
  });

  const planOf = (projection: string, query: Query): string => {
    const { text, parameters } = selectOf(`${projection}_v1_1`, query);
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...parameters);
    return steps.map(({ detail }) => detail).join('; ');
  };
  const newest = { field: 'order', direction: 'descending' as const };
  const oldest = { field: 'order', direction: 'ascending' as const };
  const page = { order: newest, limit: 50 };
  const before_ = { lt: '0000000000000009' };
  const a = { accountId: 'a' };

  const searches: [string, Query][] = [
    ['organisations', { where: { order: before_ }, ...page }],
    ['accounts', { where: { order: before_ }, ...page }],
    ['accounts', { where: { organisationId: 'o' }, ...page }],
    ['accounts', { where: { organisationId: 'o', order: before_ }, ...page }],
    ['ledger', { where: a, ...page }],
    ['ledger', { where: { ...a, order: before_ }, ...page }],
    ['ledger', { where: { ...a, order: { gt: '1' } }, order: oldest, limit: 500 }],
    ['ledger', { where: { ...a, type: 'GRANT' }, ...page }],
    ['ledger', { where: { ...a, type: 'GRANT', order: before_ }, ...page }],
    ['ledger', { where: { ...a, chargeId: 'c' }, ...page }],
    ['ledger', { where: { ...a, chargeId: 'c' }, order: oldest, limit: 2 }],
    [
      'ledger',
      {
        where: { ...a, createdAt: { gte: '2026', lt: '2027' } },
        order: { field: 'createdAt', direction: 'ascending' },
        limit: 1,
      },
    ],
    [
      'ledger',
      {
        where: { ...a, createdAt: { lte: '2027' } },
        order: { field: 'createdAt', direction: 'descending' },
        limit: 1,
      },
    ],
    [
      'reservations',
      {
        where: { reservedAt: { lt: '2026' } },
        order: { field: 'reservedAt', direction: 'ascending' },
        limit: 100,
      },
    ],
    [
      'reservations',
      {
        where: { ...a, amount: { lt: 0 } },
        order: { field: 'reservedAt', direction: 'ascending' },
        limit: 1,
      },
    ],
    ['messages', { where: a, ...page }],
    ['messages', { where: { ...a, order: before_ }, ...page }],
    ['messages', { where: { conversationId: 'n.c', accountId: 'a' }, ...page }],
    ['messages', { where: { ...a, status: 'failed', order: before_ }, ...page }],
    ['messages', { where: { ...a, clientReference: 'r' }, ...page }],
    ['conversations', { where: { ...a, order: before_ }, ...page }],
    ['conversations', { where: { ...a, phoneNumberId: 'n' }, ...page }],
    ['bots', { where: { ...a, order: before_ }, ...page }],
    ['numbers', { where: { ...a, linked: true }, order: oldest, limit: 100 }],
    ['numbers', { where: a, ...page }],
    ['numbers', { where: { wabaId: 'w' }, order: oldest, limit: 100 }],
    ['keys', { where: a, ...page }],
    [
      'keys',
      { where: { prefix: 'p' }, order: { field: 'prefix', direction: 'ascending' }, limit: 2 },
    ],
    ['administrators', { where: { order: before_ }, ...page }],
    [
      'administrators',
      { where: { prefix: 'p' }, order: { field: 'prefix', direction: 'ascending' }, limit: 2 },
    ],
    [
      'templates',
      {
        where: { wabaId: 'w', name: 'n' },
        order: { field: 'language', direction: 'ascending' },
        limit: 100,
      },
    ],
    [
      'templates',
      { where: { wabaId: 'w' }, order: { field: 'name', direction: 'ascending' }, limit: 1000 },
    ],
    [
      'templates',
      {
        where: { metaTemplateId: 'm' },
        order: { field: 'metaTemplateId', direction: 'ascending' },
        limit: 10,
      },
    ],
    ['botruns', { where: { botId: 'b', order: before_ }, ...page }],
    [
      'botruns',
      {
        where: { phase: 'waiting', phaseAt: { lte: '2026' } },
        order: { field: 'phaseAt', direction: 'ascending' },
        limit: 200,
      },
    ],
    [
      'botruns',
      {
        where: { ...a, phoneNumberId: 'n', open: true, order: { gt: '', lte: '9' } },
        order: oldest,
        limit: 64,
      },
    ],
    ['plans', { where: { order: before_ }, ...page }],
    ['ratecards', { where: { order: before_ }, ...page }],
    ['deadletters', { where: { order: before_ }, ...page }],
  ];
  for (const [projection, query] of searches) {
    const order = `${query.order.field} ${query.order.direction}`;
    const where = JSON.stringify(query.where);
    it(`${projection} where ${where} by ${order} is served by an index`, () => {
      const plan = planOf(projection, query);
      expect(plan).to.match(/^SEARCH \w+ USING INDEX \w+__\d \(.+\)$/);
    });
  }

  it('first pages of everything walk an index and stop', () => {
    for (const name of ['organisations', 'accounts', 'plans', 'ratecards', 'deadletters']) {
      expect(planOf(name, { where: {}, ...page })).to.match(/^SCAN \w+ USING INDEX \w+__\d$/);
    }
  });

  it('leave no declared index without a use', () => {
    const used = new Set(
      [...searches, ...projections.map(({ name }) => [name, { where: {}, ...page }] as const)]
        .map(([projection, query]) => /USING INDEX (\w+)/.exec(planOf(projection, query))?.[1])
        .filter((index) => index !== undefined),
    );
    const declared = projections.flatMap(({ name, indexes }) =>
      indexes.map((_, number) => `${name}_v1_1__${number}`),
    );
    expect([...used].sort()).to.deep.equal(declared.sort());
  });
});
