import { OWN_HEADER, problemOf } from '../api/client.ts';
import { Unreachable } from '../api/problem.ts';

/** Who is signed in: an administrator, or the holder of an API key. */
export type Session = { expiresAt: string; id: string } & (
  | { kind: 'administrator'; name: string; email: string; role: 'admin' | 'auditor' }
  | { kind: 'key'; accountId: string; scopes: readonly string[] | null }
);

const PATH = '/api/console/session';

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
  return ((await response.json()) as Session | null) ?? undefined;
};

/** Exchanges a credential, or a link that works once, for a session. */
export const startSession = async (
  body: { credential: string } | { link: string },
): Promise<Session> => {
  const response = await call(PATH, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw await problemOf(response);
  return (await response.json()) as Session;
};

/** Ends this session, or all sessions of its holder. */
export const signOut = async (everywhere: boolean): Promise<void> => {
  const response = await call(`${PATH}/${everywhere ? 'end-all' : 'end'}`, { method: 'POST' });
  if (!response.ok) throw await problemOf(response);
};

/** Whether the session is one of an account, which calls the API of callers. */
export const isTenant = ({ kind }: Session): boolean => kind === 'key';
