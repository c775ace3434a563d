import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { ProblemNote } from '../ui/states.tsx';
import { Words } from '../ui/value.tsx';
import { type Session, startSession } from './api.ts';

const nameOf = (session: Session): string => {
  if (session.kind === 'administrator') return session.name;
  return session.person?.name ?? 'an API key';
};

/**
 * Asks a viewer who is signed in and opened a link: somebody else may have sent it, whose session
 * would take what the viewer enters.
 */
export const ChooseSession = (props: {
  session: Session;
  link: string;
  onChosen: (session: Session) => void;
}) => {
  const { session, link, onChosen } = props;
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const take = async () => {
    setBusy(true);
    try {
      onChosen(await startSession({ link }));
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <section className="card sign-in-form">
        <Logo />
        <h1>You are signed in</h1>
        <p>
          As <Words text={nameOf(session)} />. This link starts another session instead. Use it only
          if you asked for it.
        </p>
        {problem !== undefined && <ProblemNote problem={problem} />}
        <Button tone="primary" onClick={() => onChosen(session)}>
          Stay signed in
        </Button>
        <Button isBusy={isBusy} onClick={take}>
          Use the link
        </Button>
      </section>
    </main>
  );
};
