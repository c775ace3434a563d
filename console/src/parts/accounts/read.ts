import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';

export type Organisation = components['schemas']['Organisation'];
export type Account = components['schemas']['Account'];
export type Key = components['schemas']['Key'];
export type PhoneNumber = components['schemas']['Number'];
export type Plan = components['schemas']['Plan'];

const PAGE = 100;

type Read<Row> = (
  cursor: string | undefined,
  signal: AbortSignal,
) => Promise<{ rows: readonly Row[]; nextCursor: string | null }>;

export const readOrganisations: Read<Organisation> = async (cursor, signal) => {
  const params = { query: { limit: PAGE, cursor } };
  const { organisations: rows, nextCursor } = await bodyOf(
    api.GET('/admin/v1/organisations', { params, signal }),
  );
  return { rows, nextCursor };
};

/** The accounts of all organisations, or of one. */
export const readAccounts =
  (organisationId?: string): Read<Account> =>
  async (cursor, signal) => {
    const params = { query: { limit: PAGE, cursor, organisationId } };
    const { accounts: rows, nextCursor } = await bodyOf(
      api.GET('/admin/v1/accounts', { params, signal }),
    );
    return { rows, nextCursor };
  };

/** The keys of an account; of the viewer's own where none is named. */
export const readKeys =
  (id: string | undefined): Read<Key> =>
  async (cursor, signal) => {
    const query = { limit: PAGE, cursor };
    const { keys: rows, nextCursor } = await (id === undefined
      ? bodyOf(api.GET('/v1/keys', { params: { query }, signal }))
      : bodyOf(
          api.GET('/admin/v1/accounts/{id}/keys', { params: { path: { id }, query }, signal }),
        ));
    return { rows, nextCursor };
  };

/** Makes a key, and resolves to its secret, which is shown once. */
export const makeKey = async (id: string | undefined, body: { name: string }): Promise<string> => {
  const { key } = await (id === undefined
    ? bodyOf(api.POST('/v1/keys', { body }))
    : bodyOf(api.POST('/admin/v1/accounts/{id}/keys', { params: { path: { id } }, body })));
  return key;
};

export type KeyVerb = 'deactivate' | 'activate' | 'revoke';

/** Of the viewer's own account, or of any. */
export const switchKey = async (isOwn: boolean, id: string, verb: KeyVerb): Promise<void> => {
  const params = { path: { id } };
  await (isOwn
    ? api.POST(`/v1/keys/{id}/${verb}`, { params })
    : api.POST(`/admin/v1/keys/{id}/${verb}`, { params }));
};

export const readNumbers =
  (id: string): Read<PhoneNumber> =>
  async (cursor, signal) => {
    const params = { path: { id }, query: { limit: PAGE, cursor } };
    const { numbers: rows, nextCursor } = await bodyOf(
      api.GET('/admin/v1/accounts/{id}/numbers', { params, signal }),
    );
    return { rows, nextCursor };
  };

export const readPlans: Read<Plan> = async (cursor, signal) => {
  const params = { query: { limit: PAGE, cursor } };
  const { plans: rows, nextCursor } = await bodyOf(api.GET('/admin/v1/plans', { params, signal }));
  return { rows, nextCursor };
};

export const numbersKey = (accountId: string) => ['accounts', 'numbers', accountId];

/** Everything that is shown of one account begins with this, to be read again after a change. */
export const accountKey = (id: string) => ['accounts', 'one', id];

export const useAccount = (id: string) =>
  useQuery({
    queryKey: accountKey(id),
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/admin/v1/accounts/{id}', { params: { path: { id } }, signal })),
  });

/** What the account counts in. */
export const unitOf = ({ billing, currency }: Pick<Account, 'billing' | 'currency'>): string =>
  billing === 'credits' ? 'credits' : currency;
