import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Logo } from '../ui/logo.tsx';
import { ProblemNote } from '../ui/states.tsx';
import { acceptInvitation, type Session } from './api.ts';
import { hasPasskeys, makePasskey } from './passkeys.ts';

/** Whoever was invited makes a passkey or chooses a password, and is signed in with it. */
export const AcceptInvitation = (props: { link: string; onDone: (session: Session) => void }) => {
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const take = async (way: () => Promise<{ password: string } | { passkey: object }>) => {
    setBusy(true);
    try {
      props.onDone(await acceptInvitation({ link: props.link, ...(await way()) }));
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  const withPasskey = async () => ({ passkey: await makePasskey({ link: props.link }) });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [password, again] = [String(form.get('password')), String(form.get('again'))];
    if (password !== again) {
      setProblem(new Error('The two passwords differ'));
      return;
    }
    void take(async () => ({ password }));
  };
  return (
    <main className="sign-in">
      <form className="card sign-in-form" onSubmit={submit}>
        <Logo />
        <h1>Welcome</h1>
        {hasPasskeys() && (
          <>
            <p className="muted">
              Make a passkey on this device, with which you sign in from now on without a password.
            </p>
            <Button isBusy={isBusy} onClick={() => take(withPasskey)}>
              Use a passkey
            </Button>
          </>
        )}
        <p className="muted">
          {hasPasskeys() ? 'Or choose a password.' : 'Choose a password, with which you sign in.'}
        </p>
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={256}
          hint="12 characters at least: several words are easy to remember."
        />
        <TextField
          label="The same again"
          name="again"
          type="password"
          autoComplete="new-password"
          required
          maxLength={256}
        />
        {problem !== undefined && <ProblemNote problem={problem} />}
        <Button type="submit" tone="primary" isBusy={isBusy}>
          Set it and sign in
        </Button>
      </form>
    </main>
  );
};
