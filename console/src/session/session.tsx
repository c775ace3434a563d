import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react';
import { onSessionEnd } from '../api/client.ts';
import { Spinner } from '../ui/states.tsx';
import { AcceptInvitation } from './accept-invitation.tsx';
import { chooseAccount, readSession, type Session, signOut, startSession } from './api.ts';
import { ChooseSession } from './choose-session.tsx';
import { hasScope, mayAct, seesContents } from './rights.ts';
import { SignIn } from './sign-in.tsx';

interface SessionState {
  session: Session;
  /** Rejects where the service could not end the session. */
  leave: (everywhere?: boolean) => Promise<void>;
  /** Goes on with another account of the person. */
  choose: (accountId: string) => void;
}

const SessionContext = createContext<SessionState | undefined>(undefined);

/** Who is signed in. Only below `SessionGate`. */
export const useSession = (): SessionState => {
  const state = use(SessionContext);
  if (!state) throw new Error('There is no session here');
  return state;
};

/** See `mayAct`. */
export const useMayWrite = (route: Parameters<typeof mayAct>[1] = 'administrator'): boolean =>
  mayAct(useSession().session, route);

/** See `hasScope`. */
export const useScope = (scope: string): boolean => hasScope(useSession().session, scope);

/** See `seesContents`. */
export const useSeesContents = (): boolean => seesContents(useSession().session);

/** A link in the address, which is used once and then taken out of the address. */
const takeLink = (name: 'link' | 'invitation'): string | undefined => {
  const link = new RegExp(`^#${name}=([\\w.-]+)$`).exec(location.hash)?.[1];
  if (link !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return link;
};

/** Whoever opens an invitation chooses a password first, whoever is signed in. */
const invitation = takeLink('invitation');

/** What the page begins with. A link does not end the session of a viewer who is signed in unasked. */
type Arrival = { session: Session; link?: string | undefined } | undefined;

let arrival: Promise<Arrival> | undefined;
/** Once for a page, also where React mounts twice. */
const arrive = () => {
  const link = takeLink('link');
  arrival ??= readSession().then(async (session) => {
    if (session) return { session, link };
    return link === undefined ? undefined : { session: await startSession({ link }) };
  });
  return arrival;
};

type State =
  | 'unknown'
  | { session: Session }
  | { session: Session; link: string }
  | { invitation: string }
  | { problem?: unknown };

const stateOf = (found: Arrival): State => {
  if (found === undefined) return {};
  const { session, link } = found;
  return link === undefined ? { session } : { session, link };
};

/** Shows its children to who is signed in, and the way in to everybody else. */
export const SessionGate = ({ children }: { children: ReactNode }) => {
  const [state, setState] = useState<State>(invitation === undefined ? 'unknown' : { invitation });
  const cache = useQueryClient();
  useEffect(() => {
    if (invitation === undefined) {
      arrive().then(
        (found) => setState(stateOf(found)),
        (problem) => setState({ problem }),
      );
    }
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
  const enter = (session: Session) => {
    cache.clear();
    setState({ session });
  };
  if ('invitation' in state) return <AcceptInvitation link={state.invitation} onDone={enter} />;
  if (!('session' in state)) return <SignIn problem={state.problem} onSignedIn={enter} />;
  if ('link' in state) return <ChooseSession {...state} onChosen={enter} />;
  const { session } = state;
  const choose = (accountId: string) => enter(chooseAccount(session, accountId));
  // What is shown of one account keeps its rows, so another one's begins with nothing.
  const account = session.kind === 'key' ? session.accountId : undefined;
  return (
    <SessionContext key={account} value={{ session, leave, choose }}>
      {children}
    </SessionContext>
  );
};
