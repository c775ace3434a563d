import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { accounts } from '../../projections/accounts.ts';
import { type KeyDocument, keys } from '../../projections/keys.ts';
import { AppError } from '../../shared/errors.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';

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

const present = (document: KeyDocument) => ({
  id: document.keyId,
  accountId: document.accountId,
  name: document.name,
  prefix: document.prefix,
  state: document.state,
  allowedOrigins: document.allowedOrigins,
  rateLimit: document.rateLimit,
  expiresAt: document.expiresAt,
  scopes: document.scopes,
  createdAt: document.createdAt,
  lastUsedAt: document.lastUsedAt,
});

const NONE_LISTED = 'must list at least one: leave it out for no restriction';

/** An origin as browsers send it: scheme, host and maybe port, nothing after. */
const isOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase();
};

export const keyRoutes = ({ tenancy }: { tenancy: Tenancy }): readonly JsonRoute[] => {
  const reads = [keys];

  const show = async (models: ReadModels, id: string) => {
    const document = await models.get(keys, id);
    if (!document) throw models.notFound(new AppError('resource.unknown', 'Key not found'));
    return present(document);
  };

  const switchRoute = (
    verb: 'activate' | 'deactivate' | 'revoke',
    state: 'active' | 'inactive' | 'revoked',
    summary: string,
  ) =>
    defineRoute({
      method: 'POST',
      path: `/admin/v1/keys/:id/${verb}`,
      access: 'administrator',
      summary,
      tags: ['Keys'],
      responses: { 200: Key },
      errors: ['resource.unknown', 'key.revoked'],
      reads,
      async handle({ params }, context) {
        const { id } = params as { id: string };
        await tenancy.setKeyState(id, state, actingOn(context));
        return show(await context.upToDate(), id);
      },
    });

  return [
    defineRoute({
      method: 'POST',
      path: '/admin/v1/accounts/:id/keys',
      access: 'administrator',
      summary: 'Create an API key; the key itself is shown only here',
      tags: ['Keys'],
      request: {
        body: z.object({
          name: z.string().min(1).max(200),
          allowedOrigins: z
            .array(
              z
                .string()
                .max(300)
                .refine(isOrigin, 'must be an origin such as https://shop.example'),
            )
            .min(1, NONE_LISTED)
            .max(100)
            .optional(),
          rateLimit: z.int().min(1).max(1_000_000).optional(),
          expiresAt: z.iso.datetime({ offset: true }).optional(),
          scopes: z.array(z.enum(scopes)).min(1, NONE_LISTED).optional(),
        }),
      },
      responses: { 201: Key.extend({ key: z.string() }) },
      errors: ['resource.unknown', 'resource.conflict'],
      reads,
      async handle({ params, body }, context) {
        const { expiresAt, ...rest } = body;
        const request = {
          ...rest,
          accountId: params.id,
          expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
        };
        const { terms, key } = await tenancy.createKey(request, actingOn(context));
        return reply(201, { ...(await show(await context.upToDate(), terms.keyId)), key });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/accounts/:id/keys',
      access: 'administrator',
      summary: 'List the keys of an account, without their secrets',
      tags: ['Keys'],
      request: { query: z.object(pageQuery) },
      responses: { 200: z.object({ keys: z.array(Key), nextCursor: z.string().nullable() }) },
      errors: ['resource.unknown'],
      reads: [keys, accounts],
      async handle({ params, query }, { models }) {
        if (!(await models.get(accounts, params.id))) {
          throw models.notFound(new AppError('resource.unknown', 'Account not found'));
        }
        const where = { accountId: params.id };
        const { rows, nextCursor } = await readPage(models, ADMINISTRATION, keys, query, where);
        return { keys: rows.map(present), nextCursor };
      },
    }),
    switchRoute('deactivate', 'inactive', 'Switch a key off for now'),
    switchRoute('activate', 'active', 'Switch a key on again'),
    switchRoute('revoke', 'revoked', 'Revoke a key for good'),
  ];
};
