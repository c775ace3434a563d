import { OWN_HEADER, problemOf, setAccount } from '../api/client.ts';
import { Unreachable } from '../api/problem.ts';

/** A person of an organisation, who may act for some of its accounts. */
export interface Person {
  name: string;
  role: string;
  seesContents: boolean;
  accounts: readonly { id: string; name: string }[];
}

/**
 * Who may see what: an administrator everything, the holder of an API key its account. A person is one
 * or the other, in his own name.
 */
export type Session = { expiresAt: string; id: string } & (
  | { kind: 'administrator'; name: string; email: string; role: 'admin' | 'support' | 'auditor' }
  | { kind: 'key'; accountId: string; scopes: readonly string[] | null; person?: Person }
);

/** What the service tells of a session. */
type Told =
  | Session
  | ({ kind: 'person'; id: string; expiresAt: string; name: string; email: string } & (
      | { organisationId: null; role: 'admin' | 'support' | 'auditor' }
      | (Person & { organisationId: string; scopes: readonly string[] })
    ));

const PATH = '/api/console/session';
const ACCOUNT = 'waybill-account';

const sessionOf = (told: Told): Session => {
  if (told.kind !== 'person') {
    setAccount(undefined);
    return told;
  }
  const { id, expiresAt, name } = told;
  if (told.organisationId === null) {
    setAccount(undefined);
    return { kind: 'administrator', id, expiresAt, name, email: told.email, role: told.role };
  }
  const { role, seesContents, accounts, scopes } = told;
  const last = localStorage.getItem(ACCOUNT);
  const accountId = (accounts.find((one) => one.id === last) ?? accounts[0])?.id ?? '';
  setAccount(accountId);
  const person = { name, role, seesContents, accounts };
  return { kind: 'key', id, expiresAt, accountId, scopes, person };
};

/** Another account of the person, from here on. */
export const chooseAccount = (session: Session, accountId: string): Session => {
  localStorage.setItem(ACCOUNT, accountId);
  setAccount(accountId);
  return { ...session, accountId } as Session;
};

const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
  try {
    return await fetch(path, {
      ...init,
      headers: { ...OWN_HEADER, 'Content-Type': 'application/json' },
    });
  } catch (error) {
    throw new Unreachable(error);
  }
};

/** Undefined where nobody is signed in. */
export const readSession = async (): Promise<Session | undefined> => {
  const response = await call(PATH);
  if (!response.ok) throw await problemOf(response);
  const told = (await response.json()) as Told | null;
  return told === null ? undefined : sessionOf(told);
};

const start = async (path: string, body: object): Promise<Session> => {
  const response = await call(path, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw await problemOf(response);
  return sessionOf((await response.json()) as Told);
};

/** Exchanges a password, a credential, or a link that works once, for a session. */
export const startSession = (
  body: { email: string; password: string } | { credential: string } | { link: string },
): Promise<Session> => start(PATH, body);

/** Uses an invitation up: sets the password, and signs in with it. */
export const acceptInvitation = (body: { link: string; password: string }): Promise<Session> =>
  start('/api/console/invitations/accept', body);

/** Ends this session, or all sessions of its holder. */
export const signOut = async (everywhere: boolean): Promise<void> => {
  const response = await call(`${PATH}/${everywhere ? 'end-all' : 'end'}`, { method: 'POST' });
  if (!response.ok) throw await problemOf(response);
};

/** Whether the session is one of an account, which calls the API of callers. */
export const isTenant = ({ kind }: Session): boolean => kind === 'key';
