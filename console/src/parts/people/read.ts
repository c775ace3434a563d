import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';

export type Person = components['schemas']['Person'];

/** The people of the viewer's organisation, or, for an operator, of one, or the operators. */
export type Whose = { kind: 'own' } | { kind: 'operators'; organisationId: string | undefined };

export const readPeople = async (whose: Whose, cursor: string | undefined, signal: AbortSignal) => {
  const page = { limit: 100, ...(cursor !== undefined && { cursor }) };
  const { people, nextCursor } = await (whose.kind === 'own'
    ? bodyOf(api.GET('/v1/people', { params: { query: page }, signal }))
    : bodyOf(
        api.GET('/admin/v1/people', {
          params: {
            query: {
              ...page,
              ...(whose.organisationId && { organisationId: whose.organisationId }),
            },
          },
          signal,
        }),
      ));
  return { rows: people, nextCursor };
};

interface Draft {
  name: string;
  email: string;
  role: Person['role'];
}

/** Resolves to the link, which is shown once. */
export const invite = async (whose: Whose, draft: Draft): Promise<string> => {
  const body = draft as never;
  const { link } =
    whose.kind === 'own'
      ? await bodyOf(api.POST('/v1/people', { body }))
      : await bodyOf(
          api.POST('/admin/v1/people', {
            body: { ...draft, organisationId: whose.organisationId ?? null },
          }),
        );
  return location.origin + link;
};

export const inviteAgain = async ({ kind }: Whose, id: string): Promise<string> => {
  const params = { path: { id } };
  const { link } = await bodyOf(
    kind === 'own'
      ? api.POST('/v1/people/{id}/invitation', { params })
      : api.POST('/admin/v1/people/{id}/invitation', { params }),
  );
  return location.origin + link;
};

export const setRole = async ({ kind }: Whose, id: string, role: Person['role']) => {
  const options = { params: { path: { id } }, body: { role } as never };
  await (kind === 'own'
    ? api.PATCH('/v1/people/{id}', options)
    : api.PATCH('/admin/v1/people/{id}', options));
};

export const suspend = async ({ kind }: Whose, { id, state }: Person) => {
  const params = { path: { id } };
  if (state === 'suspended') {
    await (kind === 'own'
      ? api.POST('/v1/people/{id}/reinstate', { params })
      : api.POST('/admin/v1/people/{id}/reinstate', { params }));
    return;
  }
  await (kind === 'own'
    ? api.POST('/v1/people/{id}/suspend', { params })
    : api.POST('/admin/v1/people/{id}/suspend', { params }));
};

/** For operators alone. */
export const erase = (id: string, reason: string | undefined) =>
  api.POST('/admin/v1/people/{id}/erase', { params: { path: { id } }, body: { reason } });

/** When the open sessions of a person began, the newest first. */
export const readSessionsOf = async ({ kind }: Whose, id: string, signal: AbortSignal) => {
  const init = { params: { path: { id } }, signal };
  const { sessions } = await (kind === 'own'
    ? bodyOf(api.GET('/v1/people/{id}', init))
    : bodyOf(api.GET('/admin/v1/people/{id}', init)));
  return sessions.map(({ startedAt }) => startedAt);
};

export const endSessions = async ({ kind }: Whose, id: string) => {
  const params = { path: { id } };
  await (kind === 'own'
    ? api.DELETE('/v1/people/{id}/sessions', { params })
    : api.DELETE('/admin/v1/people/{id}/sessions', { params }));
};

export const readOrganisations = async (signal: AbortSignal) => {
  const query = { limit: 100 };
  const { organisations } = await bodyOf(
    api.GET('/admin/v1/organisations', { params: { query }, signal }),
  );
  return organisations;
};
