import type { CommandContext } from '../../commands/core/decider.ts';
import { AppError } from '../../shared/errors.ts';
import type { Authenticator } from '../edge/admission.ts';
import {
  type Administrator,
  type AuthenticatedKey,
  actorOf,
  type Person,
} from '../edge/context.ts';
import { isOperatorRole, tenantRights } from '../edge/roles.ts';
import type { SessionHolder, Sessions, Ticket } from '../edge/session.ts';
import type { RawRequest } from '../route/raw-route.ts';

// Who holds a session of the console.

export interface HolderDeps {
  authenticator: Authenticator;
  sessions: Sessions;
}

/** Who is signed in, as the console shows it. */
export type Holder =
  | { kind: 'administrator'; administrator: Administrator }
  | { kind: 'key'; key: AuthenticatedKey }
  | { kind: 'person'; person: Person };

const shownOf = async ({ authenticator }: HolderDeps, holder: Holder) => {
  if (holder.kind === 'administrator') return holder.administrator;
  if (holder.kind === 'key') {
    const { keyId: id, accountId, scopes } = holder.key;
    return { id, accountId, scopes };
  }
  const { person } = holder;
  const { id, name, email, role, organisationId } = person;
  const shown = { id, name, email, role, organisationId };
  if (isOperatorRole(role)) return shown;
  const { scopes, seesContents } = tenantRights[role];
  return { ...shown, scopes, seesContents, accounts: await authenticator.accountsOf(person) };
};

export const present = async (deps: HolderDeps, holder: Holder, expiresAt: number) => ({
  kind: holder.kind,
  ...(await shownOf(deps, holder)),
  expiresAt: new Date(expiresAt).toISOString(),
});

export const idOf = (holder: Holder): SessionHolder => {
  if (holder.kind === 'administrator') return { kind: holder.kind, id: holder.administrator.id };
  if (holder.kind === 'person') return { kind: holder.kind, id: holder.person.id };
  return { kind: holder.kind, id: holder.key.keyId };
};

export const holderOf = async (
  { authenticator }: HolderDeps,
  { kind, id }: SessionHolder,
  now: number,
): Promise<Holder | undefined> => {
  if (kind === 'administrator') {
    const administrator = await authenticator.administratorById(id);
    return administrator && { kind, administrator };
  }
  if (kind === 'person') {
    const person = await authenticator.personById(id);
    return person && { kind, person };
  }
  const key = await authenticator.apiKeyById(id, now);
  return key && { kind, key };
};

export interface Current {
  session: Ticket;
  holder: Holder;
}

/** The session of the request's cookie; undefined once it has ended. */
export const currentSession = async (
  deps: HolderDeps,
  { headers, now }: Pick<RawRequest, 'headers' | 'now'>,
): Promise<Current | undefined> => {
  const session = deps.sessions.of({ headers });
  if (!session || session.expiresAt <= now) return undefined;
  if (!(await deps.authenticator.isOpen(session.id))) return undefined;
  const holder = await holderOf(deps, session.holder, now);
  return holder && { session, holder };
};

/** Throws `session.ended`. */
export const mustBeSignedIn = async (
  deps: HolderDeps,
  request: Pick<RawRequest, 'headers' | 'now'>,
): Promise<Current> => {
  const current = await currentSession(deps, request);
  if (current) return current;
  throw new AppError('session.ended', 'The session has ended');
};

/** Names the holder in the events that it causes. */
export const contextOf = (holder: Holder, requestId: string): CommandContext => {
  if (holder.kind === 'administrator') return { requestId, by: actorOf(holder.administrator) };
  if (holder.kind === 'person') return { requestId, by: { id: holder.person.id } };
  return { requestId, accountId: holder.key.accountId };
};

export const holderOfCredential = async (
  { authenticator }: HolderDeps,
  credential: string,
  now: number,
): Promise<Holder | undefined> => {
  const administrator = await authenticator.administrator(credential);
  if (administrator) return { kind: 'administrator', administrator };
  const key = await authenticator.apiKey(credential, now);
  return key && { kind: 'key', key };
};
