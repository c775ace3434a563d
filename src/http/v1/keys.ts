import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { keys } from '../../projections/keys.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import { CreatedKey, expiryOf, Key, KeyDraft, presentKey } from '../admin/keys.ts';
import { type AuthenticatedKey, actingFor } from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import { isOperatorRole, keyScopes, readingScopes, tenantRights } from '../edge/roles.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';

interface Deps {
  tenancy: Pick<Tenancy, 'createKey' | 'setKeyState'>;
}

const common = { access: 'person', scope: 'keys', tags: ['Keys'], reads: [keys] } as const;

/** What a key may do that a person makes: no more than he may himself. */
const scopesFor = ({ person }: AuthenticatedKey, asked: readonly string[] | undefined) => {
  const { role } = person!;
  if (isOperatorRole(role)) throw new Error('an operator acts for no account');
  const { scopes, seesContents } = tenantRights[role];
  const own = keyScopes.filter(
    (scope) => scopes.includes(scope) && (seesContents || !readingScopes.includes(scope)),
  );
  const strange = asked?.find((scope) => !own.some((one) => one === scope));
  if (strange !== undefined) {
    throw invalidFields({ scopes: [`${strange} is more than the role ${role} may give`] });
  }
  if (asked) return asked;
  return own.length === keyScopes.length ? undefined : own;
};

const mustFind = async (models: ReadModels, accountId: string, id: string) => {
  const found = await models.get(keys, id);
  if (found?.accountId === accountId) return found;
  throw models.notFound(new AppError('resource.unknown', 'Key not found'));
};

const switchRoute = (
  { tenancy }: Deps,
  verb: 'activate' | 'deactivate' | 'revoke',
  state: 'active' | 'inactive' | 'revoked',
  summary: string,
) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: `/v1/keys/:id/${verb}`,
    summary,
    description: 'Within a second, on all instances. A repeated call changes nothing.',
    responses: { 200: Key },
    free: true,
    errors: ['resource.unknown', 'key.revoked'],
    async handle({ params: { id } }, { key, requestId, now, upToDate }) {
      await mustFind(await upToDate(), key.accountId, id);
      await tenancy.setKeyState(id, state, actingFor({ key, requestId }));
      return presentKey(await mustFind(await upToDate(), key.accountId, id), now);
    },
  });

/** The keys of an account, for its own people. */
export const ownKeyRoutes = (deps: Deps): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/keys',
    summary: 'List the keys of the account, without their secrets',
    description: 'Newest first.',
    request: { query: z.object(pageQuery) },
    responses: { 200: pageOf('keys', Key) },
    errors: [],
    async handle({ query }, { key: { accountId }, models, now }) {
      const where = { accountId };
      const { rows, nextCursor } = await readPage(models, accountId, keys, query, where);
      return { keys: rows.map((one) => presentKey(one, now)), nextCursor };
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/keys',
    summary: 'Create an API key; the key itself is shown only here',
    description:
      'It may do no more than the person who makes it, and reads no contents where his role sees none.',
    answer: 'Created. Only this response shows the key.',
    request: { body: KeyDraft.omit({ rateLimit: true }) },
    responses: { 201: CreatedKey },
    free: true,
    errors: ['resource.unknown', 'resource.conflict'],
    async handle({ body: { expiresAt, scopes, ...body } }, { key, requestId, now, upToDate }) {
      const { accountId } = key;
      const may = scopesFor(key, scopes);
      const request = { ...body, accountId, scopes: may, expiresAt: expiryOf(expiresAt) };
      const made = await deps.tenancy.createKey(request, actingFor({ key, requestId }));
      const found = await mustFind(await upToDate(), accountId, made.terms.keyId);
      return reply(201, { ...presentKey(found, now), key: made.key });
    },
  }),
  switchRoute(deps, 'deactivate', 'inactive', 'Switch a key off for now'),
  switchRoute(deps, 'activate', 'active', 'Switch a key on again'),
  switchRoute(deps, 'revoke', 'revoked', 'Revoke a key for good'),
];
