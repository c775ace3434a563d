import { type FormEvent, useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { ProblemNote } from '../ui/states.tsx';
import { type Session, startSession } from './api.ts';

/** The way in: one field for any credential. The browser never stores it. */
export const SignIn = (props: { problem: unknown; onSignedIn: (session: Session) => void }) => {
  const [problem, setProblem] = useState(props.problem);
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const credential = String(new FormData(event.currentTarget).get('credential')).trim();
    setBusy(true);
    try {
      props.onSignedIn(await startSession({ credential }));
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <form className="card sign-in-form" onSubmit={submit}>
        <Logo />
        <h1>Sign in</h1>
        <p className="muted">
          With an administrator’s or auditor’s token, or with an API key for one account.
        </p>
        <label className="field" htmlFor={id}>
          <span className="field-label">Token or API key</span>
          <input
            id={id}
            name="credential"
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            maxLength={512}
            placeholder="wb_adm_… or wb_live_…"
          />
        </label>
        {problem !== undefined && <ProblemNote problem={problem} />}
        <Button type="submit" tone="primary" isBusy={isBusy}>
          Sign in
        </Button>
        <p className="muted small">
          The session ends after 8 hours, when you sign out, and when the credential is revoked.
        </p>
      </form>
    </main>
  );
};
