import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { accounts } from '../../projections/accounts.ts';
import { type KeyDocument, keys } from '../../projections/keys.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet, pick } from './documents.ts';

interface Deps {
  tenancy: Tenancy;
}

/** The scopes of a key. */
const scopes = [
  'notifications:send',
  'messages:send',
  'messages:read',
  'templates:read',
  'templates:write',
  'phones:read',
  'phones:write',
  'bots:read',
  'bots:write',
  'credits:read',
] as const;

const Key = z.object({
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  prefix: z.string(),
  state: z.enum(['active', 'inactive', 'revoked']),
  allowedOrigins: z.array(z.string()).nullable(),
  rateLimit: z.int(),
  expiresAt: z.iso.datetime().nullable(),
  scopes: z.array(z.string()).nullable(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});

const present = (key: KeyDocument) => pick(Key, { ...key, id: key.keyId });

const show = async (models: ReadModels, id: string) =>
  present(await mustGet(models, keys, id, 'Key'));

const common = { access: 'administrator', tags: ['Keys'], reads: [keys] } as const;

const NONE_LISTED = 'must list at least one: leave it out for no restriction';

/** An origin as browsers send it: scheme, host and maybe port, nothing after. */
const isOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase();
};

const Draft = z.object({
  name: z.string().min(1).max(200),
  allowedOrigins: z
    .array(z.string().max(300).refine(isOrigin, 'must be an origin such as https://shop.example'))
    .min(1, NONE_LISTED)
    .max(100)
    .optional(),
  rateLimit: z.int().min(1).max(1_000_000).optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
  scopes: z.array(z.enum(scopes)).min(1, NONE_LISTED).optional(),
});

const createRoute = ({ tenancy }: Deps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/accounts/:id/keys',
    summary: 'Create an API key; the key itself is shown only here',
    request: { body: Draft },
    responses: { 201: Key.extend({ key: z.string() }) },
    errors: ['resource.unknown', 'resource.conflict'],
    async handle({ params, body: { expiresAt, ...body } }, context) {
      const request = {
        ...body,
        accountId: params.id,
        expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
      };
      const { terms, key } = await tenancy.createKey(request, actingOn(context));
      return reply(201, { ...(await show(await context.upToDate(), terms.keyId)), key });
    },
  });

const listRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/accounts/:id/keys',
  summary: 'List the keys of an account, without their secrets',
  request: { query: z.object(pageQuery) },
  responses: { 200: z.object({ keys: z.array(Key), nextCursor: z.string().nullable() }) },
  errors: ['resource.unknown'],
  reads: [keys, accounts],
  async handle({ params, query }, { models }) {
    await mustGet(models, accounts, params.id, 'Account');
    const where = { accountId: params.id };
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, keys, query, where);
    return { keys: rows.map(present), nextCursor };
  },
});

const switchRoute = (
  { tenancy }: Deps,
  verb: 'activate' | 'deactivate' | 'revoke',
  state: 'active' | 'inactive' | 'revoked',
  summary: string,
) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: `/admin/v1/keys/:id/${verb}`,
    summary,
    responses: { 200: Key },
    errors: ['resource.unknown', 'key.revoked'],
    async handle({ params }, context) {
      await tenancy.setKeyState(params.id, state, actingOn(context));
      return show(await context.upToDate(), params.id);
    },
  });

export const keyRoutes = (deps: Deps): readonly JsonRoute[] => [
  createRoute(deps),
  listRoute,
  switchRoute(deps, 'deactivate', 'inactive', 'Switch a key off for now'),
  switchRoute(deps, 'activate', 'active', 'Switch a key on again'),
  switchRoute(deps, 'revoke', 'revoked', 'Revoke a key for good'),
];
