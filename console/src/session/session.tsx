import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react';
import { onSessionEnd } from '../api/client.ts';
import { Spinner } from '../ui/states.tsx';
import { readSession, type Session, signOut, startSession } from './api.ts';
import { SignIn } from './sign-in.tsx';

interface SessionState {
  session: Session;
  /** Rejects where the service could not end the session. */
  leave: (everywhere?: boolean) => Promise<void>;
}

const SessionContext = createContext<SessionState | undefined>(undefined);

/** Who is signed in. Only below `SessionGate`. */
export const useSession = (): SessionState => {
  const state = use(SessionContext);
  if (!state) throw new Error('There is no session here');
  return state;
};

/** Whether the viewer may change things: everybody but an auditor. */
export const useMayWrite = (): boolean => {
  const { session } = useSession();
  return session.kind === 'key' || session.role === 'admin';
};

/** Whether the viewer's key has the scope; an administrator's session calls no API of tenants. */
export const useScope = (scope: string): boolean => {
  const { session } = useSession();
  return session.kind === 'key' && (session.scopes?.includes(scope) ?? true);
};

/** The link of the address, which is used once and then taken out of the address. */
const takeLink = (): string | undefined => {
  const link = /^#link=([\w.-]+)$/.exec(location.hash)?.[1];
  if (link !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return link;
};

let arrival: Promise<Session | undefined> | undefined;
/** Once for a page, also where React mounts twice. */
const arrive = () => {
  const link = takeLink();
  arrival ??=
    link === undefined
      ? readSession()
      : startSession({ link }).catch(async (problem) => {
          const session = await readSession();
          if (session) return session;
          throw problem;
        });
  return arrival;
};

type State = 'unknown' | { session: Session } | { problem?: unknown };

/** Shows its children to who is signed in, and the way in to everybody else. */
export const SessionGate = ({ children }: { children: ReactNode }) => {
  const [state, setState] = useState<State>('unknown');
  const cache = useQueryClient();
  useEffect(() => {
    arrive().then(
      (session) => setState(session ? { session } : {}),
      (problem) => setState({ problem }),
    );
    return onSessionEnd(() => setState({ problem: new Error('The session has ended') }));
  }, []);
  const leave = useCallback(
    async (everywhere = false) => {
      await signOut(everywhere);
      cache.clear();
      setState({});
    },
    [cache],
  );
  if (state === 'unknown') return <Spinner label="Opening the console" />;
  if (!('session' in state)) {
    return (
      <SignIn
        problem={state.problem}
        onSignedIn={(session) => {
          cache.clear();
          setState({ session });
        }}
      />
    );
  }
  const { session } = state;
  return <SessionContext value={{ session, leave }}>{children}</SessionContext>;
};
