import { expect } from 'chai';
import fc from 'fast-check';
import nock from 'nock';
import { z } from 'zod';
import type { JsonRoute } from '../../../src/http/route/route.ts';
import { declaredRoutes, filledPath } from '../../support/routes.ts';
import { spoiledBody, spoiledQuery } from '../../support/spoiled.ts';
import { typesOf, useWaybill } from '../../support/surface.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  type Json,
  numberAnswer,
  openTenant,
  PROVIDER,
  type Tenant,
} from '../../support/waybill.ts';

/** Of each route there are some, of all some hundred. */
const HOW = { numRuns: 3, includeErrorInReport: true } as const;
/** Refused before anything was tried: these leave nothing behind. */
const REFUSED_AT_ONCE = [400, 401, 405, 413, 415, 422];

const jsonSchemaOf = (schema: z.ZodType | undefined): Json =>
  schema ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : {};

const isTexts = (value: Json) =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

/** Contract 7.1: a string or the validation object, with a `code` at most in words. */
const isErrorBody = ({ error, code }: Json): boolean => {
  if (code !== undefined && !/^[A-Z_]+$/.test(code)) return false;
  if (typeof error === 'string') return error !== '';
  const { formErrors, fieldErrors, ...more } = error;
  const lists = [formErrors, ...Object.values(fieldErrors as object)];
  return Object.keys(more).length === 0 && lists.every(isTexts);
};

/** A provider that agrees with everything. */
const providerAgrees = () => {
  let made = 0;
  const provider = nock(PROVIDER).persist();
  const shown = { ...numberAnswer('1'), data: [], paging: {} };
  provider.get(/.*/).query(true).reply(200, shown);
  provider.post(/.*/).reply(200, () => {
    made += 1;
    const id = `wamid.BAD${made}`;
    return { success: true, id: String(made), status: 'PENDING', messages: [{ id }] };
  });
};

describe('Bad input @long', () => {
  const on = useWaybill();
  let tenant: Tenant;
  /** Something was taken: from then on the tenant may be another one than it was. */
  let isSpent = true;
  beforeEach(async () => {
    if (isSpent) tenant = await openTenant(on.waybill);
    isSpent = false;
    providerAgrees();
  });

  const storedSince = async (position: string) => {
    const { events } = await on.waybill.store.readAll(position, 1000);
    // Of its own accord the service counts the uses of keys, seals, and writes full tiles of the log of entries.
    const own = ['ApiKeyUsed', 'LedgerHeadsListed', 'LedgerSealed', 'LogTileFilled'];
    return typesOf(events).filter((type) => !own.includes(type));
  };
  const mustBeSound = async (answer: Answer, head: string, what: string) => {
    const said = `${what} → ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`;
    // On a busy machine the read models may lag.
    if (answer.status === 503 && /behind its log/.test(answer.body.error)) return;
    if (answer.status >= 500) throw new Error(said);
    if (answer.status < 300) return;
    if (!isErrorBody(answer.body)) throw new Error(`not the contract's shape: ${said}`);
    if (!REFUSED_AT_ONCE.includes(answer.status)) return;
    const stored = await storedSince(head);
    if (stored.length > 0) throw new Error(`${stored} stored in spite of ${said}`);
  };
  /** A thing that is there for each parameter, by what stands before it in the path. */
  const thingsThere = async (path: string): Promise<Record<string, string>> => {
    const made = async (where: string, body: Json) =>
      (await on.waybill.admin('POST', where, body)).body.id as string;
    const { accountId, organisationId, phoneNumberId } = tenant;
    const id = /^\/admin\/v1\/(\w+)\/:id/.exec(path)?.[1];
    const plan = { name: 'P', billing: 'wallet', currency: 'USD', markupPercent: '1' };
    const ada = { name: 'Ada', email: 'ada@shop.example', role: 'auditor' };
    const ids: Record<string, () => Promise<string>> = {
      keys: () => made(`/accounts/${accountId}/keys`, { name: 'k' }),
      plans: () => made('/plans', plan),
      administrators: () => made('/administrators', ada),
      organisations: async () => organisationId,
      accounts: async () => accountId,
    };
    const how = { token: tenant.apiKey, body: { name: 'A bot' } };
    const botId = path.includes(':botId')
      ? (await on.waybill.call('POST', '/v1/bots', how)).body.id
      : 'unknown';
    const named = { phoneNumberId, name: 'ledger', botId };
    return { ...named, ...(id && { id: (await ids[id]?.()) ?? 'unknown' }) };
  };
  const hasBody = ({ method }: JsonRoute) => method !== 'GET' && method !== 'DELETE';
  const tokenFor = ({ path }: JsonRoute) => (path.startsWith('/v1/') ? tenant.apiKey : ADMIN_TOKEN);

  for (const route of declaredRoutes()) {
    const { method, path, request } = route;
    if (hasBody(route)) {
      it(`in the body of ${method} ${path} is refused or taken`, async () => {
        const schema = jsonSchemaOf(request?.body);
        const target = filledPath(path, await thingsThere(path));
        const attempt = async (raw: string) => {
          const head = await on.waybill.store.head();
          const how = { token: tokenFor(route), raw };
          const answer = await on.waybill.call(method, target, how);
          if (answer.status < 300) isSpent = true;
          await mustBeSound(answer, head, raw.slice(0, 500));
        };
        await fc.assert(fc.asyncProperty(spoiledBody(schema), attempt), HOW);
      });
    }
    if (request?.query) {
      it(`in the query of ${method} ${path} is refused or taken`, async () => {
        const schema = jsonSchemaOf(request.query);
        const there = filledPath(path, await thingsThere(path));
        const attempt = async (query: string) => {
          const head = await on.waybill.store.head();
          const how = { token: tokenFor(route) };
          const answer = await on.waybill.call(method, `${there}?${query}`, how);
          await mustBeSound(answer, head, query.slice(0, 500));
        };
        await fc.assert(fc.asyncProperty(spoiledQuery(schema), attempt), HOW);
      });
    }
  }

  it('in the path counts as an unknown id', async () => {
    const smile = encodeURIComponent('😀');
    const values = ['%00', '%', '%ff', '%2e%2e%2f', '__proto__', 'x'.repeat(3000), smile];
    for (const route of declaredRoutes().filter((one) => one.path.includes(':'))) {
      const { method, path } = route;
      for (const value of values) {
        const head = await on.waybill.store.head();
        const target = path.replace(/:\w+/g, value);
        const how = { token: tokenFor(route), ...(hasBody(route) && { body: {} }) };
        const answer = await on.waybill.call(method, target, how);
        const what = `${method} ${target.slice(0, 200)}`;
        await mustBeSound(answer, head, what);
        expect(answer.status, what).to.be.within(200, 499);
      }
    }
  });
});
