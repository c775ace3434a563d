import type { CommandContext } from '../../commands/core/decider.ts';
import type { Authenticator } from '../edge/admission.ts';
import { type Administrator, type AuthenticatedKey, actorOf } from '../edge/context.ts';
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
  | { kind: 'key'; key: AuthenticatedKey };

export const present = (holder: Holder, expiresAt: number) => ({
  ...(holder.kind === 'administrator'
    ? { kind: holder.kind, ...holder.administrator }
    : {
        kind: holder.kind,
        id: holder.key.keyId,
        accountId: holder.key.accountId,
        scopes: holder.key.scopes,
      }),
  expiresAt: new Date(expiresAt).toISOString(),
});

export const idOf = (holder: Holder): SessionHolder =>
  holder.kind === 'administrator'
    ? { kind: holder.kind, id: holder.administrator.id }
    : { kind: holder.kind, id: holder.key.keyId };

export const holderOf = async (
  { authenticator }: HolderDeps,
  { kind, id }: SessionHolder,
  now: number,
): Promise<Holder | undefined> => {
  if (kind === 'administrator') {
    const administrator = await authenticator.administratorById(id);
    return administrator && { kind, administrator };
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

/** Names the holder in the events that it causes. */
export const contextOf = (holder: Holder, requestId: string): CommandContext => ({
  requestId,
  ...(holder.kind === 'administrator'
    ? { by: actorOf(holder.administrator) }
    : { accountId: holder.key.accountId }),
});

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
