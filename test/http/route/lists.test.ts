import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import type { Query, Scan, Views } from '../../../src/projections/views.ts';
import { readReference } from '../../support/openapi.ts';
import { queryPlans } from '../../support/query-plans.ts';
import { testServers } from '../../support/stores.ts';
import { customerWrites, useTenant } from '../../support/surface.ts';
import { ADMIN_TOKEN, type Json } from '../../support/waybill.ts';

interface Asked {
  collection: string;
  query: Query;
  /** Undefined where the answer is not read page by page. */
  rowsMax: number | undefined;
}

const { paths } = readReference() as { paths: Record<string, { get?: Json }> };

/** A value that each filter takes. */
const sampleOf = ({ name, schema, value }: Json): string => {
  if (value) return value;
  if (name === 'conversationId') return '{id}.x1.1';
  if (schema.enum) return schema.enum[0];
  if (/^(since|until|updatedSince|asOf)$/.test(name)) return '2026-11-22T12:00:00Z';
  return name === 'refresh' ? 'false' : 'x1';
};

/** No filter, each alone, and each two together. */
const choicesOf = (filters: readonly Json[]): Json[][] => [
  [],
  ...filters.map((one) => [one]),
  ...filters.flatMap((one, at) => filters.slice(at + 1).map((other) => [one, other])),
];

const INDEXED = 'contact conversationId clientReference event status phoneNumberId'.split(' ');

describe('The lists of every API', () => {
  const asked: Asked[] = [];
  const watched = (views: Views): Views => ({
    ...views,
    find(collection, query) {
      asked.push({ collection, query, rowsMax: undefined });
      return views.find(collection, query);
    },
    scan(collection, scan: Scan, signal) {
      asked.push({ collection, query: scan, rowsMax: scan.rowsMax });
      return views.scan(collection, scan, signal);
    },
  });
  const on = useTenant({ once: true }, { wrapViews: watched });
  /** What there is for each parameter of a path. */
  let there: Record<string, string>;
  before(async () => {
    const { accountId: id, phoneNumberId } = on.tenant;
    const { body: bot } = await on.call('POST', '/v1/bots', { name: 'A bot' });
    const hook = { url: 'https://shop.example/hook', events: ['message.sent'] };
    const { body: webhook } = await on.call('POST', '/v1/webhooks', hook);
    await customerWrites(on.waybill, on.tenant);
    const { body: found } = await on.call('GET', '/v1/conversations');
    const conversationId = found.conversations[0].id;
    there = { id, phoneNumberId, botId: bot.id, webhookId: webhook.id, conversationId };
  });

  /** What these filters ask of the read models. */
  const ask = async (path: string, filters: readonly Json[]): Promise<Asked[]> => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (gap, name) => there[name] ?? gap);
    // Administrators look for messages and attempts in one account.
    const isOfAny =
      /^\/admin\/v1\/(messages|sends|sends\/refusals)$/.test(path) &&
      !filters.some(({ name }) => name === 'accountId');
    const all = isOfAny ? [...filters, { name: 'accountId', value: on.tenant.accountId }] : filters;
    const named = all.map(
      (one) =>
        `${one.name}=${encodeURIComponent(sampleOf(one).replace('{id}', on.tenant.accountId))}`,
    );
    asked.length = 0;
    const token = path.startsWith('/admin') ? ADMIN_TOKEN : on.tenant.apiKey;
    const { status } = await on.waybill.call('GET', `${filled}?${named.join('&')}`, { token });
    expect(status, `${filled} ${named}`).to.be.oneOf([200, 404]);
    // Reactors and sweeps ask meanwhile: for runs that are due, of any bot, and for reservations. For
    // its health, the newest messages of each number of a page are read.
    return asked.filter(
      ({ collection, query }) =>
        (path !== '/admin/v1/numbers/health' || collection.startsWith('numbers_')) &&
        (!/^(botruns|reservations|jobs|scheduled)_/.test(collection) ||
          /\/(jobs|scheduled)$/.test(path) ||
          (/runs/.test(path) && 'botId' in query.where) ||
          (/sends/.test(path) && 'accountId' in query.where)),
    );
  };

  const lists = Object.entries(paths).flatMap(([path, { get }]) => {
    const filters = (get?.parameters ?? []).filter((one: Json) => one.in === 'query');
    const isList = filters.some(({ name }: Json) => name === 'cursor');
    const others = filters.filter(({ name }: Json) => !['limit', 'cursor'].includes(name));
    const list = path.replace(/^\/api/, '');
    // By an id of its own a message is one look-up, and no list.
    const isRow = ({ name }: Json) => list === '/admin/v1/messages' && name === 'messageId';
    // It reads one stream of the log, and no read model but the bot's own row.
    if (list === '/v1/bots/{botId}/versions') return [];
    // Keys are not asked here; the administrators' lists have the same indexes.
    if (['/v1/people', '/v1/keys'].includes(list)) return [];
    // Rows are read from the log.
    if (list === '/v1/jobs/{jobId}/rows') return [];
    return isList ? [{ path: list, filters: others.filter((one: Json) => !isRow(one)) }] : [];
  });

  it('are all tested here', () => {
    expect(lists.map(({ path }) => path).sort()).to.include.members([
      '/admin/v1/accounts',
      '/admin/v1/accounts/{id}/keys',
      '/admin/v1/accounts/{id}/ledger',
      '/admin/v1/accounts/{id}/numbers',
      '/admin/v1/dead-letters',
      '/v1/bots/{botId}/runs',
      '/v1/conversations',
      '/v1/messages',
    ]);
  });

  for (const { path, filters } of lists) {
    it(`GET ${path} goes along an index with any filter and any two, so many rows and no more`, async function () {
      if (testServers()) this.skip();
      const file = join(on.waybill.directory, 'views.db');
      const database = new DatabaseSync(file, { readOnly: true });
      for (const choice of choicesOf(filters)) {
        const questions = await ask(path, choice);
        const what = `${path} by ${choice.map(({ name }) => name)}`;
        // Attempts are messages, and reservations without one: by most states, one of both.
        if (!path.endsWith('/sends')) expect(questions, what).to.have.length(1);
        for (const { collection, query, rowsMax } of questions) {
          expect(rowsMax, what).to.be.at.most(5_000);
          const [select, boundary] = queryPlans(database, collection, query);
          const isWhole = Object.keys(query.where).length === 0;
          const verb = isWhole ? 'SCAN' : 'SEARCH';
          const along = new RegExp(`^${verb} \\w+ USING INDEX \\w+__\\d+( \\(.+\\))?$`);
          expect(select, what).to.match(along);
          expect(boundary, what).to.match(/^\w+ \w+ USING COVERING INDEX \w+__\d+( \(.+\))?$/);
        }
      }
      database.close();
    });
  }

  it('use an index for six filters of one account’s messages', async function () {
    if (testServers()) this.skip();
    const database = new DatabaseSync(join(on.waybill.directory, 'views.db'), { readOnly: true });
    const { filters } = lists.find(({ path }) => path === '/v1/messages')!;
    for (const name of INDEXED) {
      const { schema } = filters.find((one: Json) => one.name === name) as Json;
      const isConversation = name === 'conversationId';
      const value = isConversation ? '{id}.x2.x2' : (schema.enum?.[0] ?? 'x2');
      const [{ collection, query }] = (await ask('/v1/messages', [{ name, value }])) as [Asked];
      const [select] = queryPlans(database, collection, query);
      // A conversation is that of a contact at one number, and most contacts write to one only.
      const field = name === 'contact' || isConversation ? 'contactRef' : name;
      expect(select, name).to.match(
        new RegExp(`\\(w_accountId=\\? AND [fw]_${field}=\\? AND p_order>\\?\\)$`),
      );
    }
    database.close();
  });

  it('without pages are read in bounded parts too', async () => {
    const token = on.tenant.apiKey;
    for (const path of ['/v1/bots', '/v1/credits', '/v1/wallet', '/v1/phones']) {
      asked.length = 0;
      expect((await on.waybill.call('GET', path, { token })).status).to.equal(200);
      for (const { query, rowsMax } of asked) {
        expect(Math.min(query.limit, rowsMax ?? query.limit), path).to.be.at.most(1_000);
      }
    }
  });
});
