import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Logo } from '../ui/logo.tsx';
import { ProblemNote } from '../ui/states.tsx';
import { readIssuer, type Session, startSession } from './api.ts';
import { hasPasskeys, signInWithPasskey } from './passkeys.ts';

/** The way in: e-mail and password, or one field for any credential, which the browser never stores. */
export const SignIn = (props: { problem: unknown; onSignedIn: (session: Session) => void }) => {
  const [problem, setProblem] = useState(props.problem);
  const [isBusy, setBusy] = useState(false);
  const [isByToken, setByToken] = useState(false);
  const [issuer, setIssuer] = useState<string>();
  useEffect(() => {
    // Without an answer the other ways stay.
    readIssuer().then(setIssuer, () => undefined);
  }, []);
  const take = async (way: () => Promise<Session>) => {
    setBusy(true);
    try {
      props.onSignedIn(await way());
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: string) => String(form.get(name));
    const way = isByToken
      ? { credential: textOf('credential').trim() }
      : { email: textOf('email').trim(), password: textOf('password') };
    void take(() => startSession(way));
  };
  return (
    <main className="sign-in">
      <form className="card sign-in-form" onSubmit={submit}>
        <Logo />
        <h1>Sign in</h1>
        {isByToken ? (
          <TextField
            key="token"
            label="Token or API key"
            name="credential"
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            maxLength={512}
            placeholder="wb_adm_… or wb_live_…"
            hint="Of an administrator or an auditor, or of one account."
          />
        ) : (
          <>
            <TextField
              key="email"
              label="E-mail"
              name="email"
              type="email"
              autoComplete="username"
              required
              maxLength={320}
            />
            <TextField
              key="password"
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
              maxLength={256}
            />
          </>
        )}
        {problem !== undefined && <ProblemNote problem={problem} />}
        <Button type="submit" tone="primary" isBusy={isBusy}>
          Sign in
        </Button>
        {hasPasskeys() && (
          <Button isBusy={isBusy} onClick={() => take(signInWithPasskey)}>
            Sign in with a passkey
          </Button>
        )}
        {issuer !== undefined && (
          <a className="button" href="/api/console/oidc/start">
            Sign in with {issuer}
          </a>
        )}
        <Button tone="quiet" onClick={() => setByToken(!isByToken)}>
          {isByToken ? 'Use e-mail and password' : 'Use a token or an API key'}
        </Button>
        <p className="muted small">
          The session ends after 8 hours at the latest, when you sign out, and when the credential
          is revoked.
        </p>
      </form>
    </main>
  );
};
