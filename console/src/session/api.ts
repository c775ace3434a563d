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
  | {
      kind: 'administrator';
      name: string;
      email: string;
      role: 'admin' | 'support' | 'auditor';
      /** Whether it is one with a name of his own, and no token. */
      isPerson?: true;
    }
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
    const { email, role } = told;
    return { kind: 'administrator', id, expiresAt, name, email, role, isPerson: true };
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

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(path, { ...init, headers: { ...OWN_HEADER, 'Content-Type': 'application/json' } });

const jsonOf = async (answer: Promise<Response>): Promise<unknown> => {
  const response = await answer.catch((error) => {
    throw new Unreachable(error);
  });
  if (!response.ok) throw await problemOf(response);
  return response.json();
};

/** The answer to a GET that is of no API. */
export const readJson = (path: string): Promise<unknown> => jsonOf(call(path));

/** The same of a POST. */
export const post = (path: string, body?: object): Promise<unknown> =>
  jsonOf(call(path, { method: 'POST', ...(body && { body: JSON.stringify(body) }) }));

/**
 * Undefined where nobody is signed in. The page asks for it before its script comes; with other headers
 * than the page's it would be asked for again.
 */
export const readSession = async (): Promise<Session | undefined> => {
  const told = (await jsonOf(fetch(PATH))) as Told | null;
  return told === null ? undefined : sessionOf(told);
};

const start = async (path: string, body: object): Promise<Session> =>
  sessionOf((await post(path, body)) as Told);

/** Where people sign in beside here: the host of the issuer; undefined for none. */
export const readIssuer = async (): Promise<string | undefined> => {
  const { openId } = (await readJson('/api/console/sign-in')) as { openId: string | null };
  return openId ?? undefined;
};

/** Exchanges a password, a passkey's signature, a credential, or a link that works once, for a session. */
export const startSession = (
  body:
    | { email: string; password: string }
    | { passkey: object }
    | { credential: string }
    | { link: string },
): Promise<Session> => start(PATH, body);

/** Uses an invitation up: sets the password or adds the passkey, and signs in with it. */
export const acceptInvitation = (
  body: { link: string } & ({ password: string } | { passkey: object }),
): Promise<Session> => start('/api/console/invitations/accept', body);

/** Ends this session, or all sessions of its holder. */
export const signOut = async (everywhere: boolean): Promise<void> => {
  await post(`${PATH}/${everywhere ? 'end-all' : 'end'}`);
};

/** A session of the viewer. */
export interface OwnSession {
  id: string;
  startedAt: string;
  by: string;
  /** Whether it is that of this page. */
  isThis: boolean;
}

/** Where the viewer is signed in, the newest first. */
export const readSessions = async (): Promise<readonly OwnSession[]> => {
  const { sessions } = (await readJson(`${PATH}s`)) as { sessions: readonly OwnSession[] };
  return sessions;
};

export const endSession = async (id: string): Promise<void> => {
  await post(`${PATH}s/${id}/end`);
};

/** Whether somebody signed in with a name of his own. */
export const isOfPerson = (session: Session): boolean =>
  session.kind === 'key' ? session.person !== undefined : session.isPerson === true;

/** Whether the session is one of an account, which calls the API of callers. */
export const isTenant = ({ kind }: Session): boolean => kind === 'key';
