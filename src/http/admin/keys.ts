import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { accounts } from '../../projections/accounts.ts';
import { type KeyDocument, keys } from '../../projections/keys.ts';
import { reply } from '../edge/respond.ts';
import { keyScopes } from '../edge/roles.ts';
import { displayName } from '../route/names.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet } from './documents.ts';

interface Deps {
  tenancy: Tenancy;
}

const OPAQUE =
  'Whether the gateway takes `biz_opaque_callback_data` of a message for its `Idempotency-Key`, where it has none.';

/** A key as lists show it. */
export const Key = z
  .object({
    id: z.string().describe('Id of the key.'),
    accountId: z.string().describe('Id of the owning account.'),
    name: z.string().describe('Name of the key.'),
    prefix: z.string().describe('The first characters of the key.'),
    state: z
      .enum(['active', 'inactive', 'revoked', 'expired'])
      .describe('`revoked` is final; `expired` is an active key whose time of expiry has come.'),
    allowedOrigins: z.array(z.string()).nullable().describe('Origins that browsers may call from.'),
    rateLimit: z.int().describe('Requests in 60 seconds; 120 by default.'),
    expiresAt: z.iso.datetime().nullable().describe('Time of expiry, ISO 8601; null for never.'),
    scopes: z.array(z.string()).nullable().describe('Operations that the key allows.'),
    opaqueIsIdempotent: z.boolean().describe(OPAQUE),
    createdAt: z.iso.datetime().describe('Time of creation, ISO 8601.'),
    lastUsedAt: z.iso.datetime().nullable().describe('Last use, to 10 minutes; null for never.'),
  })
  .meta({ id: 'Key' });

export const presentKey = (key: KeyDocument, now: number) => {
  const { keyId: id, state, expiresAt, opaqueIsIdempotent = false } = key;
  const isOver = state === 'active' && expiresAt !== null && Date.parse(expiresAt) <= now;
  const shown = { id, state: isOver ? ('expired' as const) : state, opaqueIsIdempotent };
  return pick(Key, { ...key, ...shown });
};

const show = async (models: ReadModels, id: string, now: number) =>
  presentKey(await mustGet(models, keys, id, 'Key'), now);

const common = { access: 'administrator', tags: ['Keys'], reads: [keys] } as const;

const NONE_LISTED = 'must list at least one: leave it out for no restriction';

/** An origin as browsers send it: scheme, host and maybe port, nothing after. */
const isOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase();
};

export const KeyDraft = z.object({
  name: displayName('Name of the key.'),
  allowedOrigins: z
    .array(z.string().max(300).refine(isOrigin, 'must be an origin such as https://shop.example'))
    .min(1, NONE_LISTED)
    .max(100)
    .optional()
    .describe('Origins that browsers may call from.'),
  rateLimit: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Requests in 60 seconds; 120 by default.'),
  expiresAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('Time of expiry, ISO 8601; null for never.'),
  scopes: z
    .array(z.enum(keyScopes))
    .min(1, NONE_LISTED)
    .max(keyScopes.length)
    .optional()
    .describe('Operations that the key allows.'),
  opaqueIsIdempotent: z.boolean().optional().describe(OPAQUE),
});

export const CreatedKey = Key.extend({
  key: z.string().describe('The key; only this response shows it.'),
});

/** The time of expiry as it is stored. */
export const expiryOf = (given: string | undefined): string | undefined =>
  given === undefined ? undefined : new Date(given).toISOString();

const createRoute = ({ tenancy }: Deps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/accounts/:id/keys',
    summary: 'Create an API key; the key itself is shown only here',
    description: 'The service stores only a keyed hash of the key.',
    answer: 'Created. Only this response shows the key.',
    request: { body: KeyDraft },
    responses: {
      201: CreatedKey,
    },
    errors: ['resource.unknown', 'resource.conflict'],
    async handle({ params, body: { expiresAt, ...body } }, context) {
      const request = {
        ...body,
        accountId: params.id,
        expiresAt: expiryOf(expiresAt),
      };
      const { terms, key } = await tenancy.createKey(request, actingOn(context));
      const made = await show(await context.upToDate(), terms.keyId, context.now);
      return reply(201, { ...made, key });
    },
  });

const listRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/accounts/:id/keys',
  summary: 'List the keys of an account, without their secrets',
  description: 'Newest first, without secrets.',
  request: { query: z.object(pageQuery) },
  responses: { 200: pageOf('keys', Key) },
  errors: ['resource.unknown'],
  reads: [keys, accounts],
  async handle({ params, query }, { models, now }) {
    await mustGet(models, accounts, params.id, 'Account');
    const where = { accountId: params.id };
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, keys, query, where);
    return { keys: rows.map((key) => presentKey(key, now)), nextCursor };
  },
});

const switchRoute = (
  { tenancy }: Deps,
  verb: 'activate' | 'deactivate' | 'revoke',
  state: 'active' | 'inactive' | 'revoked',
  summary: string,
  description: string,
) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: `/admin/v1/keys/:id/${verb}`,
    summary,
    description: `${description} A repeated call changes nothing.`,
    responses: { 200: Key },
    errors: ['resource.unknown', 'key.revoked'],
    async handle({ params }, context) {
      await tenancy.setKeyState(params.id, state, actingOn(context));
      return show(await context.upToDate(), params.id, context.now);
    },
  });

export const keyRoutes = (deps: Deps): readonly JsonRoute[] => [
  createRoute(deps),
  listRoute,
  switchRoute(
    deps,
    'deactivate',
    'inactive',
    'Switch a key off for now',
    'The key receives 401 until it is activated, and its running batches skip the rest.',
  ),
  switchRoute(
    deps,
    'activate',
    'active',
    'Switch a key on again',
    'A deactivated key works again; a revoked key stays revoked.',
  ),
  switchRoute(
    deps,
    'revoke',
    'revoked',
    'Revoke a key for good',
    'Within a second no instance accepts the key. A running send finishes; running batches skip the rest.',
  ),
];
